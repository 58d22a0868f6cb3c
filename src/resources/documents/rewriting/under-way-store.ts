import type { RedactionUnderWay } from "../../../contract/work.ts";
import type { Database } from "../../../database/database.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayShare } from "../access.ts";
import { accessFacts, findVisibleDocuments } from "../store.ts";

/** The largest number of redactions in the list. */
const maxListed = 1000;

/** The redactions that wait or run and that the viewer has asked for, or that are of the viewer's documents. */
export async function findRedactionsUnderWay(
  database: Database,
  viewer: SignedInViewer,
): Promise<RedactionUnderWay[]> {
  const rows = await database.reader
    .selectFrom("document_rewrites")
    .innerJoin("documents", "documents.id", "document_rewrites.document_id")
    .leftJoin("document_progress", "document_progress.document_id", "documents.id")
    .leftJoin("redacted_copies", (join) =>
      join.onRef("redacted_copies.copy_id", "=", "documents.id").on("made_at", "is", null),
    )
    .select(["documents.id", "document_rewrites.user_id", "original_id", "step", "done", "total"])
    .where("kind", "=", "redact")
    .where((where) =>
      where.or([
        where("document_rewrites.user_id", "=", viewer.id),
        where("documents.user_id", "=", viewer.id),
      ]),
    )
    .orderBy("documents.id")
    .limit(maxListed)
    .execute();
  const ids = rows.flatMap(({ id, original_id }) => (original_id === null ? [id] : [id, original_id]));
  const found = await findVisibleDocuments(database, viewer, [...new Set(ids)]);
  const visible = new Map(found.map((row) => [row.id, row]));
  return rows.flatMap(({ id, user_id: user, original_id: original, step, done, total }) => {
    const document = visible.get(id);
    if (document === undefined) return [];
    return {
      id,
      title: document.title,
      original: original !== null && visible.has(original) ? original : null,
      user,
      status: step === null ? ("waiting" as const) : ("running" as const),
      pages_done: done,
      pages: total,
      can_cancel: mayShare(viewer, accessFacts(document)),
    };
  });
}
