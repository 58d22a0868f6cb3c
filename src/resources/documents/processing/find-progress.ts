import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { findProgress } from "./progress-store.ts";
import { findDocument } from "../store.ts";

/** The progress of a document, as the API shows it. */
export interface DocumentProgress {
  status: string;
  /** The current step; null if none is running. */
  step: string | null;
  pages_done: number | null;
  pages: number | null;
  /** When this progress was recorded. */
  at: string | null;
}

/** Null if the document does not exist or the viewer may not see it. */
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
