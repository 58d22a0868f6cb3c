import { bulkLimit } from "../../../contract/limits.ts";
import { type Condition, checkCondition } from "../../../http/request/entity-tag.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { invalidRequest, notFound, permissionDenied } from "../../../errors.ts";
import { listStart } from "../../../http/request/cursor.ts";
import { tooManyMessage } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { busyStatuses } from "../../document-states.ts";
import { mayShare, mayView } from "../access.ts";
import { findBusyDescendants, findRoots, hideDescendants } from "../families/family-store.ts";
import { deletionFollows } from "../families/refusals.ts";
import { setStatus } from "../file-facts-store.ts";
import { addHistory } from "../history-store.ts";
import { refuseHeld } from "../holds/held-documents.ts";
import type { DocumentFilters } from "../list/filters.ts";
import { listDocuments } from "../list/list-store.ts";
import { readOrdering } from "../list/orderings.ts";
import { cancelFileWork } from "../processing/file-work-store.ts";
import { endProgress } from "../processing/progress-store.ts";
import { cancelRewrite, hasRewrite, isBeingReplaced } from "../processing/rewrite-store.ts";
import { addReceipt } from "../receipt-store.ts";

import { deleteDocument } from "../record/change-store.ts";
import { removeFilesOf } from "../record/remove-files.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "../store.ts";
import { moveToTrash } from "./trash-store.ts";

/**
 * Deletes one document: moves it to the trash if it can be brought back, or else removes it and all that belongs to it.
 */
export async function deleteOne(
  context: Pick<Context, "config" | "database" | "files" | "jobs" | "log">,
  viewer: SignedInViewer,
  id: number,
  condition: Condition<DocumentRow>,
): Promise<void> {
  const gone = await context.database.write(async (writer) => {
    const [row] = await lockDocumentRows(writer, context.database.dialect, viewer, [id]);
    if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
    if (!mayShare(viewer, accessFacts(row))) throw permissionDenied();
    checkCondition(row, condition);
    const root = (await findRoots(writer, [id])).get(id);
    if (root !== undefined) throw deletionFollows(id, root);
    await refuseHeld(writer, [id]);
    return remove(context, writer, viewer, row);
  });
  await afterDeleting(context, gone);
}

/** Deletes all of the documents, or none. The list with these filters must show all of them. */
export async function deleteSeveral(
  context: Pick<Context, "config" | "database" | "files" | "jobs" | "log">,
  viewer: SignedInViewer,
  ids: readonly number[],
  filters: DocumentFilters,
): Promise<void> {
  if (ids.length > bulkLimit) throw invalidRequest(tooManyMessage);
  const list = { filters, ordering: readOrdering(undefined), cursor: listStart, perPage: bulkLimit };
  const { documents: listed } = await listDocuments(context.database, viewer, list);
  const gone = await context.database.write(async (writer) => {
    const rows = await lockDocumentRows(writer, context.database.dialect, viewer, ids);
    const isWhole = rows.length === ids.length && listed.length === ids.length;
    if (!isWhole || ids.length === 0 || !rows.every((row) => mayShare(viewer, accessFacts(row)))) {
      throw invalidRequest("Could not find all objects to delete");
    }
    const roots = await findRoots(writer, ids);
    for (const [id, root] of roots) if (!ids.includes(root)) throw deletionFollows(id, root);
    await refuseHeld(writer, ids);
    const removed: number[] = [];
    for (const row of rows)
      if (!roots.has(row.id)) removed.push(...(await remove(context, writer, viewer, row)));
    return removed;
  });
  await afterDeleting(context, gone);
}

/**
 * Removes a document that is part of no other, with all that is part of it. Returns the ids of documents that are gone
 * for good, so that their files must be removed.
 */
async function remove(
  { config }: Pick<Context, "config">,
  writer: Writer,
  viewer: SignedInViewer,
  row: DocumentRow,
): Promise<number[]> {
  const { id, title, access, status, user_id, organization_id } = row;
  // Without a file there is nothing to bring back. A file that a redaction is just replacing might be the old one.
  const isFinal = config.trashDays === 0 || status === "nofile" || (await isBeingReplaced(writer, id));
  let gone: number[] = [];
  if (isFinal) gone = await deleteDocument(writer, id);
  else {
    const statusAfter = await stopWork(writer, id);
    for (const descendant of await findBusyDescendants(writer, id, busyStatuses)) {
      const before = await stopWork(writer, descendant);
      if (before !== null) await setStatus(writer, descendant, { to: before });
    }
    await hideDescendants(writer, id);
    await moveToTrash(writer, row, { status: statusAfter ?? status, deletedBy: viewer.id });
  }
  const last = { title, access, status, user: user_id, organization: organization_id };
  const changes = Object.fromEntries(
    Object.entries(last).map(([name, value]) => [name, [value, null] as const]),
  );
  await addHistory(writer, [{ documentId: id, userId: viewer.id, action: "deleted", changes }]);
  return gone;
}

/**
 * Cancels all work on the document's file. If that was a redaction, a page modification or a replacement, returns the
 * status that the document has when such work is cancelled on request; otherwise null.
 */
async function stopWork(writer: Writer, id: number): Promise<string | null> {
  await cancelFileWork(writer, id);
  await endProgress(writer, id);
  if (!(await hasRewrite(writer, id))) return null;
  const { status, receipt } = await cancelRewrite(writer, id);
  await addReceipt(writer, { documentId: id, ...receipt });
  return status;
}

async function afterDeleting(
  context: Pick<Context, "database" | "files" | "jobs" | "log">,
  gone: readonly number[],
): Promise<void> {
  // Workers check for cancelled jobs when they are signalled.
  context.jobs.notify();
  await removeFilesOf(context, gone);
}
