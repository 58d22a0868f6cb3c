import { type RawBuilder, sql } from "kysely";
import type { Viewer } from "../../http/viewer.ts";
import type { DocumentFilters } from "./filters.ts";

/** The tables that say of each row whether everyone may see its document. */
type VisibleTable = "documents" | "document_data" | "project_memberships";

/** The statuses in which a public document is shown to everyone. */
const publicStatuses: readonly string[] = ["success", "readable"];

/** The rule for one row. */
export function mayView(_viewer: Viewer, document: { access: string; status: string }): boolean {
  return document.access === "public" && publicStatuses.includes(document.status);
}

/** The same rule for a list, as a condition that begins an index range of that table. */
export function visibleTo(_viewer: Viewer, table: VisibleTable): RawBuilder<boolean> {
  if (table !== "documents") return sql<boolean>`${sql.ref(`${table}.is_public`)} = true`;
  // Written as the indexes have it, which is how an engine knows that it may use them.
  return sql<boolean>`documents.access = 'public' and documents.status in ('success', 'readable')`;
}

/**
 * Takes out of the filters what the rule already says. Null when no document that this viewer may see can match,
 * which would otherwise be found out by looking at every one.
 */
export function withinView(_viewer: Viewer, filters: DocumentFilters): DocumentFilters | null {
  const { access, status, ...others } = filters;
  if (access !== undefined && !access.includes("public")) return null;
  if (status === undefined) return others;
  const visible = publicStatuses.filter((one) => status.includes(one));
  if (visible.length === 0) return null;
  return visible.length === publicStatuses.length ? others : { ...others, status: visible };
}
