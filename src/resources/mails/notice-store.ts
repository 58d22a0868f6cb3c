import { sql } from "kysely";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { timestampIn } from "../../http/text/timestamp.ts";
import { noticeMails } from "../../contract/notification.ts";
import type { NotificationKind } from "../../contract/notification.ts";
import { noticeMember, withChoices } from "../users/notice-choices.ts";
import { type NewMail, findRecipient, queueMail } from "./mail-store.ts";

/*
 * A notice waits before it is sent and collects what happens meanwhile, so that a person gets one mail instead of many.
 */

const collectingSeconds = 10 * 60;
const daySeconds = 24 * 60 * 60;
/** Maximum notices of one kind that a person gets within a day. Further ones wait, and collect. */
const maxPerDay: Readonly<Record<NotificationKind, number>> = {
  shared: 4,
  mentioned: 4,
  processed: 4,
  failed: Infinity,
  redacted: 4,
  annotated: 4,
  opened: 4,
  finished: 4,
  stopped: Infinity,
};

const kindsByMail = new Map(
  Object.entries(noticeMails).map(([kind, mail]) => [mail as string, kind as NotificationKind]),
);

/** The kind of notification that a mail tells of; null if it is no notice. */
export function noticeKindOf(kind: NewMail["kind"]): NotificationKind | null {
  return kindsByMail.get(kind) ?? null;
}

/** The maximum number of subjects that a notice names. */
const maxNamed = 20;

/** What a notice tells of. */
interface Collected {
  /** The ids of the first projects, documents, webhooks or notes. */
  subjects: number[];
  /** The number of further ones. */
  more: number;
  /** Whether the notice is being sent, so that nothing can be added. */
  isClosed: boolean;
}

/** How a person wants to be told of what, as it is stored. */
export async function findChoices(reader: Pick<Writer, "selectFrom">, userId: number): Promise<string> {
  const user = await reader
    .selectFrom("users")
    .select("notice_choices")
    .where("id", "=", userId)
    .executeTakeFirst();
  return user?.notice_choices ?? "{}";
}

/**
 * Adds subjects to the notice that waits for a user, or to a new one. Does nothing for users who cannot be written to
 * or get no mails.
 */
export async function addToNotice(
  { dialect }: Context["database"],
  writer: Writer,
  { kind, userId, subjects }: { kind: NotificationKind; userId: number; subjects: readonly number[] },
): Promise<void> {
  const recipient = await findRecipient(writer, userId);
  if (recipient === null || !recipient.mail_notices) return;
  // Notices to one person wait for each other, so that they find the one that waits.
  await sql`select id from users where id = ${userId} ${dialect.forUpdate}`.execute(writer);
  const mail = noticeMails[kind];
  if (await addToWaiting(writer, { kind: mail, userId, subjects })) return;
  const details = withSubjects({ subjects: [], more: 0, isClosed: false }, subjects);
  const afterSeconds = await secondsUntilNext(writer, kind, userId);
  await queueMail(writer, { kind: mail, userId, details: { ...details }, afterSeconds });
}

/** Sends a person no mails about a kind of notification any more, or about none of them. They stay on the page. */
export async function declineNotices(
  writer: Writer,
  userId: number,
  kind: NotificationKind | null,
): Promise<void> {
  const chosen =
    kind !== null && withChoices(await findChoices(writer, userId), { [noticeMember(kind)]: "page" });
  const declined = chosen === false ? { mail_notices: false } : { notice_choices: chosen };
  await writer.updateTable("users").set(declined).where("id", "=", userId).execute();
}

/** Returns false if no notice waits. */
async function addToWaiting(
  writer: Writer,
  { kind, userId, subjects }: { kind: NewMail["kind"]; userId: number; subjects: readonly number[] },
): Promise<boolean> {
  const mail = await writer
    .selectFrom("mails")
    .select(["id", "details"])
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("sent_at", "is", null)
    .where("problem", "is", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (mail === undefined) return false;
  const collected = collectedIn(mail.details);
  if (collected.isClosed) return false;
  // Fails if the notice has just been closed.
  return replaceDetails(writer, mail, withSubjects(collected, subjects));
}

function withSubjects(collected: Collected, added: readonly number[]): Collected {
  const all = [...new Set([...collected.subjects, ...added])];
  const more = collected.more + Math.max(0, all.length - maxNamed);
  return { ...collected, subjects: all.slice(0, maxNamed), more };
}

async function secondsUntilNext(writer: Writer, kind: NotificationKind, userId: number): Promise<number> {
  const max = maxPerDay[kind];
  if (max === Infinity) return collectingSeconds;
  const recent = await writer
    .selectFrom("mails")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("kind", "=", noticeMails[kind])
    .where("created_at", ">", timestampIn(-daySeconds))
    .orderBy("id", "desc")
    .limit(max)
    .execute();
  const first = recent[max - 1];
  if (first === undefined) return collectingSeconds;
  const left = (Date.parse(first.created_at) - Date.now()) / 1000 + daySeconds;
  return Math.max(collectingSeconds, Math.ceil(left));
}

/** Mails that waited when Quire was updated have older forms of details. */
function collectedIn(details: string): Collected {
  const { subjects, documents, project, ...rest } = JSON.parse(details) as Partial<Collected> & {
    documents?: number[];
    project?: number;
  };
  if (project !== undefined) return { subjects: [project], more: 0, isClosed: true };
  return { subjects: subjects ?? documents ?? [], more: rest.more ?? 0, isClosed: rest.isClosed ?? true };
}

/** Replaces the details, unless somebody else has changed them. */
async function replaceDetails(
  writer: Writer,
  { id, details }: { id: number; details: string },
  collected: Collected,
): Promise<boolean> {
  const { numUpdatedRows } = await writer
    .updateTable("mails")
    .set({ details: JSON.stringify(collected) })
    .where("id", "=", id)
    .where("details", "=", details)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Closes a notice, so that what happens later begins a new one, and returns what it tells of. */
export async function closeNotice(
  database: Context["database"],
  id: number,
): Promise<Pick<Collected, "subjects" | "more">> {
  return database.write(async (writer) => {
    for (;;) {
      const mail = await writer.selectFrom("mails").select("details").where("id", "=", id).executeTakeFirst();
      if (mail === undefined) return { subjects: [], more: 0 };
      const found = collectedIn(mail.details);
      const closed = { ...found, isClosed: true };
      if (found.isClosed || (await replaceDetails(writer, { id, details: mail.details }, closed)))
        return closed;
    }
  });
}
