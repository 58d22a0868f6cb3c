import type { FileStat, FileStore } from "../../../files/file-store.ts";
import { FileKeyError, documentFileKey } from "../../../files/keys.ts";
import type { DocumentRow } from "../store.ts";

export interface StoredFile extends FileStat {
  key: string;
  /** Of the kind of file, without a dot. */
  extension: string;
}

/** The file that a document was made from, if it is in our store: an imported record may have left its own elsewhere. */
export async function findOriginal(files: FileStore, row: DocumentRow): Promise<StoredFile | null> {
  return findStored(files, row, row.original_extension);
}

/** The PDF that a document is read from: the original, or what that was made into. */
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
    // A record may come with a slug that no file can be stored under.
    if (error instanceof FileKeyError) return null;
    throw error;
  }
}
