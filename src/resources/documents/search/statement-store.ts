import { type RawBuilder, sql } from "kysely";
import { searchLimits } from "../../../contract/limits.ts";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { invalidCursor } from "../../../errors.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { PlannedQuery, SearchPlan, WordsPlan } from "../../../search/plan.ts";
import { besideAnyWord, conditionOf, requiredWords, weight } from "./condition-store.ts";
import {
  type FacetCounts,
  facetColumns,
  facetValues,
  facetedDocuments,
  facetsAmong,
  readFacetCounts,
} from "./facet-store.ts";
import type { Facet } from "./facets.ts";
import { type NoteCondition, isSearched } from "./page-store.ts";
import {
  type FoundDocument,
  type OrderedSearch,
  areSorted,
  beyondPosition,
  countBefore,
  effectiveOrdering,
  isPositionIn,
  orderOf,
  valueOf,
} from "./position-store.ts";
import {
  type Facts,
  type Read,
  countOfAll,
  findFacts,
  foundAmong,
  newestIds,
  pageInOrder,
} from "./scan-store.ts";
import {
  type ScoreTotals,
  factorsOf,
  hitsByWord,
  hitsOf,
  rankedIndex,
  readTotals,
  scoresByWord,
  totalsColumns,
  totalsOf,
} from "./score-store.ts";

/*
 * One statement answers a search. It counts the index rows that contain the query's words for each document. The query
 * is then a condition on these counts and on the document's columns, and the viewer's access is another. So NOT works
 * on both engines, and hidden documents and notes are neither counted nor weighed (score-store.ts).
 */

export interface DocumentSearch extends OrderedSearch {
  notes: NoteCondition;
  facets: readonly Facet[];
  /** Facets count the newest documents, up to this number. */
  maxFaceted?: number;
}

export interface FoundDocuments {
  total: number;
  documents: FoundDocument[];
  /** What the scores were computed from. Null in other orderings. */
  totals: ScoreTotals | null;
  /** Whether words of some documents are still to be counted, so that scores are rough. */
  isRough: boolean;
  facets: FacetCounts[];
}

/** Throws 404 if the cursor's position does not fit the ordering. */
export async function searchDocuments(
  database: Database,
  requested: DocumentSearch,
  timeLimitSeconds: number,
): Promise<FoundDocuments> {
  const { plan } = requested;
  const search = { ...requested, ordering: effectiveOrdering(requested) };
  if (search.after !== null && !isPositionIn(search.ordering, plan.words, search.after))
    throw invalidCursor();
  const { dialect } = database;
  const { ordering, facets, after, maxFaceted = searchLimits.facetedDocuments } = search;
  const facts = await findFacts(database, plan, search.viewer);
  if (plan.words.length === 0) return findWithoutWords(database, search, facts, timeLimitSeconds);
  const isScored = ordering.by === "score";
  const counting = sql.join([
    sql`(select count(*) from found) as total`,
    ...facetColumns(dialect, search.viewer, facets),
  ]);
  const counted = isScored
    ? sql`select ${counting}, ${totalsColumns(plan.words)} from totals`
    : sql`select ${counting}`;
  const hasFacets = facets.length > 0;
  const rowsOfAll = hasFacets ? await findEstimatedRows(database) : null;
  const readsOnce = rowsOfAll !== null && rowsOfAll <= rowsPerLookup * maxFaceted;
  const newest = sql`order by id desc limit ${sql.lit(maxFaceted)}`;
  const faceted = readsOnce
    ? foundAsFaceted(rowsOfAll <= maxFaceted ? null : newest)
    : facetedDocuments(dialect, facets, sql`select id from found ${newest}`);
  const values = readsOnce ? facetValues(dialect, facets) : [];
  const foundBy = (isReadOften: boolean): RawBuilder<unknown> =>
    foundDocuments(dialect, search, facts, { isReadOften, values });
  const order = orderOf(ordering);
  const rows = await database.queryWithTimeout<FoundDocument & Partial<Counted>>(
    sql`${foundBy(true)}, ${hasFacets ? sql`${faceted},` : sql``}
      page as materialized (${pageOfRanked(search)}), counted as materialized (${counted})
      select page.id, page.value, page.created_at, counted.*
      from page left join counted on page.id = (select min(id) from page) order by ${order}`,
    timeLimitSeconds,
  );
  const documents = rows.map(({ id, value, created_at }) => ({ id, value, created_at }));
  const row = rows.find(({ total }) => typeof total === "number") ?? (await count()) ?? { total: 0 };
  const totals = isScored ? (after?.totals ?? readTotals(plan.words, row)) : null;
  const isRough = isScored && facts.countedTo !== null;
  return { total: row.total ?? 0, documents, totals, isRough, facets: readFacetCounts(facets, row) };

  async function count(): Promise<Partial<Counted> | undefined> {
    const all = foundBy(isScored || hasFacets);
    const query = sql<Counted>`${all}${hasFacets ? sql`, ${faceted}` : sql``} ${counted}`;
    return (await database.queryWithTimeout(query, timeLimitSeconds))[0];
  }
}

