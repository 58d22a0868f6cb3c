import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidRequest, notFound, permissionDenied } from "../../errors.ts";
import { documentFolder } from "../../files/keys.ts";
import { bulkLimit, tooManyMessage } from "../../http/fields.ts";
import type { SignedInViewer } from "../../http/viewer.ts";
import { mayShare, mayView } from "./access.ts";
import { type Condition, checkCondition } from "./change-documents.ts";
import { deleteDocument } from "./change-store.ts";
import { addHistory } from "./history-store.ts";
import { removeFilesOf } from "./remove-files.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "./row-store.ts";

type Storage = Pick<Context, "database" | "files" | "log">;

/** Deletes one document with all that there is of it. */
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

/** Deletes all of these or none. */
export async function deleteSeveral(
  context: Storage,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<void> {
  const different = [...new Set(ids)];
  if (different.length > bulkLimit) throw invalidRequest(tooManyMessage);
  await context.database.write(async (writer) => {
    const rows = await lockDocumentRows(writer, context.database.dialect, viewer, different);
    const isWhole =
      rows.length === different.length && rows.every((row) => mayShare(viewer, accessFacts(row)));
    if (!isWhole || ids.length === 0) throw invalidRequest("Could not find all objects to delete");
    for (const row of rows) await remove(writer, viewer, row);
  });
  await removeFilesOf(context, different);
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
