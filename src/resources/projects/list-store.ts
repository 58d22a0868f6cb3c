import { type Expression, type RawBuilder, sql } from "kysely";
import { Conditions, likeText } from "../../database/conditions.ts";
import type { Database } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { ProjectAccess, Viewer } from "../../http/request/viewer.ts";
import { isShownDocument, visibleTo } from "./access.ts";

/** A project with the access and the pin of the viewer for whom it was read. */
export interface ProjectRow {
  id: number;
  title: string;
  slug: string;
  description: string;
  private: boolean | number;
  user_id: number;
  created_at: string;
  updated_at: string;
  access: ProjectAccess | null;
  pinned: boolean | number;
}

export interface ProjectFilters {
  ids?: number[] | undefined;
  /** Ids of collaborators. */
  user?: number[] | undefined;
  document?: number[] | undefined;
  /** Text in the title or the description. */
  query?: string | undefined;
  pinned?: boolean | undefined;
  private?: boolean | undefined;
  isShared?: boolean | undefined;
  isOwn?: boolean | undefined;
  slug?: string | undefined;
  title?: string | undefined;
}

/** Null for an anonymous viewer, which matches no row. */
const idOf = (viewer: Viewer): number | null => (viewer.kind === "user" ? viewer.id : null);

/** `me` is the viewer's id. */
export function projectColumns(me: Expression<unknown>): RawBuilder<unknown> {
  return sql`projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id,
    projects.created_at, projects.updated_at,
    (select access from project_collaborators where project_id = projects.id and user_id = ${me}) as access,
    exists (select 1 from project_pins where project_id = projects.id and user_id = ${me}) as pinned`;
}

/** One page of the projects that a viewer may see. */
export async function listProjects(
  database: Database,
  viewer: Viewer,
  filters: ProjectFilters,
  cursor: Cursor,
  limit: number,
): Promise<Page<ProjectRow>> {
  return conditionsOf(database, viewer, filters)
    .with({ viewer: idOf(viewer) })
    .page(database, projectColumns(parameter("viewer")), cursor, limit);
}

function conditionsOf({ dialect }: Database, viewer: Viewer, filters: ProjectFilters): Conditions {
  const list = (ids: readonly number[] | undefined): unknown =>
    ids === undefined ? undefined : dialect.list(ids);
  const pattern = filters.query === undefined ? undefined : `%${likeText(filters.query)}%`;
  const conditions = new Conditions(dialect, "projects");
  const has = (column: string, text: Expression<unknown>) => conditions.holdsInAnyCase(column, text);
  conditions
    .always(`seen by ${viewer.kind}`, visibleTo(viewer))
    .among("id", filters.ids)
    .equals("slug", filters.slug)
    .equals("title", filters.title)
    .that("query", "query", pattern, (text) => sql`(${has("title", text)} or ${has("description", text)})`)
    .that("user", "users", list(filters.user), (idList) => {
      const idMatches = dialect.isAmong(sql.ref("user_id"), idList);
      return sql`projects.id in (select project_id from project_collaborators where ${idMatches})`;
    })
    .that("document", "documents", list(filters.document), (idList) => {
      const document = sql.ref("project_memberships.document_id");
      return sql`projects.id in (select project_id from project_memberships
        where ${dialect.isAmong(document, idList)} and ${isShownDocument(document)})`;
    });
  const me = parameter("viewer");
  if (filters.private !== undefined) {
    const isPrivate = sql.lit(filters.private);
    conditions.always(`private ${filters.private}`, sql`projects.private = ${isPrivate}`);
  }
  if (filters.pinned !== undefined) {
    const not = filters.pinned ? sql`` : sql`not`;
    const pins = sql`select project_id from project_pins where user_id = ${me}`;
    conditions.always(`pinned ${filters.pinned}`, sql`projects.id ${not} in (${pins})`);
  }
  if (viewer.kind === "anonymous") return conditions;
  if (filters.isOwn === true) conditions.always("own", sql`projects.user_id = ${me}`);
  if (filters.isShared === true) {
    const mine = sql`select project_id from project_collaborators where user_id = ${me}`;
    conditions.always("shared", sql`projects.user_id <> ${me} and projects.id in (${mine})`);
  }
  return conditions;
}

/** The projects that the viewer may see among those with these ids, by id. */
export async function findProjectsFor(
  { dialect, prepared }: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Map<number, ProjectRow>> {
  if (ids.length === 0) return new Map();
  const build = () => {
    const idMatches = dialect.isAmong(sql.ref("projects.id"), parameter("ids"));
    const columns = projectColumns(parameter("viewer"));
    return sql`select ${columns} from projects where ${idMatches} and ${visibleTo(viewer)}`;
  };
  const values = { ids: dialect.list(ids), viewer: idOf(viewer) };
  const rows = await prepared.rows<ProjectRow>(`projects seen by ${viewer.kind}`, build, values);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The project, or null if the viewer may not see it. */
export async function findProject(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<ProjectRow | null> {
  return (await findProjectsFor(database, viewer, [id])).get(id) ?? null;
}

/**
 * The project that an address names by its id and slug, in either order, if the viewer may see it. A slug may itself
 * begin or end with a number. The order in which the slug matches the project's slug therefore takes precedence, and
 * then the order with the id first.
 */
export async function findNamedProject(
  database: Database,
  viewer: Viewer,
  name: string,
): Promise<ProjectRow | null> {
  const [, front, behind = ""] = /^(\d{1,15})(?:-(.*))?$/s.exec(name) ?? [];
  const [, before = "", last] = /^(.*)-(\d{1,15})$/s.exec(name) ?? [];
  const named = [
    { id: front, slug: behind },
    { id: last, slug: before },
  ].flatMap(({ id, slug }) => (id === undefined ? [] : [{ id: Number(id), slug }]));
  const found = await findProjectsFor(
    database,
    viewer,
    named.map(({ id }) => id),
  );
  const exact = named.find(({ id, slug }) => found.get(id)?.slug === slug) ?? named[0];
  return exact === undefined ? null : (found.get(exact.id) ?? null);
}

/** The first of these documents that the viewer may not see. */
export async function findUnknownDocument(
  { dialect, prepared }: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<number | undefined> {
  if (ids.length === 0) return undefined;
  const build = () => {
    const idMatches = dialect.isAmong(sql.ref("listed.id"), parameter("ids"));
    const isShown = isShownDocument(sql.ref("listed.id"));
    return sql`select id from documents as listed where ${idMatches} and ${isShown}`;
  };
  const values = { ids: dialect.list(ids), viewer: idOf(viewer) };
  const visible = await prepared.rows<{ id: number }>("documents shown", build, values);
  return ids.find((id) => !visible.some((row) => row.id === id));
}
