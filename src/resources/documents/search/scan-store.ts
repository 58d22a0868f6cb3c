import { type RawBuilder, sql } from "kysely";
import { type SortedColumn, sortedColumns } from "../../../database/audiences/columns.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { PlannedQuery, SearchPlan } from "../../../search/plan.ts";
import { audiencesOf } from "../access.ts";
import { maxAudiences } from "../list/audience-store.ts";
import {
  conditionOf,
  isAudience,
  isListed,
  isOfWords,
  isShownTo,
  requiredWords,
  isBetween,
} from "./condition-store.ts";
import { type OrderedSearch, beyondPosition, orderOf } from "./position-store.ts";

/*
 * What a search reads of documents. One that requires a word looks up those that have it. Any other goes through the
 * documents that the viewer may find, so it matters by which index: a page in order comes from the index of that order
 * and ends when it is full; the documents of one owner come from the owner's index; and counting reads an index alone
 * where it can. SQLite's planner has no statistics. Left alone it reads the index by status, finds everything in it,
 * looks up each document and sorts them all.
 */

/** Whether the query names its documents, by ids, projects, branches or data. Each of them is looked up then. */
export function namesDocuments(query: PlannedQuery): boolean {
  switch (query.kind) {
    case "nothing":
      return true;
    case "range":
      return query.field === "id" || query.field === "project" || query.field === "parent";
    case "is":
    case "begins":
      return typeof query.field === "object" || query.field === "folder" || query.field === "container";
    case "and":
      return query.of.some(namesDocuments);
    case "or":
      return query.of.every(namesDocuments);
    case "not":
    case "has":
    case "everything":
    case "words":
      return false;
  }
}

/** The id that the query requires of this column; null if it requires none. */
function requiredOwner(query: PlannedQuery, field: "user" | "organization"): number | null {
  if (query.kind === "and") {
    for (const part of query.of) {
      const id = requiredOwner(part, field);
      if (id !== null) return id;
    }
  }
  if (query.kind !== "range" || query.field !== field || query.from === null) return null;
  const { from, to } = query;
  const isSingle = to !== null && from.value === to.value && from.isIncluded && to.isIncluded;
  return isSingle ? Number(from.value) : null;
}

const ownerColumns = ["user", "organization"] as const;

/** The column by which the documents of one owner are read. */
function ownerColumn(query: PlannedQuery): string | null {
  const owner = ownerColumns.find((field) => requiredOwner(query, field) !== null);
  return owner === undefined ? null : `${owner}_id`;
}

type Ranged = Extract<PlannedQuery, { kind: "range" }> & { field: SortedColumn };

/** A range of a column that the query requires. */
function requiredRange(query: PlannedQuery): Ranged | null {
  const parts = query.kind === "and" ? query.of : [query];
  const ranged = parts.find((part): part is Ranged => part.kind === "range" && part.field in sortedColumns);
  return ranged ?? null;
}

/** `documents` with the index by which those that everyone may find are counted. */
export function listedDocuments(dialect: Dialect, viewer: Viewer, query: PlannedQuery): RawBuilder<unknown> {
  if (namesDocuments(query)) return sql`documents`;
  const column = ownerColumn(query) ?? requiredRange(query)?.field ?? null;
  const whole = viewer.kind === "anonymous" ? "documents_searched" : "documents_by_id";
  return sql`documents ${dialect.indexedBy(column === null ? whole : `documents_by_${column}`)}`;
}

/**
 * Which rows of `document_audiences` can be of documents that match, and the index that has them together: those of a
 * user or, if the order of the rows does not matter, of a range.
 */
function narrowed(dialect: Dialect, query: PlannedQuery, by: "user" | "user or range") {
  const user = requiredOwner(query, "user");
  if (user !== null) {
    const index = dialect.indexedBy("document_audiences_by_user_id");
    return { index, condition: sql`and document_audiences.user_id = ${user}` };
  }
  const range = by === "user" ? null : requiredRange(query);
  if (range === null) return { index: null, condition: sql`` };
  const index = dialect.indexedBy(`document_audiences_by_${range.field}`);
  return { index, condition: sql`and ${isBetween(range, sql.ref(`document_audiences.${range.field}`))}` };
}

