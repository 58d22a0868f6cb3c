import type { DocumentStatus } from "../../../contract/document.ts";
import type { DocumentProgress } from "../../../contract/work.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { findProgressAmong } from "./progress-store.ts";
import { findVisibleDocuments } from "../store.ts";

/** Null if the document does not exist or the viewer may not see it. */
export async function findProgressOf(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<DocumentProgress | null> {
  return (await findProgressOfAll(database, viewer, [id])).get(id) ?? null;
}

/** By document id. Contains only documents that exist and that the viewer may see. */
export async function findProgressOfAll(
  database: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Map<number, DocumentProgress>> {
  const visible = await findVisibleDocuments(database, viewer, ids);
  const found = await findProgressAmong(
    database,
    visible.map((row) => row.id),
  );
  return new Map(
    visible.map(({ id, status }) => {
      const { step = null, done = null, total = null, at = null } = found.get(id) ?? {};
      return [id, { status: status as DocumentStatus, step, pages_done: done, pages: total, at }];
    }),
  );
}
