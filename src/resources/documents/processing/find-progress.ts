import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { findProgress } from "./progress-store.ts";
import { findDocument } from "../store.ts";

/** How far a document has come, as the API shows it. */
export interface DocumentProgress {
  status: string;
  /** What is being done; null where nothing is. */
  step: string | null;
  pages_done: number | null;
  pages: number | null;
  /** When that was so. */
  at: string | null;
}

/** Null where there is no such document for this viewer. */
export async function findProgressOf(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<DocumentProgress | null> {
  const document = await findDocument(database, viewer, id);
  if (document === null) return null;
  const found = await findProgress(database, id);
  return {
    status: document.status,
    step: found?.step ?? null,
    pages_done: found?.done ?? null,
    pages: found?.total ?? null,
    at: found?.at ?? null,
  };
}