/** The ids of the other documents that the viewer may find, as `document_id`: at least all of those that match. */
export function ownDocuments(dialect: Dialect, viewer: Viewer, query: PlannedQuery): RawBuilder<unknown> {
  const { index, condition } = narrowed(dialect, query, "user or range");
  return sql`select distinct document_id from document_audiences ${index ?? sql``}
    where ${isAudience(dialect, viewer)} ${condition}`;
}

/** The number of all documents that the viewer may find, as one row with `total`. It looks no document up. */
export function countOfAll(dialect: Dialect, viewer: Viewer): RawBuilder<{ total: number }> {
  const everything = { kind: "everything" } as const;
  const listed = sql`(select count(*) from ${listedDocuments(dialect, viewer, everything)}
    where ${isListed(dialect, viewer)})`;
  if (viewer.kind === "anonymous") return sql`select ${listed} as total`;
  const audiences = audiencesOf(viewer);
  const ofAudiences = audiences.map(
    (audience) => sql`select document_id from document_audiences where audience = ${audience}`,
  );
  const own =
    audiences.length > maxAudiences
      ? ownDocuments(dialect, viewer, everything)
      : dialect.unionOf(ofAudiences);
  return sql`select ${listed} + (select count(*) from (${own}) as own) as total`;
}

/**
 * A page of the documents that match, as rows of `id`, `value` and `created_at`: the first of each index that has them
 * in this order. Null if there is no such index, or if another way finds them sooner.
 */
export function pageInOrder(
  dialect: Dialect,
  { viewer, plan: { query }, ordering, after, offset, limit }: OrderedSearch,
): RawBuilder<unknown> | null {
  const { by: column } = ordering;
  const audiences = audiencesOf(viewer);
  if (typeof column !== "string" || !(column === "id" || column in sortedColumns)) return null;
  if (namesDocuments(query) || audiences.length > maxAudiences) return null;
  const matches = conditionOf(dialect, viewer, query);
  const order = orderOf(ordering);
  const firstOf = (from: RawBuilder<unknown>, id: string, value: string, where: RawBuilder<unknown>) =>
    sql`select * from (select id, value, created_at from (
      select ${sql.ref(id)} as id, ${sql.ref(value)} as value, documents.created_at from ${from}
      where ${where} and ${matches}
    ) as ranked ${beyondPosition(ordering, after)} order by ${order} limit ${sql.lit(offset + limit)}) as first`;
  const listedIndex = dialect.indexedBy(`documents_by_${ownerColumn(query) ?? column}`);
  const listed = firstOf(
    sql`documents ${listedIndex}`,
    "documents.id",
    `documents.${column}`,
    isListed(dialect, viewer),
  );
  const { index, condition } = narrowed(dialect, query, "user");
  const byColumn = column === "id" ? sql`` : dialect.indexedBy(`document_audiences_by_${column}`);
  const range = requiredRange(query);
  // Otherwise all rows before the range would be read, and their documents looked up.
  const inRange =
    range?.field === column
      ? sql`and ${isBetween(range, sql.ref(`document_audiences.${range.field}`))}`
      : sql``;
  const ofAudiences = audiences.map((audience) =>
    firstOf(
      sql`document_audiences ${index ?? byColumn} ${dialect.documentOf(sql.ref("document_audiences.document_id"))}`,
      "document_audiences.document_id",
      `document_audiences.${column === "id" ? "document_id" : column}`,
      sql`document_audiences.audience = ${audience} ${condition} ${inRange}`,
    ),
  );
  // A document is in several audiences, and on the page once.
  return sql`select id, value, created_at from (${sql.join([listed, ...ofAudiences], sql` union `)}) as parts
    order by ${order} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`;
}

/**
 * The ids of the newest documents that match, up to a number, as `id`, in descending order. Null if another way finds
 * them sooner.
 */
