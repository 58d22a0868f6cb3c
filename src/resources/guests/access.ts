import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayShare } from "../documents/access.ts";
import { accessFacts, findDocument } from "../documents/store.ts";

/**
 * Its maker may see and revoke a guest link, and so may everyone who may share the document that it opens. Nobody else
 * sees those to projects and searches, not even administrators.
 */
export async function mayRevoke(
  database: Database,
  viewer: SignedInViewer,
  { user_id, document_id }: { user_id: number; document_id: number | null },
): Promise<boolean> {
  if (user_id === viewer.id) return true;
  return document_id !== null && (await mayShareDocument(database, viewer, document_id));
}

/** Whether the viewer sees the document and may share it. */
export async function mayShareDocument(
  database: Database,
  viewer: SignedInViewer,
  id: number,
): Promise<boolean> {
  const row = await findDocument(database, viewer, id);
  return row !== null && mayShare(viewer, accessFacts(row));
}

/** Whether a link opens nothing to the viewer that their account does not show them: to its maker, and its document. */
export async function seesAlready(
  database: Database,
  viewer: SignedInViewer,
  { user_id, document_id }: { user_id: number; document_id: number | null },
): Promise<boolean> {
  if (user_id === viewer.id) return true;
  return document_id !== null && (await findDocument(database, viewer, document_id)) !== null;
}

/** The rule for a list: a condition on `guest_links`. The query parameter is `viewer`. */
export function isOwnRow(): RawBuilder<boolean> {
  return sql<boolean>`guest_links.user_id = ${parameter("viewer")}`;
}
