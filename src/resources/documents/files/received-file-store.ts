import type { Reader, Writer } from "../../../database/database.ts";
import { addReceipt } from "../receipt-store.ts";

/** A file that is in the store. */
export interface ArrivedFile {
  key: string;
  /** In lower case, without a dot. */
  extension: string;
  bytes: number;
  sha1: string;
  sha256: string;
  milliseconds: {
    /** How long it took to come. */
    coming: number;
    /** And then, to be where it survives a crash. */
    storing: number;
  };
}

/** Whether a file has come for this document. */
export async function hasArrived(writer: Pick<Reader, "selectFrom">, documentId: number): Promise<boolean> {
  const row = await writer
    .selectFrom("received_files")
    .select("document_id")
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Writes down that a file has come for a document, and by which hash it is known when it comes again. `isRead` says that
 * it is read after that, without anybody asking.
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
