import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { Conditions } from "../../database/conditions.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type ProjectRow, projectColumns } from "./list-store.ts";

/** A project of somebody else in which the viewer collaborates. */
export interface SharedProjectRow extends ProjectRow {
  /** The id of the user who added the viewer; null if it is unknown. */
  added_by: number | null;
  /** Null if it is unknown. */
  added_at: string | null;
}

/** One page of the projects that others have shared with the viewer: those that `is_shared` finds. */
export async function listSharedProjects(
  database: Database,
  viewer: SignedInViewer,
  cursor: Cursor,
  limit: number,
): Promise<Page<SharedProjectRow>> {
  const me = parameter("viewer");
  const mine = sql`project_collaborators where project_id = projects.id and user_id = ${me}`;
  const columns = sql`${projectColumns(me)}, (select added_by from ${mine}) as added_by,
    (select added_at from ${mine}) as added_at`;
  return new Conditions(database.dialect, "projects")
    .always("of others", sql`projects.user_id <> ${me}`)
    .always(
      "shared",
      sql`projects.id in (select project_id from project_collaborators where user_id = ${me})`,
    )
    .with({ viewer: viewer.id })
    .page(database, columns, cursor, limit, { name: "shared" });
}
