import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { WordCondition } from "../../../search/matches.ts";
import type { PlannedQuery, SearchPlan } from "../../../search/plan.ts";
import { partsWith } from "../../../search/text-index.ts";
import { conditionOf, hasWords, isListed, isShownTo, requiredWords } from "./condition-store.ts";
import { type NoteCondition, isSearched } from "./page-store.ts";
import { type FoundDocument, countBefore, effectiveOrdering, isPositionIn } from "./position-store.ts";
import { countOfAll, pageInOrder } from "./scan-store.ts";
import { type DocumentSearch, type FoundDocuments, matchingDocuments } from "./statement-store.ts";

/**
 * The ids of the documents that a search finds for a viewer: of all of them, or of some. The tree of the query and the
 * rights are those of the search itself; for some documents, only their parts of the index are read.
 *
 * @throws {TooSlowError}
 */
export async function findMatching(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  plan: SearchPlan,
  among: readonly number[] | null,
  timeLimitSeconds: number,
): Promise<number[]> {
  const query =
    among === null
      ? await matchingDocuments(database, viewer, notes, plan)
      : matchingAmong(database.dialect, plan, among, {
          viewer,
          notes: notes(database.dialect, viewer),
          isShown: sql`(${isListed(database.dialect, viewer)} or ${isShownTo(database.dialect, viewer)})`,
        });
  const rows = await database.queryWithTimeout(sql<{ id: number }>`${query}`, timeLimitSeconds);
  return rows.map(({ id }) => id);
}

/** A query for the ids of the documents among these that match a search, without access checks, also on notes. */
export function matchingOfAll(
  dialect: Dialect,
  plan: SearchPlan,
  among: readonly number[],
): RawBuilder<{ id: number }> {
  const everything = sql<boolean>`1 = 1`;
  return matchingAmong(dialect, plan, among, { viewer: null, notes: everything, isShown: everything });
}

/** What decides about a search besides its query. */
interface SearchRights {
  viewer: Viewer | null;
  /** The condition on the notes that are searched. */
  notes: RawBuilder<boolean>;
  isShown: RawBuilder<unknown>;
}

function matchingAmong(
  dialect: Dialect,
  { query, words }: SearchPlan,
  among: readonly number[],
  { viewer, notes, isShown }: SearchRights,
): RawBuilder<{ id: number }> {
  const weights = words.map((_, index) => {
    const ofWord = sql`case word when ${sql.lit(index)} then weight else 0 end`;
    return sql`cast(sum(${ofWord}) as bigint) as ${sql.ref(`weight${index}`)}`;
  });
  const rows = words.map(
    (condition, index) => sql`select document_id, ${sql.lit(index)} as word, 1 as weight
      from (${partsWith(dialect, condition, among)}) as parts where ${isSearched(condition.field, notes)}`,
  );
  const hits =
    words.length === 0
      ? sql``
      : sql`with hits as materialized (select cast(document_id as bigint) as document_id, ${sql.join(weights)}
          from (${sql.join(rows, sql` union all `)}) as rows group by document_id)`;
  const joined = words.length === 0 ? sql`` : sql`left join hits on hits.document_id = documents.id`;
  return sql`${hits} select documents.id from documents ${joined}
    where ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(among)}`)}
      and ${isShown}
      and ${conditionOf(dialect, viewer, query)}`;
}

/** How many documents {@link findExcluding} reads for each result that a page needs. */
const readPerResult = 4;

/** A page that needs more results than this is found in another way. */
const maxResults = 500;

/**
 * Finds what `searchDocuments` finds, for a search that only excludes words, such as `NOT water`. Most documents match
 * it, so it reads the page in order from those that match without the words, a few more than it needs, and looks the
 * words up in those alone. Null if the search is of another kind, or too few of the documents match.
 */
export async function findExcluding(
  database: Database,
  search: DocumentSearch,
  timeLimitSeconds: number,
): Promise<FoundDocuments | null> {
  const { viewer, notes, plan, after, offset, limit } = search;
  const end = offset + limit;
  if (!onlyExcludes(plan) || search.facets.length > 0 || end > maxResults) return null;
  const ordering = effectiveOrdering(search);
  if (after !== null && !isPositionIn(ordering, plan.words, after)) return null;
  const rest = { query: withoutWords(plan.query), words: [] };
  const asked = { ...search, plan: rest, ordering, offset: 0, limit: readPerResult * end };
  const inOrder = pageInOrder(database.dialect, asked);
  if (inOrder === null) return null;
  const read = await database.queryWithTimeout(sql<FoundDocument>`${inOrder}`, timeLimitSeconds);
  const ids = read.map(({ id }) => id);
  const matching = new Set(await findMatching(database, viewer, notes, plan, ids, timeLimitSeconds));
  const documents = read.filter(({ id }) => matching.has(id));
  const areAll = read.length < asked.limit;
  if (documents.length < end && !areAll) return null;
  const known = areAll && after === null ? documents.length : countBefore(search);
  const total = known ?? (await countExcluding(database, search, timeLimitSeconds));
  // Others may have written between two statements.
  const found = { total: Math.max(total, documents.length), totals: null, isRough: false, facets: [] };
  return { ...found, documents: documents.slice(offset, end) };
}

/** Counts what the words exclude, if that is all that the search says, or else the documents that match. */
async function countExcluding(
  database: Database,
  { viewer, notes, plan }: DocumentSearch,
  timeLimitSeconds: number,
): Promise<number> {
  const totalOf = async (query: RawBuilder<{ total: number }>): Promise<number> =>
    (await database.queryWithTimeout(query, timeLimitSeconds))[0]?.total ?? 0;
  const countOf = async (counted: SearchPlan): Promise<number> => {
    const matching = await matchingDocuments(database, viewer, notes, counted);
    return totalOf(sql`select count(*) as total from (${matching}) as found`);
  };
  const excluded: PlannedQuery = { kind: "not", of: plan.query };
  if (withoutWords(plan.query).kind !== "everything" || !requiredWords(excluded)) return countOf(plan);
  const all = await totalOf(countOfAll(database.dialect, viewer));
  return all - (await countOf({ ...plan, query: excluded }));
}

/** Whether the query excludes words and looks for none. Patterns are slow to look up in few documents. */
function onlyExcludes({ words }: SearchPlan): boolean {
  return words.length > 0 && words.every(({ isLookedFor, wanted }) => !isLookedFor && isPlain(wanted));
}

function isPlain(wanted: WordCondition): boolean {
  if ("pattern" in wanted) return false;
  return ("phrase" in wanted ? wanted.phrase : wanted.near).every((word) => "word" in word);
}

/** The conditions of a query that have no words. */
function withoutWords(query: PlannedQuery): PlannedQuery {
  const parts = query.kind === "and" ? query.of : [query];
  const rest = parts.filter((part) => !hasWords(part) && part.kind !== "everything");
  return rest.length === 0 ? { kind: "everything" } : { kind: "and", of: rest };
}
