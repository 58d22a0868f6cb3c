import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { type Page, type Range, type StretchSql, readPage } from "../../database/keyset.ts";
import { type Buildable, compilable, parameter } from "../../database/prepared-queries.ts";
import type { DocumentsTable } from "../../database/tables.ts";
import type { Cursor, CursorKey } from "../../http/cursor.ts";
import type { Neighbours } from "../../http/pagination.ts";
import { type Viewer, anonymous } from "../../http/viewer.ts";
import { mayView, visibleTo, withinView } from "./access.ts";
import type { DocumentFilters } from "./filters.ts";
import type { Ordering } from "./orderings.ts";

/** A document's row with the ids of the projects that show it to everyone, joined by commas. */
export type DocumentRow = Selectable<DocumentsTable> & { public_projects: string | null };

/** What a page needs to know of a document whose rendered record may be at hand. */
export interface ListedDocument extends CursorKey {
  revision: number;
}

export interface DocumentListQuery {
  filters: DocumentFilters;
  ordering: Ordering;
  cursor: Cursor;
  perPage: number;
}

/** One page of the documents that a viewer may see, and the cursors to the pages beside it. */
export async function listDocuments(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
): Promise<{ documents: ListedDocument[]; neighbours: Neighbours }> {
  const page = await readDocuments<ListedDocument>(database, viewer, query, narrowRow);
  return { documents: page.rows, neighbours: neighboursOf(page, query) };
}

/** The same page with whole rows, in one statement and so of one moment. */
export async function listDocumentRows(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
): Promise<{ documents: (DocumentRow & CursorKey)[]; neighbours: Neighbours }> {
  const whole = { name: "whole", select: () => wholeRow(database) };
  const page = await readDocuments<DocumentRow & CursorKey>(database, viewer, query, whole);
  return { documents: page.rows, neighbours: neighboursOf(page, query) };
}

