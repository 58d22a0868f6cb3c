import { sql } from "kysely";
import type { Reader, Writer } from "../../../database/database.ts";
import { isTopLevel } from "../children-store.ts";
import { addReceipt } from "../receipt-store.ts";
import { hasRow } from "../../../database/rows.ts";

/** A file that has been received and stored. */
export interface ArrivedFile {
  key: string;
  /** In lower case, without a dot. */
  extension: string;
  bytes: number;
  sha1: string;
  sha256: string;
  milliseconds: {
    /** The time from its first byte to its last. */
    coming: number;
    /** The time from its last byte until the file survives a crash. */
    storing: number;
  };
}

/** Whether a file has arrived for this document. */
export async function hasArrived(writer: Pick<Reader, "selectFrom">, documentId: number): Promise<boolean> {
  return hasRow(writer, "received_files", { document_id: documentId });
}

/**
 * Records that a file has arrived for a document, with the hash that identifies the file if it arrives again. `isRead`
 * says that the file is processed next, without a further request.
 */
export async function noteArrival(
  writer: Writer,
  documentId: number,
  { key, extension, bytes, sha1, sha256, milliseconds }: ArrivedFile,
  { host, isRead }: { host?: string; isRead: boolean },
): Promise<void> {
  await writer.deleteFrom("received_files").where("document_id", "=", documentId).execute();
  await writer.insertInto("received_files").values({ document_id: documentId, sha1, extension }).execute();
  const done = { documentId, outcome: "done" } as const;
  await addReceipt(writer, {
    ...done,
    step: host === undefined ? "received" : "fetched",
    milliseconds: milliseconds.coming,
    details: { bytes, sha256, ...(host !== undefined && { host }) },
  });
  const next = extension === "pdf" ? "read" : "converted";
  const details = { key, next: isRead ? next : null };
  await addReceipt(writer, { ...done, step: "stored", milliseconds: milliseconds.storing, details });
}

/**
 * The documents that were made of this file, by its SHA-1 and extension: those for which it arrived, even if their file
 * has changed since, or else those whose PDF it is now.
 */
export async function findDocumentsOfFile(
  reader: Pick<Reader, "selectFrom">,
  sha1: string,
  extension: string,
): Promise<number[]> {
  const came = await reader
    .selectFrom("received_files")
    .innerJoin("documents", "documents.id", "received_files.document_id")
    .select("documents.id")
    .distinct()
    .where("sha1", "=", sha1)
    .where("extension", "=", extension)
    // A document with status `nofile` may still get another file.
    .where("status", "not in", ["deleted", "nofile"])
    .where(isTopLevel)
    .orderBy("documents.id")
    .execute();
  if (came.length > 0) return came.map(({ id }) => id);
  const found = await reader
    .selectFrom("documents")
    .select("id")
    // Repeats the condition of the partial index, so that the engines can use it.
    .where("file_hash", "<>", sql.lit(""))
    .where("file_hash", "=", sha1)
    .where("original_extension", "=", extension)
    .where("status", "<>", "deleted")
    .where(isTopLevel)
    .orderBy("id")
    .execute();
  return found.map(({ id }) => id);
}
