import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { invalidCursor } from "../../../errors.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { descriptionPart, firstNotePart, partOfPage, sourcePart, titlePart } from "../../../search/parts.ts";
import type { SearchPlan, WordsPlan } from "../../../search/plan.ts";
import type { TextField } from "../../../search/query-tree.ts";
import { countedWord, countsOf, partsWith } from "../../../search/text-index.ts";
import { conditionOf, isAudience, isListed, isShownTo, requiredWords, weight } from "./condition-store.ts";
import { type FacetCounts, facetColumns, facetValues, readFacetCounts } from "./facet-store.ts";
import type { Facet } from "./facets.ts";
import { findCountedTo } from "./index-store.ts";
import type { SearchOrdering } from "./orderings.ts";
import { type MatchingPages, isInField } from "./page-store.ts";

/*
 * One statement answers a search. It counts the index rows that contain the query's words for each document. The query
 * is then a condition on these counts and on the document's columns, and the viewer's access is another. So NOT works
 * on both engines, and hidden documents and notes are neither counted nor weighed: the rarity of a word is computed
 * among the documents that are found.
 */

/** The condition for notes that a viewer may see, on `notes` and their `documents`. */
export type NoteCondition = (dialect: Dialect, viewer: Viewer) => RawBuilder<boolean>;

export interface DocumentSearch {
  viewer: Viewer;
  notes: NoteCondition;
  plan: SearchPlan;
  ordering: SearchOrdering;
  /** The position after which the results begin, in this ordering. Null for the start. */
  after: FoundDocument | null;
  /** The number of results to skip. */
  offset: number;
  limit: number;
  facets: readonly Facet[];
}

/** A document's position in the results. */
export interface FoundDocument {
  id: number;
  /** The sort key. Null if the document has none: it comes after all that do. */
  value: string | number | null;
  created_at: string;
}

export interface FoundDocuments {
  total: number;
  documents: FoundDocument[];
  facets: FacetCounts[];
}

/** Throws 404 if the cursor's position does not fit the ordering. */
export async function searchDocuments(
  database: Database,
  requested: DocumentSearch,
  timeLimitSeconds: number,
): Promise<FoundDocuments> {
  const search = { ...requested, ordering: effectiveOrdering(requested) };
  if (search.after !== null && !isPositionIn(search.ordering, search.after)) throw invalidCursor();
  const { dialect } = database;
  const { limit, offset, plan, ordering, facets } = search;
  // This value only grows until nothing is left to count, so an older one gives correct results too.
  const countedTo = plan.words.length === 0 ? null : await findCountedTo(database);
  const counting = sql.join([
    sql`(select count(*) from found) as total`,
    ...facetColumns(dialect, search.viewer, facets),
  ]);
  const page = sql`select id, value, created_at from ranked ${beyondPosition(search)} order by ${orderOf(ordering)}
    limit ${sql.lit(limit)} offset ${sql.lit(offset)}`;
  // A query without words is counted separately, so that it can read an index in order instead of sorting all results.
  const isOneQuery = plan.words.length > 0;
  const found = foundDocuments(dialect, search, { countedTo, isReadOften: isOneQuery });
  const rows = await database.queryWithTimeout(
    isOneQuery
      ? sql<FoundDocument & Partial<Counted>>`${found},
          page as materialized (${page}), counted as materialized (select ${counting})
          select page.id, page.value, page.created_at, counted.*
          from page left join counted on page.id = (select min(id) from page) order by ${orderOf(ordering)}`
      : sql<FoundDocument & Partial<Counted>>`${found} ${page}`,
    timeLimitSeconds,
  );
  const documents = rows.map(({ id, value, created_at }) => ({ id, value, created_at }));
  const counted = rows.find(({ total }) => typeof total === "number") ?? (await count());
  return { total: counted?.total ?? 0, documents, facets: readFacetCounts(facets, counted ?? {}) };

  async function count(): Promise<Partial<Counted> | undefined> {
    const all = foundDocuments(dialect, search, { countedTo, isReadOften: facets.length > 0 });
    const query = sql<Counted>`${all} select ${counting}`;
    return (await database.queryWithTimeout(query, timeLimitSeconds))[0];
  }
}

/** The row also has the columns of {@link facetColumns}. */
interface Counted {
  [column: string]: unknown;
  total: number;
}