/** PostgreSQL reads so many rows one after the other in the time of a look-up. */
const rowsPerLookup = 8;

/** About how many documents there are; null if that is unknown. */
async function findEstimatedRows({ dialect, prepared }: Database): Promise<number | null> {
  const query = dialect.estimatedRows("documents");
  if (query === null) return null;
  const [row] = await prepared.rows<{ rows: number }>("estimated documents", () => query, {});
  return row === undefined || row.rows < 0 ? null : row.rows;
}

/** `faceted`, if `found` has the values of facets: the first of this order, or all. */
function foundAsFaceted(first: RawBuilder<unknown> | null): RawBuilder<unknown> {
  return first === null
    ? sql`faceted as not materialized (select * from found)`
    : sql`faceted as materialized (select * from found ${first})`;
}

const pageOfRanked = ({ ordering, after, limit, offset }: DocumentSearch): RawBuilder<unknown> =>
  sql`select id, value, created_at from ranked ${beyondPosition(ordering, after)} order by ${orderOf(ordering)}
    limit ${sql.lit(limit)} offset ${sql.lit(offset)}`;

/** A query without words is counted separately: its page can be read in order, instead of sorting all results. */
async function findWithoutWords(
  database: Database,
  search: DocumentSearch,
  facts: Facts,
  timeLimitSeconds: number,
): Promise<FoundDocuments> {
  const { dialect } = database;
  const counted = await countWithoutWords(database, search, facts, timeLimitSeconds);
  const { total = 0 } = counted;
  const found = foundDocuments(dialect, search, facts, { isReadOften: false, values: [] });
  const page =
    (areSorted(search, total) ? null : pageInOrder(dialect, search)) ?? sql`${found} ${pageOfRanked(search)}`;
  const documents =
    total === 0 ? [] : await database.queryWithTimeout(sql<FoundDocument>`${page}`, timeLimitSeconds);
  return { total, documents, totals: null, isRough: false, facets: readFacetCounts(search.facets, counted) };
}

/** Facets may take most of the time, so they are of the newest documents alone if there are many. */
async function countWithoutWords(
  database: Database,
  search: DocumentSearch,
  facts: Facts,
  timeLimitSeconds: number,
): Promise<Partial<Counted>> {
  const { dialect } = database;
  const { viewer, plan, facets, maxFaceted = searchLimits.facetedDocuments } = search;
  const countBy = async (query: RawBuilder<Counted>): Promise<Counted> =>
    (await database.queryWithTimeout(query, timeLimitSeconds))[0] ?? { total: 0 };
  const all = matchingIds(dialect, search, facts);
  const newest =
    newestIds(dialect, search, maxFaceted) ??
    sql`select id from (${all}) as found order by id desc limit ${sql.lit(maxFaceted)}`;
  const faceted = facets.length === 0 ? null : await countBy(facetsAmong(dialect, viewer, facets, newest));
  if (faceted !== null && faceted.total < maxFaceted) return faceted;
  const counting =
    plan.query.kind === "everything"
      ? countOfAll(dialect, viewer)
      : sql<Counted>`select count(*) as total from (${all}) as found`;
  const total = countBefore(search);
  return { ...faceted, ...(total === null ? await countBy(counting) : { total }) };
}

/** The row also has the columns of {@link facetColumns}. */
interface Counted {
  [column: string]: unknown;
  total: number;
}

/** A query for the ids of all documents that match, as `id`, to use in a larger one. */
export async function matchingDocuments(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  plan: SearchPlan,
): Promise<RawBuilder<unknown>> {
  const facts = await findFacts(database, plan, viewer);
  return matchingIds(database.dialect, { viewer, notes, plan }, facts);
}

