import type { Context } from "../context.ts";
import type { ImportReport } from "../import/report.ts";
import { addHistory } from "../resources/documents/history-store.ts";
import { findHeld } from "../resources/documents/holds/held-documents.ts";
import { deleteDocument } from "../resources/documents/record/change-store.ts";
import { removeFilesOf } from "../resources/documents/record/remove-files.ts";
import {
  type Mirror,
  findGoneDocuments,
  forgetMirrored,
  isMirroredElsewhere,
} from "../resources/mirrors/store.ts";

/** Reports the documents that the other server no longer has, and deletes them if the options say so. */
export async function endWithGone(
  context: Pick<Context, "database" | "files" | "log">,
  mirror: Mirror,
  { deletes, report, signal }: { deletes: boolean; report: Pick<ImportReport, "note">; signal: AbortSignal },
): Promise<{ gone: number; deleted: number }> {
  const count = { gone: 0, deleted: 0 };
  for (let after = 0; ;) {
    const gone = await findGoneDocuments(context.database.reader, mirror, after);
    for (const { id, title } of gone) {
      signal.throwIfAborted();
      after = id;
      count.gone += 1;
      const isDeleted = deletes && (await deleteUnlessKept(context, mirror, id));
      if (isDeleted) count.deleted += 1;
      report.note(`Document ${id}, ${JSON.stringify(title)}, is gone there${isDeleted ? ": deleted" : ""}`);
    }
    if (gone.length === 0) return count;
  }
}

/** Deletes a document, unless another mirror has it or it is under a hold. */
async function deleteUnlessKept(
  context: Pick<Context, "database" | "files" | "log">,
  mirror: Mirror,
  id: number,
): Promise<boolean> {
  const isDeleted = await context.database.write(async (writer) => {
    if ((await findHeld(writer, [id])).length > 0) return false;
    const isKept = await isMirroredElsewhere(writer, mirror, id);
    if (isKept) await forgetMirrored(writer, mirror, id);
    else {
      await deleteDocument(writer, id);
      await addHistory(writer, [{ documentId: id, userId: null, action: "deleted", changes: {} }]);
    }
    return !isKept;
  });
  if (isDeleted) await removeFilesOf(context, [id]);
  return isDeleted;
}
