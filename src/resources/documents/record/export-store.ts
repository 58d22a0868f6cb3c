import { type RawBuilder, sql } from "kysely";
import type { Database, Reader } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import { publicDocuments } from "../../document-states.ts";
import type { DocumentRow } from "../store.ts";

/**
 * The documents after an id, in ascending order, each with all of its projects and without an access check. Documents
 * with status `deleted` are left out, as in every list.
 */
export async function listAllDocuments(
  { dialect, prepared }: Database,
  afterId: number,
  limit: number,
): Promise<DocumentRow[]> {
  const build = () => {
    const projectId = sql.ref("project_memberships.project_id");
    return sql`select documents.*, (
          select ${dialect.joinedIds(projectId)} from project_memberships
          where project_memberships.document_id = documents.id
        ) as public_projects
        from documents where id > ${parameter("afterId")} and status <> 'deleted'
        order by id limit ${parameter("limit")}`;
  };
  return prepared.rows("all documents", build, { afterId, limit });
}

export async function countAllDocuments({ reader }: Database): Promise<number> {
  const { count } = await reader
    .selectFrom("documents")
    .select((table) => table.fn.countAll<number>().as("count"))
    .where("status", "<>", "deleted")
    .executeTakeFirstOrThrow();
  return count;
}

/** A selection of documents, which match all conditions that are set. */
export interface DocumentSelection {
  /** Documents of this user. */
  user: number | null;
  /** Documents in this project. */
  project: number | null;
  /** Documents that everyone may see, of which only the public projects are listed. */
  isPublic: boolean;
}

/** A document with all of its projects. */
export interface SelectedDocument extends DocumentRow {
  /** The SHA-1 and the extension of the file that arrived for it; null if none has. */
  received: string | null;
  received_extension: string | null;
  /** The comma-separated ids of the projects whose collaborators may edit it. */
  shared_projects: string | null;
}

/** The selected documents after an id, as {@link listAllDocuments} lists them. */
export async function listSelectedDocuments(
  reader: Reader,
  selection: DocumentSelection,
  afterId: number,
  limit: number,
): Promise<SelectedDocument[]> {
  const id = sql.ref("project_memberships.project_id");
  const isListed = selection.isPublic
    ? sql`and project_id in (select id from projects where private = false)`
    : sql``;
  const projects = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(select ${dialectOf(reader).joinedIds(id)} from project_memberships
      where project_memberships.document_id = documents.id ${isListed} ${condition})`;
  const { rows } = await sql<SelectedDocument>`select documents.*,
      ${projects(sql``)} as public_projects,
      ${projects(sql`and project_memberships.edit_access = true`)} as shared_projects,
      ${received("sha1")} as received, ${received("extension")} as received_extension
    from documents where id > ${afterId} and ${isSelected(selection)}
    order by id limit ${sql.lit(limit)}`.execute(reader);
  return rows;
}

function received(column: string): RawBuilder<unknown> {
  return sql`(select ${sql.ref(column)} from received_files where received_files.document_id = documents.id)`;
}

/**
 * The number of documents in the selection, and of others that would be in it if they were not deleted, or were public.
 */
export interface SelectionCounts {
  documents: number;
  deleted: number;
  hidden: number;
}

export async function countSelectedDocuments(
  reader: Reader,
  selection: DocumentSelection,
): Promise<SelectionCounts> {
  const { rows } = await sql<SelectionCounts>`select
      count(*) filter (where ${isSelected(selection)}) as documents,
      count(*) filter (where status = 'deleted') as deleted,
      count(*) filter (where status <> 'deleted' and not (${isSelected(selection)})) as hidden
    from documents where ${hasOwner(selection)}`.execute(reader);
  return rows[0] ?? { documents: 0, deleted: 0, hidden: 0 };
}

/**
 * The number of history entries of documents that are deleted: of those in the trash that would be in the selection,
 * and, if everything is selected, of those that are gone, whose owner and projects nobody knows any more.
 */
export async function countHistoryOfDeleted(reader: Reader, selection: DocumentSelection): Promise<number> {
  const isAll = selection.user === null && selection.project === null;
  const isGone = isAll ? sql`documents.id is null` : sql`1 = 0`;
  const { rows } = await sql<{ count: number }>`select count(*) as count from document_history
    left join documents on documents.id = document_history.document_id
    where ${isGone} or (documents.status = 'deleted' and ${hasOwner(selection)})`.execute(reader);
  return rows[0]?.count ?? 0;
}

/** The ids among these that are in the selection. */
export async function selectedIds(
  reader: Reader,
  selection: DocumentSelection,
  ids: readonly number[],
): Promise<Set<number>> {
  const dialect = dialectOf(reader);
  const { rows } = await sql<{ id: number }>`select id from documents
    where ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`)} and ${isSelected(selection)}`.execute(
    reader,
  );
  return new Set(rows.map(({ id }) => id));
}

function isSelected(selection: DocumentSelection): RawBuilder<unknown> {
  const isShown = selection.isPublic ? sql.raw(publicDocuments) : sql`documents.status <> 'deleted'`;
  return sql`${isShown} and ${hasOwner(selection)}`;
}

function hasOwner({ user, project }: Pick<DocumentSelection, "user" | "project">): RawBuilder<unknown> {
  const ofUser = user === null ? sql`1 = 1` : sql`documents.user_id = ${user}`;
  if (project === null) return ofUser;
  return sql`${ofUser} and exists (select 1 from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.project_id = ${project})`;
}
