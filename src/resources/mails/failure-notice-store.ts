import type { Context } from "../../context.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { hasMail } from "./mail-store.ts";
import { addToNotice } from "./notice-store.ts";

/**
 * Tells the owner of a document, by mail, that it could not be processed. Does nothing without a mail server, or if the
 * owner gets no notices.
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
  if (document === undefined) return;
  await addToNotice(database, writer, {
    kind: "failed documents",
    userId: document.user_id,
    subject: documentId,
  });
}

/** A document that could not be processed, as a notice names it. */
export interface FailedDocument {
  id: number;
  title: string;
  slug: string;
}

/** Those of the documents that still cannot be shown: not those that were processed or deleted meanwhile. */
export async function findFailed(
  reader: Reader,
  userId: number,
  ids: readonly number[],
): Promise<FailedDocument[]> {
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
