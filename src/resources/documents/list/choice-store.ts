import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { findUnknownOrganization } from "../../users/list-store.ts";
import { visibleToAll } from "../access.ts";
import type { DocumentFilters } from "./filters.ts";

/**
 * The first id in a filter that this viewer may not know about, or null.
 *
 * - A user is known if they have a public document, or share an organization or a project with the viewer.
 * - An organization is known if the viewer may see a document of it, or finds it in the list of organizations.
 * - A project is known if it is public, or if the viewer collaborates in it.
 */
export async function findUnknownChoice(
  database: Database,
  viewer: Viewer,
  { user = [], organization = [], project = [] }: DocumentFilters,
): Promise<{ parameter: string; id: number } | null> {
  for (const id of new Set(user)) {
    if (!(await knowsUser(database, viewer, id))) return { parameter: "user", id };
  }
  const unknown = await findUnknownOrganization(database, viewer, organization);
  if (unknown !== undefined) return { parameter: "organization", id: unknown };
  const own = viewer.kind === "anonymous" ? null : viewer.projects;
  for (const id of new Set(project)) {
    if (own?.has(id) === true) continue;
    const found = await database.reader
      .selectFrom("projects")
      .select("id")
      .where("id", "=", id)
      .where("private", "=", false)
      .execute();
    if (found.length === 0) return { parameter: "project", id };
  }
  return null;
}

async function knowsUser({ dialect, prepared }: Database, viewer: Viewer, id: number): Promise<boolean> {
  if (viewer.kind === "user" && (viewer.id === id || viewer.isAdministrator)) return true;
  const build = () => {
    const hasPublished = sql`(select id from documents
      where user_id = ${parameter("id")} and ${visibleToAll(dialect, "documents")} limit 1) is not null`;
    const shares =
      viewer.kind === "anonymous"
        ? sql``
        : sql` or exists (
            select 1 from organization_members mine join organization_members theirs
            on theirs.organization_id = mine.organization_id
            where mine.user_id = ${parameter("viewer")} and theirs.user_id = ${parameter("id")}
          ) or exists (
            select 1 from project_collaborators mine join project_collaborators theirs
            on theirs.project_id = mine.project_id
            where mine.user_id = ${parameter("viewer")} and theirs.user_id = ${parameter("id")}
          )`;
    return sql`select 1 where ${hasPublished}${shares}`;
  };
  const values = { id, viewer: viewer.kind === "user" ? viewer.id : null };
  return (await prepared.rows(`knows user as ${viewer.kind}`, build, values)).length > 0;
}
