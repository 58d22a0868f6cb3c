import type { Reader, Writer } from "../../../database/database.ts";
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
