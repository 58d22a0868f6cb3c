import type { Context } from "../../../context.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { fileRemovalDone, findFileRemovals, isThere } from "./change-store.ts";

type Storage = Pick<Context, "database" | "files" | "log">;

/** The job that removes the files of a document that is gone, where that did not succeed at once. */
export const removeFilesJob = "remove files of what is gone";

const againAfterSeconds = 10;

/** Removes the files of a document that is gone, if they have not been yet. */
export async function removeFiles(
  { database, files }: Pick<Storage, "database" | "files">,
  documentId: number,
): Promise<void> {
  for (const { folder } of await findFileRemovals(database, documentId)) {
    if (!(await isThere(database, documentId))) await files.deleteFolder(folder);
    await fileRemovalDone(database, documentId);
  }
}

/**
 * Removes the files of documents that have just gone. Where the store fails, whoever deleted them does not wait for each
 * of them: a job does the rest, and goes on until it is done. Never rejects: the documents are gone.
 */
export async function removeFilesOf(context: Storage, documentIds: readonly number[]): Promise<void> {
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

/** What a crash has left of documents that went: the database says of their files since then that they are to go too. */
export async function removeFilesOfDeleted(context: Storage): Promise<void> {
  const removals = await findFileRemovals(context.database);
  await removeFilesOf(
    context,
    removals.map(({ document_id: id }) => id),
  );
}

async function removeLater({ database, log }: Storage, documentIds: readonly number[]): Promise<void> {
  const job = { kind: removeFilesJob, afterSeconds: againAfterSeconds };
  try {
    await database.write(async (writer) => {
      for (const subject of documentIds) await enqueue(writer, { ...job, subject });
    });
  } catch (error) {
    log.error({ err: error, documents: documentIds }, "Files stay until the next start");
  }
}
