import { type Expression, type RawBuilder, type Selectable, sql } from "kysely";
import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { DocumentsTable } from "../../database/tables.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { type AccessFacts, kindOf, mayView, projectsOf, viewerValues } from "./access.ts";

/** All columns of a document, with the comma-separated ids of those of its projects that the viewer may know about. */
export type DocumentRow = Selectable<DocumentsTable> & ProjectColumns & { public_projects: string | null };

/** What a record is rendered from. */
export type RenderedRow = Omit<DocumentRow, "revision">;

/** A document's projects that concern the viewer. Absent if the viewer collaborates in no project. */
export interface ProjectColumns {
  /** Projects that the document is shared with and that the viewer collaborates in. */
  sharing_projects?: string | null;
  /** Private projects that the viewer collaborates in. */
  private_projects?: string | null;
}

/** The columns of {@link ProjectColumns}, preceded by a comma. `projects` lists the viewer's projects. */
export function projectColumns(
  dialect: Dialect,
  viewer: Viewer,
  projects: Expression<unknown> = parameter("viewerProjects"),
): RawBuilder<unknown> {
  if (kindOf(viewer) !== "collaborator") return sql``;
  const id = sql.ref("project_memberships.project_id");
  const ofViewer = sql`project_memberships.document_id = documents.id and ${dialect.isAmong(id, projects)}`;
  return sql`, (
      select ${dialect.joinedIds(id)} from project_memberships
      where ${ofViewer} and project_memberships.edit_access = true
    ) as sharing_projects, (
      select ${dialect.joinedIds(id)} from project_memberships
      join projects on projects.id = project_memberships.project_id and projects.private = true
      where ${ofViewer}
    ) as private_projects`;
}

/** Every column of {@link DocumentRow}. */
export function wholeRow(
  dialect: Dialect,
  viewer: Viewer,
  projects?: Expression<unknown>,
): RawBuilder<unknown> {
  const id = sql.ref("project_memberships.project_id");
  return sql`documents.*, (
    select ${dialect.joinedIds(id)} from project_memberships
    join projects on projects.id = project_memberships.project_id and projects.private = false
    where project_memberships.document_id = documents.id
  ) as public_projects${projectColumns(dialect, viewer, projects)}`;
}

export function accessFacts(
  row: Pick<DocumentRow, "id" | "access" | "status" | "user_id" | "organization_id" | "sharing_projects">,
): AccessFacts {
  const { id, access, status, user_id, organization_id } = row;
  return { id, access, status, user_id, organization_id, sharing: idsIn(row.sharing_projects) };
}

export function idsIn(joined: string | null | undefined): number[] {
  return (joined ?? "")
    .split(",")
    .filter((id) => id !== "")
    .map(Number);
}

/** The document, or null if it does not exist or the viewer may not see it. */
export async function findDocument(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<DocumentRow | null> {
  return (await findVisibleDocuments(database, viewer, [id]))[0] ?? null;
}

/** The documents among these that the viewer may see. */
export async function findVisibleDocuments(
  database: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  const rows = await findDocumentRows(database, viewer, ids);
  return rows.filter((row) => mayView(viewer, accessFacts(row)));
}

/** The documents that exist among these, without an access check. */
export async function findDocumentRows(
  database: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const { dialect, prepared } = database;
  const build = () => {
    const among = dialect.isAmong(sql.ref("documents.id"), parameter("ids"));
    return sql`select ${wholeRow(dialect, viewer)} from documents where ${among}`;
  };
  const values = { ids: dialect.list(ids), ...viewerValues(dialect, viewer) };
  return prepared.rows(`documents of ${kindOf(viewer)}`, build, values);
}

/**
 * Locks the documents among these that exist and returns them as this transaction sees them. No other transaction can
 * change them until this one ends. Rows are locked in order of their ids, so that two transactions cannot deadlock.
 */
export async function lockDocumentRows(
  writer: Writer,
  dialect: Dialect,
  viewer: Viewer,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const idMatches = dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`);
  await sql`select id from documents where ${idMatches} order by id ${dialect.forUpdate}`.execute(writer);
  const columns = wholeRow(dialect, viewer, sql`${projectsOf(dialect, viewer)}`);
  const { rows } = await sql<DocumentRow>`
    select ${columns} from documents where ${idMatches} order by documents.id`.execute(writer);
  return rows;
}

/** Locks the document against changes and deletion until the transaction ends. Returns whether it exists. */
export async function lockDocument(writer: Writer, { forUpdate }: Dialect, id: number): Promise<boolean> {
  const { rows } = await sql`select id from documents where id = ${id} ${forUpdate}`.execute(writer);
  return rows.length > 0;
}
