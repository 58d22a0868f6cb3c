import { type RawBuilder, sql } from "kysely";
import { sortedColumns } from "../../../database/audiences/columns.ts";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import {
  type PlannedQuery,
  type SearchPlan,
  isFiltered,
  namesDocuments,
  ownerColumn,
  requiredOwner,
  requiredRange,
} from "../../../search/plan.ts";
import { audiencesOf, audiencesOfProjects, visibleByColumns } from "../access.ts";
import {
  type AudienceExtent,
  audiencesWithin,
  findAudienceExtent,
  maxAudiences,
} from "../list/audience-store.ts";
import {
  conditionOf,
  isAudience,
  isAudienceAmong,
  isListed,
  isListedInRanges,
  isOfWords,
  isShownTo,
  requiredWords,
  isBetween,
  mayReadFiltered,
} from "./condition-store.ts";
import { findCountedTo } from "./index-store.ts";
import { type OrderedSearch, beyondPosition, orderOf } from "./position-store.ts";

/*
 * What a search reads of documents. One that requires a word looks up those that have it. Any other goes through the
 * documents that the viewer may find, so it matters by which index: a page in order comes from the index of that order
 * and ends when it is full; the documents of one owner come from the owner's index; and counting reads an index alone
 * where it can. SQLite's planner has no statistics. Left alone it reads the index by status, finds everything in it,
 * looks up each document and sorts them all.
 */

/** `documents` with the index by which those that everyone may find are counted. */
export function listedDocuments(dialect: Dialect, viewer: Viewer, query: PlannedQuery): RawBuilder<unknown> {
  if (namesDocuments(query)) return sql`documents`;
  return sql`documents ${dialect.indexedBy(countedIndex(viewer, query))}`;
}

function countedIndex(viewer: Viewer, query: PlannedQuery): string {
  const column = ownerColumn(query) ?? requiredRange(query)?.field ?? null;
  if (column !== null) return `documents_by_${column}`;
  if (isFiltered(query)) return "documents_filtered";
  return viewer.kind === "anonymous" ? "documents_searched" : "documents_by_id";
}

/** The viewer's audiences whose documents can match. */
function matchingAudiences(viewer: Viewer, query: PlannedQuery): string[] {
  if (viewer.kind === "anonymous") return [];
  const [user, organization] = [requiredOwner(query, "user"), requiredOwner(query, "organization")];
  return audiencesWithin(viewer, {
    ...(user !== null && { user: [user] }),
    ...(organization !== null && { organization: [organization] }),
  });
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

/** The ids of the documents of some audiences, as `document_id`: at least all of those that match. */
export function ownDocuments(
  dialect: Dialect,
  audiences: readonly string[],
  query: PlannedQuery,
): RawBuilder<unknown> {
  const { index, condition } = narrowed(dialect, query, "user or range");
  return sql`select distinct document_id from document_audiences ${index ?? sql``}
    where ${isAudienceAmong(dialect, audiences)} ${condition}`;
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
      ? ownDocuments(dialect, audiences, everything)
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
  const audiences = matchingAudiences(viewer, query);
  if (typeof column !== "string" || !(column === "id" || column in sortedColumns)) return null;
  if (namesDocuments(query) || audiences.length > maxAudiences) return null;
  const condition = conditionOf(dialect, viewer, query);
  // Otherwise PostgreSQL's planner, without statistics, would find all that match in the other index and sort them.
  const matches = isFiltered(query) ? dialect.conditionOfIndex(sql<boolean>`(${condition})`) : condition;
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
  const own = narrowed(dialect, query, "user");
  const byColumn = column === "id" ? sql`` : dialect.indexedBy(`document_audiences_by_${column}`);
  const range = requiredRange(query);
  // Otherwise all rows before the range would be read, and their documents looked up.
  const inRange =
    range?.field === column
      ? sql`and ${isBetween(range, sql.ref(`document_audiences.${range.field}`))}`
      : sql``;
  const ofAudiences = audiences.map((audience) =>
    firstOf(
      sql`document_audiences ${own.index ?? byColumn} ${dialect.documentOf(sql.ref("document_audiences.document_id"))}`,
      "document_audiences.document_id",
      `document_audiences.${column === "id" ? "document_id" : column}`,
      sql`document_audiences.audience = ${audience} ${own.condition} ${inRange}`,
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
  const audiences = matchingAudiences(viewer, query);
  if (namesDocuments(query) || isFiltered(query) || audiences.length > maxAudiences) return null;
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

/** What is read before a statement is written. */
export interface Facts {
  /** It only grows until nothing is left to count, so an older one gives correct results too. */
  countedTo: number | null;
  /** How many documents that are not public the viewer may see, if the query is filtered. */
  extent: AudienceExtent;
}

export async function findFacts(
  database: Database,
  { query, words }: SearchPlan,
  viewer: Viewer,
): Promise<Facts> {
  return {
    countedTo: words.length === 0 ? null : await findCountedTo(database),
    extent: words.length === 0 && isFiltered(query) ? await findAudienceExtent(database, viewer) : "few",
  };
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
  { viewer, extent }: Pick<Facts, "extent"> & { viewer: Viewer },
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
  const isInOneIndex = words.length === 0 && isFiltered(query);
  // Few documents are looked up sooner than all that are not public are read in the index.
  const isByColumns = isInOneIndex && extent === "many" && viewer.kind === "user";
  const shown = isByColumns ? visibleByColumns(dialect, viewer) : listed;
  const audiences = isByColumns ? audiencesOfProjects(viewer) : matchingAudiences(viewer, query);
  // SQLite reads the range of the first of several conditions on a column.
  const ranges = isByColumns ? shown : isListedInRanges(viewer);
  const ofShown = isInOneIndex
    ? sql`select ${columns} from ${table} ${joins} where ${matches} and ${ranges} and ${mayReadFiltered}`
    : of(sql`${table} ${withHits}`, listed);
  if (audiences.length === 0) return ofShown;
  const own = sql`(${ownDocuments(dialect, audiences, query)}) as own`;
  const from = sql`${own} ${dialect.joinInOrder} documents on documents.id = own.document_id ${withHits}`;
  return sql`${ofShown} union all ${of(from, sql`not (${shown})`)}`;
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
