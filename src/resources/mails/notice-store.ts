import { sql } from "kysely";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { timestampIn } from "../../http/text/timestamp.ts";
import { type NewMail, findRecipient, queueMail } from "./mail-store.ts";

/*
 * A notice waits before it is sent and collects what happens meanwhile, so that a person gets one mail instead of many.
 */

export type NoticeKind = Extract<
  NewMail["kind"],
  "shared project" | "failed documents" | "stopped webhooks" | "mentions"
>;

const collectingSeconds = 10 * 60;
const daySeconds = 24 * 60 * 60;
/** Maximum notices of one kind that a person gets within a day. Further ones wait, and collect. */
const maxPerDay: Readonly<Record<NoticeKind, number>> = {
  "shared project": 4,
  "failed documents": Infinity,
  "stopped webhooks": Infinity,
  mentions: 4,
};

export function isNotice(kind: NewMail["kind"]): kind is NoticeKind {
  return Object.hasOwn(maxPerDay, kind);
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

/**
 * Adds a project or document to the notice that waits for a user, or to a new one. Does nothing for users who cannot be
 * written to or get no notices.
 */
export async function addToNotice(
  { dialect }: Context["database"],
  writer: Writer,
  { kind, userId, subject }: { kind: NoticeKind; userId: number; subject: number },
): Promise<void> {
  const recipient = await findRecipient(writer, userId);
  if (recipient === null || !recipient.mail_notices) return;
  // Notices to one person wait for each other, so that they find the one that waits.
  await sql`select id from users where id = ${userId} ${dialect.forUpdate}`.execute(writer);
  if (await addToWaiting(writer, { kind, userId, subject })) return;
  const details: Collected = { subjects: [subject], more: 0, isClosed: false };
  const afterSeconds = await secondsUntilNext(writer, kind, userId);
  await queueMail(writer, { kind, userId, details: { ...details }, afterSeconds });
}

/** Sends a person no notices any more. */
export async function declineNotices(writer: Writer, userId: number): Promise<void> {
  await writer.updateTable("users").set({ mail_notices: false }).where("id", "=", userId).execute();
}

/** Returns false if no notice waits. */
async function addToWaiting(
  writer: Writer,
  { kind, userId, subject }: { kind: NoticeKind; userId: number; subject: number },
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
  if (collected.subjects.includes(subject)) return true;
  const isFull = collected.subjects.length >= maxNamed;
  const changed: Collected = isFull
    ? { ...collected, more: collected.more + 1 }
    : { ...collected, subjects: [...collected.subjects, subject] };
  // Fails if the notice has just been closed.
  return replaceDetails(writer, mail, changed);
}

async function secondsUntilNext(writer: Writer, kind: NoticeKind, userId: number): Promise<number> {
  const max = maxPerDay[kind];
  if (max === Infinity) return collectingSeconds;
  const recent = await writer
    .selectFrom("mails")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
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
