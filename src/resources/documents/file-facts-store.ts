import type { Database, Reader, Writer } from "../../database/database.ts";
import { busyStatuses } from "../document-states.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** The job that reads a document's file. */
export const processJob = "process document";

/** A document as whatever deals with its file needs it. */
export interface FileFacts {
  slug: string;
  extension: string;
  status: string;
  /** Of the PDF that was read last; empty where none was. */
  fileHash: string;
  /** The code of its language. */
  language: string;
  /** The id of its owner. */
  owner: number;
  /** Its file has not been processed yet. */
  isWaiting: boolean;
}

export async function findFileFacts(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<FileFacts | null> {
  const row = await reader
    .selectFrom("documents")
    .select(["slug", "original_extension", "status", "file_hash", "language", "user_id"])
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
    owner: row.user_id,
    isWaiting: status === "nofile",
  };
}

export interface PendingDocument {
  id: number;
  status: string;
  page_count: number;
  /** How many pages are done, and of how many; null where nothing has been noted. */
  done: number | null;
  total: number | null;
}

/** What is under way for someone. */
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

/** What reading a file tells of it. */
export interface ReadFacts {
  page_count: number;
  page_spec: string;
  file_hash: string;
}

/** `from` names the statuses that it may come from: from any other it stays as it is. Whether it changed. */
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