/** Without words all scores are equal, and the newest documents come first. */
function effectiveOrdering({ ordering, plan }: DocumentSearch): SearchOrdering {
  const scoresAreEqual = ordering.by === "score" && !plan.words.some(({ isLookedFor }) => isLookedFor);
  return scoresAreEqual ? { ...ordering, by: "created_at" } : ordering;
}

/** A client may send a cursor of another ordering, and PostgreSQL does not compare text with numbers. */
function isPositionIn({ by }: SearchOrdering, { value }: FoundDocument): boolean {
  if (by === "score" || by === "id" || by === "page_count") return typeof value === "number";
  return typeof value === "string" || (value === null && typeof by === "object");
}

/** A query for the ids of all documents that match, as `id`, to use in a larger one. */
export async function matchingDocuments(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  plan: SearchPlan,
): Promise<RawBuilder<unknown>> {
  const countedTo = plan.words.length === 0 ? null : await findCountedTo(database);
  const ordering = { name: "-id", by: "id", isDescending: true } as const;
  const search = { viewer, notes, plan, ordering, after: null, offset: 0, limit: 0, facets: [] };
  const found = foundDocuments(database.dialect, search, { countedTo, isReadOften: false });
  return sql`${found} select id from found`;
}

/**
 * Some of the pages of a document, which the viewer may see, that contain the words of a search. None if the document
 * does not match the query as a whole.
 */
export async function findPagesWithin(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  { query, words }: SearchPlan,
  documentId: number,
  { offset, limit }: { offset: number; limit: number },
  timeLimitSeconds: number,
): Promise<MatchingPages> {
  if (!words.some(({ isLookedFor }) => isLookedFor)) return { total: 0, pages: [] };
  const { dialect } = database;
  const shownNotes = notes(dialect, viewer);
  // Each word has one column: its parts in one text, or for a word that is only excluded, any of them.
  const held = words.map(({ field, wanted, isLookedFor }, index) => {
    const found = isLookedFor ? dialect.concatenated(sql`cast(part as text)`, ",") : sql`min(part)`;
    return sql`(select ${found} from (${partsWith(dialect, wanted, [documentId])}) as parts
      where ${isSearched(field, shownNotes)}) as ${sql.ref(`parts${index}`)}`;
  });
  const weights = words.map(
    (_, index) =>
      sql`case when ${sql.ref(`parts${index}`)} is null then 0 else 1 end as ${sql.ref(`weight${index}`)}`,
  );
  const sought = words.flatMap(({ isLookedFor }, index) => (isLookedFor ? [sql.ref(`parts${index}`)] : []));
  const [found = {}] = await database.queryWithTimeout(
    sql<Record<string, string | null>>`with held as materialized (select ${sql.join(held)}),
      hits as (select ${sql.join(weights)} from held)
      select ${sql.join(sought)} from held
      where exists (
        select 1 from documents cross join hits
        where documents.id = ${documentId} and ${conditionOf(dialect, viewer, query)}
      )`,
    timeLimitSeconds,
  );
  const pages = await pagesAmong(Object.values(found));
  return { total: pages.length, pages: pages.slice(offset, offset + limit) };
}

/** The pages in some lists of parts, ascending and without repetitions. Yields to other requests between two lists. */
async function pagesAmong(lists: readonly (string | null)[]): Promise<number[]> {
  const isHeld: true[] = [];
  for (const [index, list] of lists.entries()) {
    if (index > 0) await setImmediate();
    for (const part of JSON.parse(`[${list ?? ""}]`) as number[]) {
      if (part >= partOfPage(0) && part < firstNotePart) isHeld[part - partOfPage(0)] = true;
    }
  }
  const pages: number[] = [];
  // Skips the pages that are in no list.
  isHeld.forEach((_, page) => pages.push(page));
  return pages;
}

/**
 * `found` has the documents with the weight of each word and the values of facets. `ranked` has their sort keys.
 * `found` is stored if it is read more than once.
 */