export function newestIds(
  dialect: Dialect,
  { viewer, plan: { query } }: Pick<OrderedSearch, "viewer" | "plan">,
  max: number,
): RawBuilder<unknown> | null {
  const audiences = audiencesOf(viewer);
  if (namesDocuments(query) || audiences.length > maxAudiences) return null;
  const matches = conditionOf(dialect, viewer, query);
  const limit = sql`limit ${sql.lit(max)}`;
  const listed = sql`select documents.id from ${listedDocuments(dialect, viewer, query)}
    where ${isListed(dialect, viewer)} and ${matches} order by documents.id desc ${limit}`;
  if (viewer.kind === "anonymous") return listed;
  const { index, condition } = narrowed(dialect, query, "user");
  // A document of the index exists, so it is looked up only for what the query says about it.
  const document =
    query.kind === "everything" ? sql`` : dialect.documentOf(sql.ref("document_audiences.document_id"));
  const ofAudiences = audiences.map(
    (
      audience,
    ) => sql`select document_audiences.document_id from document_audiences ${index ?? sql``} ${document}
      where document_audiences.audience = ${audience} ${condition} and ${matches}
      order by document_audiences.document_id desc ${limit}`,
  );
  const parts = [listed, ...ofAudiences].map(
    (part, number) => sql`select * from (${part}) as ${sql.ref(`part${number}`)}`,
  );
  return sql`${sql.join(parts, sql` union `)} order by id desc ${limit}`;
}

/** What a search reads of each document. */
export interface Read {
  columns: RawBuilder<unknown>;
  joins: RawBuilder<unknown>;
  /** The index in which SQLite finds the documents of the hits. */
  index: string | null;
  /** What the columns are of the document: the id alone, no more than the id and `created_at`, or anything. */
  of: "id" | "position" | "document";
}

/** The documents that match and that the viewer may find, from the hits or, if no word is required, from all. */
export function foundAmong(
  dialect: Dialect,
  viewer: Viewer,
  { query, words }: SearchPlan,
  matches: RawBuilder<unknown>,
  read: Read,
): RawBuilder<unknown> {
  const { columns, joins, index } = read;
  const of = (from: RawBuilder<unknown>, where: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select ${columns} from ${from} ${joins} where ${where} and ${matches}`;
  const listed = isListed(dialect, viewer);
  if (requiredWords(query) && words.length > 0) {
    const areInIndexes = viewer.kind !== "anonymous" && isOfWords(query);
    if (areInIndexes && read.of === "id" && dialect.looksUpIds)
      return sql`select document_id as id from hits where ${isFindable(dialect, viewer)} and ${matches}`;
    const shown = viewer.kind === "anonymous" ? listed : sql`(${listed} or ${isShownTo(dialect, viewer)})`;
    return dialect.joinedTo(
      {
        subquery: { name: "hits", column: "document_id" },
        table: { name: "documents", column: "id", index },
      },
      (from, condition) => of(from, sql`${condition} and ${shown}`),
      areInIndexes && read.of !== "document" ? manyInIndexes(dialect, viewer, matches, read) : null,
    );
  }
  const withHits = words.length === 0 ? sql`` : sql`left join hits on hits.document_id = documents.id`;
  const table = words.length === 0 ? listedDocuments(dialect, viewer, query) : sql`documents`;
  if (viewer.kind !== "anonymous" && namesDocuments(query))
    return of(sql`${table} ${withHits}`, sql`(${listed} or ${isShownTo(dialect, viewer)})`);
  const ofAll = of(sql`${table} ${withHits}`, listed);
  if (viewer.kind === "anonymous") return ofAll;
  const own = sql`(${ownDocuments(dialect, viewer, query)}) as own`;
  const from = sql`${own} ${dialect.joinInOrder} documents on documents.id = own.document_id ${withHits}`;
  return sql`${ofAll} union all ${of(from, sql`not (${listed})`)}`;
}

/**
 * The documents of many hits that a signed-in viewer may find, for PostgreSQL: two indexes have the columns, one those
 * that all may find, and the other those of each audience. The table is far larger.
 */
function manyInIndexes(
  dialect: Dialect,
  viewer: Viewer,
  matches: RawBuilder<unknown>,
  { columns, joins }: Read,
): RawBuilder<unknown> {
  // The products rule out that each row is looked up.
  return sql`select ${columns} from hits join documents on documents.id * 1 = hits.document_id ${joins}
      where ${isListed(dialect, viewer)} and ${matches}
    union all select distinct ${columns}
      from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id
        cross join lateral (
          select document_audiences.document_id as id, document_audiences.created_at
        ) as documents ${joins}
      where ${isAudience(dialect, viewer)} and ${matches}`;
}

/** Whether the viewer may find the document of a hit, as two indexes say. */
function isFindable(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  return sql`(exists (select 1 from documents ${dialect.indexedBy("documents_by_id")}
      where documents.id = hits.document_id and ${isListed(dialect, viewer)})
    or exists (select 1 from document_audiences
      where document_audiences.document_id = hits.document_id and ${isAudience(dialect, viewer)}))`;
}
