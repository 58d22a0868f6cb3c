import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { GuestLinksTable } from "../../database/tables.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isAdministrator } from "../../http/resource-route.ts";
import { mayShare } from "../documents/access.ts";
import { accessFacts, findDocument } from "../documents/store.ts";
import { mayAdminister } from "../projects/access.ts";
import { findProject } from "../projects/list-store.ts";

type GuestLinkRow = Selectable<GuestLinksTable>;

/**
 * Its maker may see and revoke a guest link, and so may everyone who may share what it opens: its document, or its
 * project as an admin of it. Administrators may see and revoke every link, since a link may outlive what anybody knows
 * of it. A personal token does not give them this right.
 */
export async function mayRevoke(
  database: Database,
  viewer: SignedInViewer,
  { user_id, document_id, project_id }: Pick<GuestLinkRow, "user_id" | "document_id" | "project_id">,
): Promise<boolean> {
  if (user_id === viewer.id || isAdministrator(viewer)) return true;
  if (document_id !== null) return mayShareDocument(database, viewer, document_id);
  return project_id !== null && mayShareProject(database, viewer, project_id);
}

/** Whether the viewer sees the project and administers it. */
export async function mayShareProject(
  database: Database,
  viewer: SignedInViewer,
  id: number,
): Promise<boolean> {
  const project = await findProject(database, viewer, id);
  return project !== null && mayAdminister(viewer, project);
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
  { user_id, document_id }: Pick<GuestLinkRow, "user_id" | "document_id">,
): Promise<boolean> {
  if (user_id === viewer.id) return true;
  return document_id !== null && (await findDocument(database, viewer, document_id)) !== null;
}

/** The rule for a list: a condition on `guest_links`. The query parameter is `viewer`. */
export function isOwnRow(): RawBuilder<boolean> {
  return sql<boolean>`guest_links.user_id = ${parameter("viewer")}`;
}
