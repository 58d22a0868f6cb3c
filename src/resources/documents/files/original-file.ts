import type { FileStat, FileStore } from "../../../files/file-store.ts";
import { FileKeyError, documentFileKey } from "../../../files/keys.ts";
import type { DocumentRow } from "../store.ts";

export interface StoredFile extends FileStat {
  key: string;
  /** The extension of the file type, without a dot. */
  extension: string;
}

/**
 * The original file of a document; null if it is not in Quire's store. The files of imported records may be on another
 * server.
 */
export async function findOriginal(files: FileStore, row: DocumentRow): Promise<StoredFile | null> {
  return findStored(files, row, row.original_extension);
}

/** The PDF of a document: the original file, or the PDF that it was converted to. */
export async function findPdf(files: FileStore, row: DocumentRow): Promise<StoredFile | null> {
  return findStored(files, row, "pdf");
}

async function findStored(
  files: FileStore,
  { id, slug, asset_url: elsewhere }: DocumentRow,
  extension: string,
): Promise<StoredFile | null> {
  if (elsewhere !== null) return null;
  const key = documentFileKey(id, slug, extension);
  try {
    const found = await files.stat(key);
    return found === null ? null : { ...found, key, extension };
  } catch (error) {
    // An imported record may have a slug that no file can be stored under.
    if (error instanceof FileKeyError) return null;
    throw error;
  }
}