/** The document, if this viewer may see it. */
export async function findListedDocument(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<ListedDocument | null> {
  type Found = ListedDocument & { access: string; status: string };
  const build = (): Buildable<Found> =>
    compilable(
      database.reader,
      sql`select id, revision, access, status from documents where id = ${parameter("id")}`,
    );
  const [found] = await database.prepared.rows<Found>("document", build, { id });
  return found !== undefined && mayView(viewer, found) ? found : null;
}

export async function findDocumentRows(database: Database, ids: readonly number[]): Promise<DocumentRow[]> {
  const build = (): Buildable<DocumentRow> => {
    const among = database.dialect.isAmong(sql.ref("documents.id"), parameter("ids"));
    return compilable(database.reader, sql`select ${wholeRow(database)} from documents where ${among}`);
  };
  return database.prepared.rows("documents", build, { ids: database.dialect.list(ids) });
}

/**
 * The first of the ids in a filter that names nothing this viewer may know of: a user without a document that
 * everyone may see, an organization that is not there, a project that is not public. Null when all are good.
 */
export async function findUnknownChoice(
  database: Database,
  { user = [], organization = [], project = [] }: DocumentFilters,
): Promise<{ parameter: string; id: number } | null> {
  for (const id of user) {
    const found = await database.reader
      .selectFrom("documents")
      .select("id")
      .where("user_id", "=", id)
      .where(visibleTo(anonymous, "documents"))
      .limit(1)
      .execute();
    if (found.length === 0) return { parameter: "user", id };
  }
  for (const id of organization) {
    const found = await database.reader
      .selectFrom("organizations")
      .select("id")
      .where("id", "=", id)
      .execute();
    if (found.length === 0) return { parameter: "organization", id };
  }
  for (const id of project) {
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

interface Selection {
  name: string;
  select: () => RawBuilder<unknown>;
}

const narrowRow: Selection = { name: "listed", select: () => sql`documents.id, documents.revision` };

function wholeRow({ dialect }: Database): RawBuilder<unknown> {
  const id = sql.ref("project_memberships.project_id");
  return sql`documents.*, (
    select ${dialect.joinedIds(id)} from project_memberships
    join projects on projects.id = project_memberships.project_id and projects.private = false
    where project_memberships.document_id = documents.id
  ) as public_projects`;
}

function readDocuments<Row>(
  database: Database,
  viewer: Viewer,
  { filters: asked, ordering, cursor, perPage }: DocumentListQuery,
  selection: Selection,
): Page<Row> | Promise<Page<Row>> {
  const filters = withinView(viewer, asked);
  if (filters === null || filters.ids?.length === 0) return { rows: [], before: false, after: false };
  const split = splitOf(ordering, filters);
  const conditions = conditionsOf(
    database,
    split === null ? filters : { ...filters, [split.name]: undefined },
  );
  const filtered = [
    split === null ? "" : `${split.name} ${split.ids.length}`,
    ...conditions.map(({ shape }) => shape),
  ];
  const stretches = stretchesOf(database, viewer, ordering, split, filters, conditions).map((stretch) => ({
    shape: [selection.name, stretch.shape, ...filtered].join("&"),
    descending: ordering.descending,
    sql: () => {
      const parts = stretch.sql();
      const value = parts.value === null ? sql`` : sql`, ${parts.value} as value`;
      return { ...parts, select: sql`${selection.select()}${value}` };
    },
  }));
  const { key } = cursor;
  const values = [
    ...conditions.map((condition) => condition.values),
    split?.ids.map((id, index) => ({ [`split${index}`]: id })),
  ];
  return readPage<Row>(database, {
    stretches,
    place: key === null ? null : { stretch: key.value === null && stretches.length > 1 ? 1 : 0, key },
    reverse: cursor.reverse,
    offset: cursor.offset,
    limit: perPage,
    values: Object.assign({ dataKey: dataKeyOf(ordering) }, ...values.flat()) as Record<string, unknown>,
  });
}

/** A filter whose values are each a range of an index in order of ids: a page merges the ranges. */
interface Split {
  name: "project" | "user" | "organization";
  ids: readonly number[];
}

const mostRanges = 20;

function splitOf({ by }: Ordering, filters: DocumentFilters): Split | null {
  if (!("column" in by) || by.column !== "id") return null;
  for (const name of ["project", "user", "organization"] as const) {
    const ids = [...new Set(filters[name])];
    if (ids.length > 0 && ids.length <= mostRanges) return { name, ids };
  }
  return null;
}

interface OrderedStretch {
  shape: string;
  sql: () => Omit<StretchSql, "select">;
}

/** The stretches of an ordering, each beginning with what the viewer may see: see keyset.ts. */
function stretchesOf(
  { dialect }: Database,
  viewer: Viewer,
  { by, descending }: Ordering,
  split: Split | null,
  filters: DocumentFilters,
  conditions: readonly Condition[],
): OrderedStretch[] {
  const others = (): RawBuilder<unknown>[] => [
    visibleTo(viewer, "documents"),
    ...conditions.map(({ where }) => where()),
  ];
  const documentsBy = (index: string): RawBuilder<unknown> =>
    sql`documents ${dialect.indexedBy(`documents_by_${index}`)}`;
  if (split !== null)
    return [{ shape: "id", sql: () => ({ ...splitRanges(dialect, viewer, split, others()), value: null }) }];
  if ("column" in by) {
    const { column } = by;
    const index = column === "id" ? narrowestIndex(filters) : column;
    const ranges = (): Range[] => [{ from: documentsBy(index), where: others() }];
    const value = (): RawBuilder<unknown> | null => (column === "id" ? null : sql.ref(`documents.${column}`));
    return [{ shape: column, sql: () => ({ ranges: ranges(), value: value(), id: dialect.listedId }) }];
  }
  const end = descending ? "highest" : "lowest";
  const ofKey = sql<boolean>`document_data.key = ${parameter("dataKey")}`;
  return [
    {
      shape: `${end} of key`,
      sql() {
        const id = sql.ref("document_data.document_id");
        const from = sql`document_data ${dialect.indexedBy(`document_data_by_${end}`)} ${dialect.documentOf(id)}`;
        const where = [visibleTo(viewer, "document_data"), ofKey, ...others()];
        const value = sql.ref(`document_data.${end}`);
        return { ranges: [{ from, where }], value, id };
      },
    },
    {
      shape: "without key",
      sql() {
        const without = sql`not exists (
          select 1 from document_data where ${ofKey} and document_data.document_id = documents.id)`;
        const ranges = [{ from: documentsBy("id"), where: [without, ...others()] }];
        return { ranges, value: null, id: dialect.listedId };
      },
    },
  ];
}

/** A range for each value of a filter, in order of ids. */
function splitRanges(
  dialect: Dialect,
  viewer: Viewer,
  { name, ids }: Split,
  others: RawBuilder<unknown>[],
): Pick<StretchSql, "ranges" | "id"> {
  const ofProject = name === "project";
  const table = ofProject ? "project_memberships" : "documents";
  const from = ofProject
    ? sql`project_memberships ${dialect.indexedBy("project_memberships_by_project")}
        ${dialect.documentOf(sql.ref("project_memberships.document_id"))}`
    : sql`documents ${dialect.indexedBy(`documents_by_${name}_id`)}`;
  const where = ofProject ? [visibleTo(viewer, "project_memberships"), ...others] : others;
  const ranges = ids.map((_, index) => ({
    from,
    where: [sql`${sql.ref(`${table}.${name}_id`)} = ${parameter(`split${index}`)}`, ...where],
  }));
  return { ranges, id: ofProject ? sql.ref("project_memberships.document_id") : dialect.listedId };
}

/** The index in order of ids that has the fewest rows to pass over. */
function narrowestIndex({ pageCount, status }: DocumentFilters): string {
  if (pageCount !== undefined) return "page_count";
  return status?.length === 1 ? "status" : "id";
}

function dataKeyOf({ by }: Ordering): string | null {
  return "dataKey" in by ? by.dataKey : null;
}

interface Condition {
  shape: string;
  where: () => RawBuilder<unknown>;
  values: Record<string, unknown>;
}

function conditionsOf(database: Database, filters: DocumentFilters): Condition[] {
  const { dialect } = database;
  const conditions: Condition[] = [];
  const compare = (name: string, column: string, operator: string, value: unknown): void => {
    if (value === undefined) return;
    const where = (): RawBuilder<unknown> => sql`${sql.ref(column)} ${sql.raw(operator)} ${parameter(name)}`;
    conditions.push({ shape: `${name}${operator}`, where, values: { [name]: value } });
  };
  const among = (name: string, column: string, ids: readonly number[] | undefined): void => {
    if (ids === undefined) return;
    if (ids.length === 1) return compare(name, column, "=", ids[0]);
    const where = (): RawBuilder<unknown> => dialect.isAmong(sql.ref(column), parameter(name));
    conditions.push({ shape: `${name} among`, where, values: { [name]: dialect.list(ids) } });
  };
  among("user", "documents.user_id", filters.user);
  among("organization", "documents.organization_id", filters.organization);
  among("ids", "documents.id", filters.ids);
  if (filters.project !== undefined) conditions.push(inProject(database, filters.project));
  compare("status", "documents.status", "=", filters.status?.[0]);
  compare("createdBefore", "documents.created_at", "<", filters.createdBefore);
  compare("createdAfter", "documents.created_at", ">", filters.createdAfter);
  compare("pageCount", "documents.page_count", "=", filters.pageCount);
  compare("pageCountBelow", "documents.page_count", "<", filters.pageCountBelow);
  compare("pageCountAbove", "documents.page_count", ">", filters.pageCountAbove);
  return conditions;
}

function inProject({ dialect }: Database, projects: readonly number[]): Condition {
  return {
    shape: "project among",
    where() {
      const among = dialect.isAmong(sql.ref("project_memberships.project_id"), parameter("project"));
      return sql`documents.id in (select document_id from project_memberships where ${among})`;
    },
    values: { project: dialect.list(projects) },
  };
}

function neighboursOf(page: Page<CursorKey>, { ordering, cursor }: DocumentListQuery): Neighbours {
  const at = (key: CursorKey, reverse: boolean): Cursor => ({
    reverse,
    offset: 0,
    ordering: ordering.name,
    key: { id: key.id, value: key.value ?? null },
  });
  const first = page.rows[0] ?? cursor.key;
  const last = page.rows.at(-1) ?? cursor.key;
  // An empty page was reached from a row that the page beside it must show again: the place just past that row.
  const past = page.rows.length > 0 ? 0 : ordering.descending ? -1 : 1;
  return {
    next: page.after && last !== null ? at({ ...last, id: last.id - past }, false) : null,
    previous: page.before && first !== null ? at({ ...first, id: first.id + past }, true) : null,
  };
}
