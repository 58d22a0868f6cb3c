import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { invalidRequest, notFound, permissionDenied } from "../../../errors.ts";
import { documentFolder } from "../../../files/keys.ts";
import { listStart } from "../../../http/request/cursor.ts";
import { bulkLimit, tooManyMessage } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayShare, mayView } from "../access.ts";
import { type Condition, checkCondition } from "./change-documents.ts";
import { deleteDocument } from "./change-store.ts";
import type { DocumentFilters } from "../list/filters.ts";
import { addHistory } from "../history-store.ts";
import { listDocuments } from "../list/list-store.ts";
import { readOrdering } from "../list/orderings.ts";
import { removeFilesOf } from "./remove-files.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "../store.ts";

type Storage = Pick<Context, "database" | "files" | "log">;

/** Deletes one document and everything that belongs to it. */
export async function deleteOne(
  context: Storage,
  viewer: SignedInViewer,
  id: number,
  condition: Condition,
): Promise<void> {
  await context.database.write(async (writer) => {
    const [row] = await lockDocumentRows(writer, context.database.dialect, viewer, [id]);
    if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
    if (!mayShare(viewer, accessFacts(row))) throw permissionDenied();
    checkCondition(row, condition);
    await remove(writer, viewer, row);
  });
  await removeFilesOf(context, [id]);
}

/** Deletes all of the documents, or none. The list with these filters must show all of them. */
export async function deleteSeveral(
  context: Storage,
  viewer: SignedInViewer,
  ids: readonly number[],
  filters: DocumentFilters,
): Promise<void> {
  if (ids.length > bulkLimit) throw invalidRequest(tooManyMessage);
  const list = { filters, ordering: readOrdering(undefined), cursor: listStart, perPage: bulkLimit };
  const { documents: listed } = await listDocuments(context.database, viewer, list);
  await context.database.write(async (writer) => {
    const rows = await lockDocumentRows(writer, context.database.dialect, viewer, ids);
    const isWhole = rows.length === ids.length && listed.length === ids.length;
    if (!isWhole || ids.length === 0 || !rows.every((row) => mayShare(viewer, accessFacts(row)))) {
      throw invalidRequest("Could not find all objects to delete");
    }
    for (const row of rows) await remove(writer, viewer, row);
  });
  await removeFilesOf(context, ids);
}

async function remove(writer: Writer, viewer: SignedInViewer, row: DocumentRow): Promise<void> {
  const { id, title, access, status, user_id, organization_id } = row;
  await deleteDocument(writer, id, documentFolder(id));
  const last = { title, access, status, user: user_id, organization: organization_id };
  const changes = Object.fromEntries(
    Object.entries(last).map(([name, value]) => [name, [value, null] as const]),
  );
  await addHistory(writer, [{ documentId: id, userId: viewer.id, action: "deleted", changes }]);
}
