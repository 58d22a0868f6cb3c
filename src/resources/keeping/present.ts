import type { HeldDocument, Hold } from "../../contract/keeping.ts";
import type { HoldRow } from "../documents/holds/hold-store.ts";
import type { HeldRow } from "./hold-store.ts";

/** `counts` has how many of its documents the viewer may see. */
export function presentHold(row: HoldRow, counts: ReadonlyMap<number, number>): Hold {
  return {
    id: row.id,
    name: row.name,
    reason: row.reason,
    organization: row.organization_id,
    project: row.project_id,
    query: row.query,
    count: counts.get(row.id) ?? 0,
    user: row.user_id,
    created_at: row.created_at,
    released_at: row.released_at,
    released_by: row.released_by,
  };
}

export function presentHeld({
  id,
  title,
  page_count,
  user_id,
  organization_id,
  access,
  status,
}: HeldRow): HeldDocument {
  return {
    document: id,
    title,
    pages: page_count,
    user: user_id,
    organization: organization_id,
    access,
    is_deleted: status === "deleted",
  };
}
