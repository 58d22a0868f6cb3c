import { bulkLimit } from "../../../contract/limits.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { conflict, invalidRequest } from "../../../errors.ts";
import { tooManyMessage } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { busyStatuses } from "../../document-states.ts";
import { showDescendants } from "../families/family-store.ts";
import { type Changes, addHistory } from "../history-store.ts";
import { refuseHeld } from "../holds/held-documents.ts";
import { isFileInWork } from "../processing/file-work-store.ts";
import { start } from "../processing/start-processing.ts";
import type { Publisher } from "../record/publisher.ts";
import { removeFilesOf } from "../record/remove-files.ts";
import { expiryTime, removeForGood } from "./empty-trash.ts";
import { type DeletedDocument, lockDeleted, takeFromTrash, timeOfDatabase } from "./trash-store.ts";

/** Brings all of these documents back from the trash, or none, with everything that belongs to them. */
export async function restoreDocuments(
  context: Pick<Context, "config" | "database" | "jobs">,
  publisher: Publisher,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<void> {
  await context.database.write(async (writer) => {
    const documents = await lockWhole(context, writer, viewer, ids, "restore");
    const now = await timeOfDatabase(writer, context.database.dialect);
    for (const document of documents) await restore(writer, viewer, document, now);
  });
  context.jobs.notify();
  await publisher.heed();
}

/** Removes all of these documents, which are in the trash, for good, or none. */
export async function removeDocuments(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<void> {
  const removed = await context.database.write(async (writer) => {
    const gone: number[] = [];
    const documents = await lockWhole(context, writer, viewer, ids, "delete");
    await refuseHeld(writer, ids);
    for (const { row } of documents) gone.push(...(await removeForGood(writer, row.id, viewer.id)));
    return gone;
  });
  await removeFilesOf(context, removed);
}

async function lockWhole(
  { config, database }: Pick<Context, "config" | "database">,
  writer: Writer,
  viewer: SignedInViewer,
  ids: readonly number[],
  action: "restore" | "delete",
): Promise<DeletedDocument[]> {
  if (ids.length > bulkLimit) throw invalidRequest(tooManyMessage);
  const found = await lockDeleted(writer, database.dialect, viewer, ids, expiryTime(config));
  if (ids.length === 0 || found.length !== ids.length)
    throw invalidRequest(`Could not find all objects to ${action}`);
  return found;
}

async function restore(
  writer: Writer,
  viewer: SignedInViewer,
  { row: { id, user_id, publish_at }, status }: DeletedDocument,
  now: string,
): Promise<void> {
  // Its publication came due while it was deleted, and bringing it back must not publish it.
  const isOverdue = publish_at !== null && publish_at <= now;
  await takeFromTrash(writer, id, { status, publish_at: isOverdue ? null : publish_at });
  if (busyStatuses.includes(status)) await startAgain(writer, { id, user_id, status });
  for (const descendant of await showDescendants(writer, id, busyStatuses))
    await startAgain(writer, descendant);
  const changes: Changes = isOverdue ? { publish_at: [publish_at, null] } : {};
  await addHistory(writer, [{ documentId: id, userId: viewer.id, action: "restored", changes }]);
}

/** The work on its file was cancelled. A document that was readable stays so while it is read again. */
async function startAgain(
  writer: Writer,
  { id, user_id, status }: Pick<DeletedDocument["row"], "id" | "user_id" | "status">,
): Promise<void> {
  if (await isFileInWork(writer, { id, status: "deleted" }))
    throw conflict(`Document ${id} was being processed, and that has not ended yet. Try again in a moment.`);
  await start(writer, { id, user_id, status: status === "readable" ? "success" : status });
}
