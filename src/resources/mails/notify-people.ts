import type { NotificationKind } from "../../contract/notification.ts";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { choicesIn, noticeMember } from "../users/notice-choices.ts";
import { type DocumentPerson, findPeople } from "../notifications/people-store.ts";
import { type NewNotification, notify } from "../notifications/store.ts";
import { hasMail } from "./mail-store.ts";
import { addToNotice, findChoices } from "./notice-store.ts";

/*
 * Tells people of what happens: on the page of notifications, and by mail, as each has chosen for the kind. Call these
 * functions last in the transaction that makes the change, for all people at once: they lock people in order of ids.
 */

type Telling = Pick<Context, "config" | "database">;

interface Notice extends NewNotification {
  /** What a mail names: ids of documents, or the subject if they are not given. */
  named?: readonly number[];
  /** Whether a mail may tell of it, too. */
  isMailed?: boolean;
}

/** Tells a person of something, unless they did it themselves or do not want to know. */
export async function notifyPerson(
  { config, database }: Telling,
  writer: Writer,
  { named, isMailed = true, ...notification }: Notice,
): Promise<void> {
  const { userId, kind, subject } = notification;
  if (notification.actorId === userId) return;
  const choice = choicesIn(await findChoices(writer, userId))[noticeMember(kind)];
  if (choice === "off") return;
  if (choice === "mail" && isMailed && hasMail(config))
    await addToNotice(database, writer, { kind, userId, subjects: named ?? [subject] });
  await notify(writer, notification);
}

/**
 * Tells the people of documents that their work has ended, or that it has failed: the owner and `by`, the person who
 * asked for it, of the work, and the others that the document is ready. `actorId` is the person who has cancelled it.
 */
export async function notifyWorkEnded(
  context: Telling,
  writer: Writer,
  documentId: number,
  kind: "processed" | "redacted" | "failed",
  { by = null, actorId = null }: { by?: number | null; actorId?: number | null } = {},
): Promise<void> {
  const kinds = new Map<number, NotificationKind>();
  for (const { userId, isOwner } of await findPeople(writer, [documentId])) {
    if (isOwner) kinds.set(userId, kind);
    else if (kind !== "failed") kinds.set(userId, "finished");
  }
  if (by !== null && kinds.size > 0) kinds.set(by, kind);
  for (const [userId, told] of inOrder(kinds))
    await notifyPerson(context, writer, {
      userId,
      kind: told,
      subject: 0,
      documentId,
      actorId,
      named: [documentId],
    });
}

/** Tells the people of documents, other than the one who did it, that these can be seen by more people. */
export async function notifyOpened(
  context: Telling,
  writer: Writer,
  documentIds: readonly number[],
  actorId: number,
): Promise<void> {
  const people = Map.groupBy(await findPeople(writer, documentIds), ({ userId }) => userId);
  for (const [userId, theirs] of people) {
    const named = theirs.map(({ documentId }) => documentId);
    const about = { subject: 0, documentId: named.at(-1) ?? null, times: named.length, named };
    await notifyPerson(context, writer, { userId, kind: "opened", actorId, ...about });
  }
}

/**
 * Tells of a new note: those whom it mentions, and the people of its document who may see it. `isShownTo` says whether
 * the note lets somebody see it who sees the document.
 */
export async function notifyAnnotated(
  context: Telling,
  writer: Writer,
  { note, documentId, actorId }: { note: number; documentId: number; actorId: number },
  mentioned: ReadonlySet<number>,
  isShownTo: ((person: DocumentPerson) => boolean) | null,
): Promise<void> {
  const people = isShownTo === null ? [] : (await findPeople(writer, [documentId])).filter(isShownTo);
  const kinds = new Map<number, NotificationKind>(people.map(({ userId }) => [userId, "annotated"]));
  for (const userId of mentioned) kinds.set(userId, "mentioned");
  for (const [userId, kind] of inOrder(kinds)) {
    const subject = kind === "mentioned" ? note : documentId;
    await notifyPerson(context, writer, { userId, kind, subject, documentId, actorId, named: [note] });
  }
}

const inOrder = (kinds: ReadonlyMap<number, NotificationKind>): [number, NotificationKind][] =>
  [...kinds].toSorted(([one], [other]) => one - other);