function foundDocuments(
  dialect: Dialect,
  { viewer, notes, plan, ordering, facets }: DocumentSearch,
  { countedTo, isReadOften }: { countedTo: number | null; isReadOften: boolean },
): RawBuilder<unknown> {
  const { query, words } = plan;
  const matches = conditionOf(dialect, viewer, query);
  const weights = words.map((_, index) => sql`${weight(index)} as ${sql.ref(`weight${index}`)}`);
  const columns = sql.join([
    sql`documents.id`,
    sql`documents.created_at`,
    ...weights,
    ...facetValues(dialect, facets),
  ]);
  const required = requiredWords(query);
  // If no word is required, the search goes through all documents and looks each of them up in the hits.
  const hits = sql`hits as ${required ? sql`` : dialect.materializedForLookups} (${hitsOf(dialect, words, notes(dialect, viewer), countedTo)})`;
  const shown = sql`(${isListed(dialect, viewer)} or ${isShownTo(dialect, viewer)})`;
  const value = valueOf(ordering, words);
  const of = (from: RawBuilder<unknown>, where: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select ${columns} from ${from} where ${where} and ${matches}`;
  const withHits = words.length === 0 ? sql`` : sql`left join hits on hits.document_id = documents.id`;
  const own = sql`(select distinct document_id from document_audiences where ${isAudience(dialect, viewer)})`;
  const found =
    required && words.length > 0
      ? dialect.joinedTo(
          { subquery: { name: "hits", column: "document_id" }, table: { name: "documents", column: "id" } },
          (from, condition) => of(from, sql`${condition} and ${shown}`),
        )
      : sql.join(
          [
            of(sql`documents ${withHits}`, isListed(dialect, viewer)),
            ...(viewer.kind === "anonymous"
              ? []
              : [
                  of(
                    sql`${own} as own ${dialect.joinInOrder} documents on documents.id = own.document_id ${withHits}`,
                    sql`not (${isListed(dialect, viewer)})`,
                  ),
                ]),
          ],
          sql` union all `,
        );
  // Otherwise SQLite would repeat the search each time that it counts the documents.
  return sql`with ${words.length === 0 ? sql`` : sql`${hits},`}
    found as ${isReadOften ? sql`materialized` : sql``} (${found}),
    ranked as (select found.id, found.created_at, ${value.expression} as value from found ${value.join})`;
}

/** The weight of a word in each field. In the pages, it grows with the number of matching pages, up to a limit. */
const fieldWeights = { title: 10, source: 10, description: 5, pages: 2.2, saturation: 1.2 };

/**
 * A single sum for each word contains everything: its lower bits count pages, and the higher bits have the weights of
 * the fields. With a sum for each field, this step, which is most of a search, would take twice as long.
 */
const pagesBits = 20;
const ofField = (counts: number): number => counts * 2 ** pagesBits;

function hitsOf(
  dialect: Dialect,
  words: readonly WordsPlan[],
  notes: RawBuilder<boolean>,
  countedTo: number | null,
): RawBuilder<unknown> {
  const counted = sql`case part when ${sql.lit(titlePart)} then ${sql.lit(ofField(fieldWeights.title))}
    when ${sql.lit(sourcePart)} then ${sql.lit(ofField(fieldWeights.source))}
    when ${sql.lit(descriptionPart)} then ${sql.lit(ofField(fieldWeights.description))}
    else pages end`;
  const rows = words.map(
    ({ field, wanted }, index) => sql`select document_id, ${sql.lit(index)} as word, ${counted} as counted
      from (${partsOrCounts(dialect, { field, wanted }, countedTo)}) as parts
      where ${isSearched(field, notes)}`,
  );
  const sums = words.map((_, index) => {
    const ofWord =
      words.length === 1 ? sql`counted` : sql`case word when ${sql.lit(index)} then counted else 0 end`;
    return sql`sum(${ofWord}) as ${sql.ref(`sum${index}`)}`;
  });
  const weights = words.map((_, index) => {
    const sum = sql.ref(`sum${index}`);
    const pages = sql`cast(${sum} & ${sql.lit(ofField(1) - 1)} as double precision)`;
    return sql`cast((${sum} >> ${sql.lit(pagesBits)})
      + ${sql.lit(fieldWeights.pages)} * ${pages} / (${pages} + ${sql.lit(fieldWeights.saturation)}) as double precision)
      as ${sql.ref(`weight${index}`)}`;
  });
  // The cast makes it an integer column that SQLite can look up with an index, which it does not see in an expression.
  return sql`select cast(document_id as bigint) as document_id, ${sql.join(weights)} from (
    select document_id, ${sql.join(sums)} from (${sql.join(rows, sql` union all `)}) as rows group by document_id
  ) as sums`;
}

/**
 * Rows of `document_id`, `part` and `pages`: the number of pages of the part that contain the words. They come from the
 * counts up to the document `countedTo` (null: all).
 */
function partsOrCounts(
  dialect: Dialect,
  words: Pick<WordsPlan, "field" | "wanted">,
  countedTo: number | null,
): RawBuilder<unknown> {
  const parts = sql`select document_id, part, 1 as pages from (${partsWith(dialect, words.wanted, null)}) as holding`;
  const word = countedWord(words);
  if (word === null) return parts;
  const counts = countsOf(dialect, word);
  if (countedTo === null) return counts;
  return sql`select document_id, part, pages from (${counts}) as counts where document_id <= ${countedTo}
    union all select document_id, part, pages from (${parts}) as later where document_id > ${countedTo}`;
}

/** The condition on `parts` for those that a word with this field is searched in. */
function isSearched(field: TextField | null, notes: RawBuilder<boolean>): RawBuilder<unknown> {
  if (field !== null) return isInField(field);
  return sql`(part < ${sql.lit(firstNotePart)} or exists (
    select 1 from notes join documents on documents.id = notes.document_id
    where notes.document_id = parts.document_id and notes.part = parts.part and ${notes}))`;
}

interface Value {
  expression: RawBuilder<unknown>;
  join: RawBuilder<unknown>;
}

/** The sort key. A score is an integer, because a later page compares it with the one in its cursor. */
function valueOf({ by, isDescending }: SearchOrdering, words: readonly WordsPlan[]): Value {
  const documents = sql`join documents on documents.id = found.id`;
  if (by === "id") return { expression: sql`found.id`, join: sql`` };
  if (by === "created_at") return { expression: sql`found.created_at`, join: sql`` };
  if (by === "score") return { expression: scoreOf(words), join: totalsOf(words) };
  if (typeof by === "string") return { expression: sql`${sql.ref(`documents.${by}`)}`, join: documents };
  const end = sql.ref(`document_data.${isDescending ? "highest" : "lowest"}`);
  const join = sql`left join document_data
    on document_data.document_id = found.id and document_data.key = ${by.data}`;
  return { expression: sql`${end}`, join };
}

/** A word weighs more the fewer of the found documents contain it. */
function scoreOf(words: readonly WordsPlan[]): RawBuilder<unknown> {
  const parts = words.flatMap(({ boost, isLookedFor }, index) =>
    isLookedFor
      ? [sql`${boost} * ${sql.ref(`found.weight${index}`)} * ${sql.ref(`totals.rarity${index}`)}`]
      : [],
  );
  if (parts.length === 0) return sql`0`;
  return sql`cast(floor(1000 * (${sql.join(parts, sql` + `)})) as bigint)`;
}

function totalsOf(words: readonly WordsPlan[]): RawBuilder<unknown> {
  const rarities = words.flatMap(({ isLookedFor }, index) => {
    if (!isLookedFor) return [];
    const holding = sql`sum(case when ${sql.ref(`weight${index}`)} > 0 then 1 else 0 end)`;
    return [
      sql`coalesce(ln(1 + cast(count(*) as double precision) / nullif(${holding}, 0)), 0.0)
        as ${sql.ref(`rarity${index}`)}`,
    ];
  });
  return rarities.length === 0 ? sql`` : sql`cross join (select ${sql.join(rarities)} from found) as totals`;
}

function orderOf({ by, isDescending }: SearchOrdering): RawBuilder<unknown> {
  const direction = isDescending ? sql`desc` : sql`asc`;
  if (by === "id") return sql`id ${direction}`;
  const newest = by === "score" ? sql`created_at desc,` : sql``;
  const missing = typeof by === "object" ? sql`value is null,` : sql``;
  return sql`${missing} value ${direction}, ${newest} id desc`;
}

/** The condition for results after a position. */
function beyondPosition({ after, ordering: { by, isDescending } }: DocumentSearch): RawBuilder<unknown> {
  if (after === null) return sql``;
  const { id, value, created_at } = after;
  const beyond = isDescending ? sql`<` : sql`>`;
  if (by === "id") return sql`where id ${beyond} ${id}`;
  const tied =
    by === "score"
      ? sql`(created_at < ${created_at} or (created_at = ${created_at} and id < ${id}))`
      : sql`id < ${id}`;
  if (value === null) return sql`where value is null and ${tied}`;
  return sql`where value is null or value ${beyond} ${value} or (value = ${value} and ${tied})`;
}
