import { type RawBuilder, sql } from "kysely";
import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { type Page, type Range, readPage } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { audiencesOf } from "../documents/access.ts";
import { namedAudiences } from "../documents/list/audience-store.ts";
import { removeRows } from "../../database/rows.ts";

/** A document in a project. */
export interface MembershipRow {
  /** The document's id. A project's documents are ordered by it. */
  id: number;
  edit_access: boolean | number;
}

export interface MembershipQuery {
  project: number;
  /** Ids of documents. Null for all. */
  documents: readonly number[] | null;
  descending: boolean;
}

/** One page of the documents in a project that the viewer may see. */
export async function listMemberships(
  database: Database,
  viewer: Viewer,
  query: MembershipQuery,
  { key, reverse, offset }: Cursor,
  limit: number,
): Promise<Page<MembershipRow>> {
  const { shape, ranges, values } = visibleMemberships(database.dialect, viewer, query);
  return readPage<MembershipRow>(database, {
    segments: [
      {
        shape,
        descending: query.descending,
        sql: () => ({
          select: sql`project_memberships.document_id as id, project_memberships.edit_access`,
          ranges: ranges(),
          value: null,
          id: sql.ref("project_memberships.document_id"),
        }),
      },
    ],
    position: key === null ? null : { segment: 0, key },
    reverse,
    offset,
    limit,
    values,
  });
}

export async function countMemberships(
  { dialect, prepared }: Database,
  viewer: Viewer,
  query: MembershipQuery,
): Promise<number> {
  const { shape, ranges, values } = visibleMemberships(dialect, viewer, query);
  const build = () => {
    const counts = ranges().map(
      ({ from, where }) => sql`(select count(*) from ${from} where ${sql.join(where, sql` and `)})`,
    );
    return sql`select ${sql.join(counts, sql` + `)} as count`;
  };
  const [found] = await prepared.rows<{ count: number }>(`count ${shape}`, build, values);
  return found?.count ?? 0;
}

/** Public documents are one index range. Each of the others is looked up among the viewer's audiences. */
function visibleMemberships(
  dialect: Dialect,
  viewer: Viewer,
  { project, documents }: MembershipQuery,
): { shape: string; ranges: () => Range[]; values: Record<string, unknown> } {
  const audiences = audiencesOf(viewer);
  const named = namedAudiences(dialect, audiences);
  const document = sql.ref("project_memberships.document_id");
  const ranges = (): Range[] => {
    const part = (isPublic: boolean, ...more: RawBuilder<unknown>[]): Range => ({
      from: sql`project_memberships`,
      where: [
        sql`project_memberships.project_id = ${parameter("project")}`,
        sql`project_memberships.is_public = ${sql.lit(isPublic)}`,
        ...(documents === null ? [] : [dialect.isAmong(document, parameter("documents"))]),
        ...more,
      ],
    });
    if (audiences.length === 0) return [part(true)];
    const isShown = sql`exists (select 1 from document_audiences
      where document_audiences.document_id = ${document} and ${named.idMatches()})`;
    return [part(true), part(false, isShown)];
  };
  return {
    shape: `memberships for ${viewer.kind}${documents === null ? "" : " among"}`,
    ranges,
    values: {
      project,
      documents: dialect.list(documents ?? []),
      ...named.values,
    },
  };
}

/** All documents of a project, without an access check, and whether each is shared with the project's collaborators. */
export async function findMemberships(writer: Writer, project: number): Promise<Map<number, boolean>> {
  const rows = await writer
    .selectFrom("project_memberships")
    .select(["document_id", "edit_access"])
    .where("project_id", "=", project)
    .execute();
  return new Map(rows.map(({ document_id, edit_access }) => [document_id, Boolean(edit_access)]));
}

export async function putMembership(
  writer: Writer,
  project_id: number,
  document_id: number,
  edit_access: boolean,
): Promise<void> {
  await writer
    .insertInto("project_memberships")
    .values({ project_id, document_id, edit_access })
    .onConflict((conflict) => conflict.columns(["document_id", "project_id"]).doUpdateSet({ edit_access }))
    .execute();
}

export async function deleteMembership(writer: Writer, project: number, document: number): Promise<void> {
  await removeRows(writer, "project_memberships", { project_id: project, document_id: document });
}
