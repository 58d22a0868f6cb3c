import type { Config } from "../../../config.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import type { Timestamp } from "../../../database/tables.ts";
import { timestampAt } from "../../../jobs/clock.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { addHistory } from "../history-store.ts";
import { findHeld } from "../holds/held-documents.ts";
import { deleteDocument } from "../record/change-store.ts";
import { removeFilesOf } from "../record/remove-files.ts";
import { type ExpiredDocument, findExpired, lockExpired } from "./trash-store.ts";

/** The job that removes the documents whose days in the trash are over. */
export const emptyTrashJob = "empty the trash";

export const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** Documents that were deleted at this time or earlier cannot be brought back any more. */
export function expiryTime({ trashDays }: Pick<Config, "trashDays">): Timestamp {
  return timestampAt(Date.now() - trashDays * millisecondsOfDay);
}

/**
 * Removes a document that is in the trash, with everything that belongs to it. Returns the ids of the documents whose
 * files must be removed afterwards: its own, and those of what is part of it.
 */
export async function removeForGood(writer: Writer, id: number, userId: number | null): Promise<number[]> {
  const removed = await deleteDocument(writer, id);
  await addHistory(writer, [{ documentId: id, userId, action: "removed", changes: {} }]);
  return removed;
}

/** Removes all documents whose days in the trash are over, but for those under a hold. */
export async function emptyTrash(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  const { config, database } = context;
  const until = expiryTime(config);
  // One by one, because the texts of a long document are many rows.
  let last: ExpiredDocument | null = null;
  for (;;) {
    signal.throwIfAborted();
    last = await findExpired(database.reader, until, last);
    if (last === null) break;
    const { document_id: id } = last;
    const removed = await database.write(async (writer) => {
      if (!(await lockExpired(writer, database.dialect, id, until))) return [];
      return (await findHeld(writer, [id])).length > 0 ? [] : removeForGood(writer, id, null);
    });
    await removeFilesOf(context, removed);
  }
  await database.write((writer) => job.complete(writer));
}

/** Queues the job that empties the trash, if a document's days are over. */
export async function queueEmptying({
  config,
  database,
  jobs,
}: Pick<Context, "config" | "database" | "jobs">): Promise<void> {
  if ((await findExpired(database.reader, expiryTime(config))) === null) return;
  await database.write((writer) => enqueue(writer, { kind: emptyTrashJob, subject: 0 }));
  jobs.notify();
}
