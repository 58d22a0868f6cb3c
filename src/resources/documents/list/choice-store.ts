import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { type Buildable, compilable, parameter } from "../../../database/prepared-queries.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { findUnknownOrganization } from "../../users/list-store.ts";
import { visibleToAll } from "../access.ts";
import type { DocumentFilters } from "./filters.ts";

/**
 * The first of the ids in a filter that names nothing this viewer may know of: a user without a document that
 * everyone may see, unless they share an organization or a project; an organization whose documents only others may see, and that the viewer does not find in its
 * list either; a project that
 * is not public, unless they collaborate in it. Null when all are good.
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

async function knowsUser({ prepared, reader }: Database, viewer: Viewer, id: number): Promise<boolean> {
  if (viewer.kind === "user" && (viewer.id === id || viewer.isAdministrator)) return true;
  const build = (): Buildable<object> => {
    const hasPublished = sql`(select id from documents
      where user_id = ${parameter("id")} and ${visibleToAll("documents")} limit 1) is not null`;
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
    return compilable(reader, sql`select 1 where ${hasPublished}${shares}`);
  };
  const values = { id, viewer: viewer.kind === "user" ? viewer.id : null };
  return (await prepared.rows(`knows user as ${viewer.kind}`, build, values)).length > 0;
}
