import type { Context } from "../../context.ts";
import { fileRemovalDone, findFileRemovals, isThere } from "./change-store.ts";

/**
 * Removes the files of documents that are gone. What a crash or a failing store leaves is removed the next time: the
 * database has said of them since the document went that they are to go too.
 */
export async function removeFilesOfDeleted({
  database,
  files,
  log,
}: Pick<Context, "database" | "files" | "log">): Promise<void> {
  for (const { document_id, folder } of await findFileRemovals(database)) {
    try {
      if (!(await isThere(database, document_id))) await files.deleteFolder(folder);
      await fileRemovalDone(database, document_id);
    } catch (error) {
      log.error(
        { err: error, document: document_id },
        "The files of a deleted document could not be removed",
      );
    }
  }
}