type Matching = Pick<DocumentSearch, "viewer" | "notes" | "plan">;

function matchingIds(dialect: Dialect, search: Matching, facts: Facts): RawBuilder<unknown> {
  // It has no other column, but says which documents an anonymous viewer may find.
  const index = search.viewer.kind === "anonymous" ? "documents_searched" : null;
  const ids = { columns: sql`documents.id`, joins: sql``, index, of: "id" } as const;
  const { hits, documents } = matchesOf(dialect, search, ids, facts);
  return hits === null ? documents : sql`with ${hits} ${documents}`;
}

/** With fewer words, a column of the hits for each of them is as fast. */
const manyWords = 6;

/** The conditions beside the words, if there is a row of the hits for each of them. Null if there is a column. */
function besideManyWords({ query, words }: SearchPlan): readonly PlannedQuery[] | null {
  return words.length >= manyWords ? besideAnyWord(query) : null;
}

/**
 * The documents that match and that the viewer may find, with these columns of them and of what is joined, and the
 * common table expressions that they are found in; null if there are no words.
 */
function matchesOf(
  dialect: Dialect,
  { viewer, notes, plan }: Matching,
  read: Read,
  { countedTo, extent }: Facts,
): { hits: RawBuilder<unknown> | null; documents: RawBuilder<unknown> } {
  const { query, words } = plan;
  const beside = besideManyWords(plan);
  const matches = conditionOf(dialect, viewer, beside === null ? query : { kind: "and", of: beside });
  const documents = foundAmong(dialect, { viewer, extent }, plan, matches, read);
  if (words.length === 0) return { hits: null, documents };
  const shownNotes = notes(dialect, viewer);
  const searched = ({ field }: WordsPlan): RawBuilder<unknown> => isSearched(field, shownNotes);
  // If no word is required, the search goes through all documents and looks each of them up in the hits.
  const forLookups = requiredWords(query) ? sql`` : dialect.materializedForLookups;
  const hits =
    beside === null
      ? sql`hits as ${forLookups} (${hitsOf(dialect, words, searched, countedTo)})`
      : sql`hits_by_word as materialized (${hitsByWord(dialect, words, searched, countedTo)}),
          hits as (select distinct document_id from hits_by_word)`;
  return { hits, documents };
}

interface FoundOptions {
  isReadOften: boolean;
  /** Further columns of the documents. */
  values: readonly RawBuilder<unknown>[];
}

/**
 * `found` has the documents that match, with what their sort keys are computed from. `ranked` has their sort keys.
 * `found` is stored if it is read more than once.
 */
function foundDocuments(
  dialect: Dialect,
  { viewer, notes, plan, ordering, after }: DocumentSearch,
  facts: Facts,
  { isReadOften, values }: FoundOptions,
): RawBuilder<unknown> {
  const { words } = plan;
  const areByWord = besideManyWords(plan) !== null;
  const isScored = ordering.by === "score";
  const columns = sql.join([
    sql`documents.id`,
    sql`documents.created_at`,
    ...(areByWord ? [] : words.map((_, index) => sql`${weight(index)} as ${sql.ref(`weight${index}`)}`)),
    ...(isScored ? [sql`cast(coalesce(document_lengths.words, 0) as double precision) as length`] : []),
    ...values,
  ]);
  const lengths = isScored
    ? sql`left join document_lengths on document_lengths.document_id = documents.id`
    : sql``;
  const of = values.length > 0 ? "document" : "position";
  const read = { columns, joins: lengths, index: rankedIndex(viewer, plan), of } as const;
  const { hits, documents } = matchesOf(dialect, { viewer, notes, plan }, read, facts);
  const totals = (): RawBuilder<unknown> =>
    sql`totals as materialized (${totalsOf(dialect, viewer, { words, areByWord }, after?.totals ?? null)}),
      factors as materialized (${factorsOf(words)}),`;
  const value = valueOf(ordering, words);
  // Otherwise SQLite would repeat the search each time that it counts the documents.
  return sql`with ${hits === null ? sql`` : sql`${hits},`}
    found as ${isReadOften ? sql`materialized` : sql``} (${documents}),
    ${isScored ? totals() : sql``}
    ranked as (${
      isScored && areByWord
        ? scoresByWord(words)
        : sql`select found.id, found.created_at, ${value.expression} as value from found ${value.join}`
    })`;
}
