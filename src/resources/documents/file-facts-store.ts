import type { Database, Reader, Writer } from "../../database/database.ts";
import { busyStatuses } from "../document-states.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** The job that reads a document's file. */
export const processJob = "process document";

/** The facts about a document that work on its file needs. */
export interface FileFacts {
  slug: string;
  extension: string;
  status: string;
  /** Hash of the PDF that was read last. Empty if no PDF has been read. */
  fileHash: string;
  /** Of the PDF that was read last. */
  pageCount: number;
  /** Language code. */
  language: string;
  /** User id. */
  owner: number;
  /** True until its file has been processed. */
  isWaiting: boolean;
}

export async function findFileFacts(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<FileFacts | null> {
  const row = await reader
    .selectFrom("documents")
    .select(["slug", "original_extension", "status", "file_hash", "page_count", "language", "user_id"])
    .where("id", "=", id)
    .where("status", "<>", "deleted")
    .executeTakeFirst();
  if (row === undefined) return null;
  const { slug, status, language, original_extension: extension, file_hash: fileHash } = row;
  return {
    slug,
    extension,
    status,
    language,
    fileHash,
    pageCount: row.page_count,
    owner: row.user_id,
    isWaiting: status === "nofile",
  };
}

export interface PendingDocument {
  id: number;
  status: string;
  page_count: number;
  /** The number of pages done, out of `total`. Both are null before the first progress is recorded. */
  done: number | null;
  total: number | null;
}

/** The user's documents that are being processed, or only the given one of them. */
export async function findPending(
  { reader }: Pick<Database, "reader">,
  userId: number,
  id?: number,
): Promise<PendingDocument[]> {
  let query = reader
    .selectFrom("documents")
    .leftJoin("document_progress", "document_progress.document_id", "documents.id")
    .select(["documents.id", "status", "page_count", "done", "total"])
    .where("user_id", "=", userId)
    .where("status", "in", busyStatuses)
    .where("access", "<>", "invisible")
    .orderBy("documents.id")
    .limit(1000);
  if (id !== undefined) query = query.where("documents.id", "=", id);
  return query.execute();
}

/** The columns that reading a file fills in. */
export interface ReadFacts {
  page_count: number;
  page_spec: string;
  file_hash: string;
}

/** Sets the status, if the current one is among `from` (when given). Returns whether it did. */
export async function setStatus(
  writer: Writer,
  id: number,
  { to, from, facts = {} }: { to: string; from?: readonly string[]; facts?: Partial<ReadFacts> },
): Promise<boolean> {
  let update = writer
    .updateTable("documents")
    .set({ status: to, ...facts, updated_at: timestampNow() })
    .where("id", "=", id);
  if (from !== undefined) update = update.where("status", "in", from);
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}
