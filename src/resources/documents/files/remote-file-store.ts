import type { Database, Reader, Writer } from "../../../database/database.ts";
import { hasRow, setRows } from "../../../database/rows.ts";

/** The job that fetches a document's file. */
export const fetchJob = "fetch document";

export interface NewRemoteFile {
  address: string;
  /** If false, the extension is taken from the response. */
  extensionIsKnown: boolean;
  /** For the job that reads the file. */
  processOptions: { force_ocr: boolean; ocr_engine?: string | undefined };
}

export async function addRemoteFile(
  writer: Writer,
  documentId: number,
  { address, extensionIsKnown, processOptions }: NewRemoteFile,
): Promise<void> {
  await writer
    .insertInto("remote_files")
    .values({
      document_id: documentId,
      address,
      extension_is_known: extensionIsKnown,
      process_options: JSON.stringify(processOptions),
    })
    .execute();
}

/** The remote file of a document that still waits for it; otherwise null. */
export async function findRemoteFile(
  { reader }: Pick<Database, "reader">,
  documentId: number,
): Promise<NewRemoteFile | null> {
  const row = await reader
    .selectFrom("remote_files")
    .innerJoin("documents", "documents.id", "remote_files.document_id")
    .select(["address", "extension_is_known", "process_options"])
    .where("document_id", "=", documentId)
    .where("status", "=", "nofile")
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    address: row.address,
    extensionIsKnown: Boolean(row.extension_is_known),
    processOptions: JSON.parse(row.process_options) as NewRemoteFile["processOptions"],
  };
}

/** Whether the document's file still has to be fetched. */
export async function hasRemoteFile(
  writer: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<boolean> {
  return hasRow(writer, "remote_files", { document_id: documentId });
}

/** Returns whether there was one. */
export async function removeRemoteFile(writer: Writer, documentId: number): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("remote_files")
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Sets the extension of a file that is about to arrive. */
export async function setExtension(writer: Writer, documentId: number, extension: string): Promise<void> {
  await setRows(writer, "documents", { id: documentId, status: "nofile" }, { original_extension: extension });
}
