import type { Context } from "../../../context.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { fileRemovalDone, findFileRemovals, isThere } from "./change-store.ts";

/** The job that removes the files of a deleted document if that failed at first. */
export const removeFilesJob = "remove files of what is gone";

const retryAfterSeconds = 10;

/** Removes the files of a deleted document, unless that has been done. */
export async function removeFiles(
  { database, files }: Pick<Context, "database" | "files">,
  documentId: number,
): Promise<void> {
  for (const { folder } of await findFileRemovals(database, documentId)) {
    if (!(await isThere(database, documentId))) await files.deleteFolder(folder);
    await fileRemovalDone(database, documentId);
  }
}

/**
 * Removes the files of documents that have just been deleted. If the store fails, the request does not wait: a job
 * removes the remaining files and retries until it succeeds. Never rejects, because the documents are deleted already.
 */
export async function removeFilesOf(
  context: Pick<Context, "database" | "files" | "log">,
  documentIds: readonly number[],
): Promise<void> {
  const left = new Set(documentIds);
  try {
    for (const id of documentIds) {
      await removeFiles(context, id);
      left.delete(id);
    }
  } catch (error) {
    context.log.error(
      { err: error, documents: [...left] },
      "The files of deleted documents could not be removed yet",
    );
    await removeLater(context, [...left]);
  }
}

/**
 * Removes files of deleted documents that a crash or a failure has left. The database has recorded that they must be
 * removed.
 */
export async function removeFilesOfDeleted(
  context: Pick<Context, "database" | "files" | "log">,
): Promise<void> {
  const removals = await findFileRemovals(context.database);
  await removeFilesOf(
    context,
    removals.map(({ document_id: id }) => id),
  );
}

async function removeLater(
  { database, log }: Pick<Context, "database" | "log">,
  documentIds: readonly number[],
): Promise<void> {
  const job = { kind: removeFilesJob, afterSeconds: retryAfterSeconds };
  try {
    await database.write(async (writer) => {
      for (const subject of documentIds) await enqueue(writer, { ...job, subject });
    });
  } catch (error) {
    log.error(
      { err: error, documents: documentIds },
      "The files of deleted documents stay for up to an hour",
    );
  }
}
