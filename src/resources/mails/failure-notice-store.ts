import { sql } from "kysely";
import type { Context } from "../../context.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { findRecipient, hasMail, queueMail } from "./mail-store.ts";

/** One notice tells of all documents that fail within this time. */
const collectingSeconds = 10 * 60;
/** The maximum number of documents that a notice names. */
const maxNamed = 20;

/** What a notice of the kind `failed documents` tells of. */
interface Failures {
  /** The ids of the first documents. */
  documents: number[];
  /** The number of further ones. */
  more: number;
  /** Whether the notice is being sent, so that nothing can be added. */
  isClosed: boolean;
}

/**
 * Tells the owner of a document, by mail, that it could not be processed: in the notice that waits for them, or in a new
 * one. Does nothing without a mail server, or if the owner gets no notices.
 */
export async function noticeFailure(
  { config, database }: Pick<Context, "config" | "database">,
  writer: Writer,
  documentId: number,
): Promise<void> {
  if (!hasMail(config)) return;
  const document = await writer
    .selectFrom("documents")
    .select("user_id")
    .where("id", "=", documentId)
    .executeTakeFirst();
  const recipient = document === undefined ? null : await findRecipient(writer, document.user_id);
  if (recipient === null || !recipient.mail_notices) return;
  // Failures of one person's documents wait for each other, so that they find one another's notice.
  await sql`select id from users where id = ${recipient.id} ${database.dialect.forUpdate}`.execute(writer);
  if (await addToNotice(writer, recipient.id, documentId)) return;
  const details: Failures = { documents: [documentId], more: 0, isClosed: false };
  await queueMail(writer, {
    kind: "failed documents",
    userId: recipient.id,
    details: { ...details },
    afterSeconds: collectingSeconds,
  });
}

/** Returns false if no notice waits. */
async function addToNotice(writer: Writer, userId: number, documentId: number): Promise<boolean> {
  const mail = await writer
    .selectFrom("mails")
    .select(["id", "details"])
    .where("user_id", "=", userId)
    .where("kind", "=", "failed documents")
    .where("sent_at", "is", null)
    .where("problem", "is", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (mail === undefined) return false;
  const failures = JSON.parse(mail.details) as Failures;
  if (failures.isClosed) return false;
  if (failures.documents.includes(documentId)) return true;
  const isFull = failures.documents.length >= maxNamed;
  const changed: Failures = isFull
    ? { ...failures, more: failures.more + 1 }
    : { ...failures, documents: [...failures.documents, documentId] };
  // Fails if the notice has just been closed.
  return replaceDetails(writer, mail, changed);
}

/** Replaces the details, unless somebody else has changed them. */
async function replaceDetails(
  writer: Writer,
  { id, details }: { id: number; details: string },
  failures: Failures,
): Promise<boolean> {
  const { numUpdatedRows } = await writer
    .updateTable("mails")
    .set({ details: JSON.stringify(failures) })
    .where("id", "=", id)
    .where("details", "=", details)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A document that could not be processed, as a notice names it. */
export interface FailedDocument {
  id: number;
  title: string;
  slug: string;
}

/**
 * Closes a notice, so that later failures begin a new one, and returns the documents that it names and the number of
 * further ones. Documents that were processed or deleted meanwhile are left out.
 */
export async function closeNotice(
  database: Context["database"],
  { id, user_id: userId }: { id: number; user_id: number | null },
): Promise<{ documents: FailedDocument[]; more: number }> {
  const failures = await database.write(async (writer) => {
    for (;;) {
      const mail = await writer.selectFrom("mails").select("details").where("id", "=", id).executeTakeFirst();
      if (mail === undefined) return null;
      const found = JSON.parse(mail.details) as Failures;
      const closed = { ...found, isClosed: true };
      if (found.isClosed || (await replaceDetails(writer, { id, details: mail.details }, closed)))
        return closed;
    }
  });
  if (failures === null || userId === null) return { documents: [], more: 0 };
  return { documents: await findFailed(database.reader, userId, failures.documents), more: failures.more };
}

async function findFailed(reader: Reader, userId: number, ids: readonly number[]): Promise<FailedDocument[]> {
  if (ids.length === 0) return [];
  return reader
    .selectFrom("documents")
    .select(["id", "title", "slug"])
    .where("id", "in", ids)
    .where("user_id", "=", userId)
    .where("status", "=", "error")
    .orderBy("id")
    .execute();
}
