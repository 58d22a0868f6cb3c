import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../database/dialect.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { firstNotePart, partOfPage, sourcePart, titlePart } from "../../../search/parts.ts";
import type { SearchPlan, WordsPlan } from "../../../search/plan.ts";
import { countedWord, countsOf, partsWith } from "../../../search/text-index.ts";
import { unitsPerOccurrence } from "../../../search/word-counts.ts";
import { isAudience, isListed, isOfWords } from "./condition-store.ts";

/*
 * The order of results, BM25 with fields. The score of a document is the sum, over the words, of
 *
 *   boost · ln(1 + (N − n + ½) / (n + ½)) · f / (f + 1.5)
 *
 * where f is how often the document has the word: 3 for each time in the title or the source, 2 in the description, 1
 * in a note, and in the pages 1 / (0.25 + 0.75 · length / average length). The found documents have the average
 * length, and n of them have the word. N is the number of documents that the viewer can find. So hidden documents
 * change no score.
 *
 * `hits` has the sums of f, `found` the documents that match, and `totals` one row with what the score needs to know of
 * all of them. A walk by `next` carries the totals of its first page in its cursors, so that a document has the same
 * score on each page, whatever happens to others meanwhile.
 */

const fieldWeights = { title: 3, source: 3, description: 2, note: 1 };
/** The constants of BM25 that are usually called k1 and b. */
const saturation = 1.5;
const byLength = 0.75;

/** Scores are whole numbers of this part, because a later page compares them with the one in its cursor. */
const scoreUnit = 1e-6;

/**
 * A single sum for each word contains everything: its lower bits have the units (word-counts.ts) of the pages, and the
 * higher bits the weighted units of the fields. With a sum for each field, this step, which is most of a search, would
 * take twice as long.
 */
const pagesBits = 32;
const ofField = (weight: number): number => weight * 2 ** pagesBits;

/** The index that has all that the order needs of each document. Null if the search reads more of them. */
export function rankedIndex(viewer: Viewer, { query }: SearchPlan): string | null {
  return viewer.kind === "anonymous" && isOfWords(query) ? "documents_ranked" : null;
}

/** Rows of `document_id`, with a column `weight0`, … for each word. `isSearched` is the condition on its `parts`. */
export function hitsOf(
  dialect: Dialect,
  words: readonly WordsPlan[],
  isSearched: (word: WordsPlan) => RawBuilder<unknown>,
  countedTo: number | null,
): RawBuilder<unknown> {
  const sums = words.map((_, index) => {
    const ofWord =
      words.length === 1 ? sql`weight` : sql`case word when ${sql.lit(index)} then weight else 0 end`;
    return sql`cast(sum(${ofWord}) as bigint) as ${sql.ref(`weight${index}`)}`;
  });
  // The cast makes it an integer column that SQLite can look up with an index, which it does not see in an expression.
  return sql`select cast(document_id as bigint) as document_id, ${sql.join(sums)}
    from (${weightsOf(dialect, words, isSearched, countedTo)}) as rows group by document_id`;
}

/**
 * The same as rows of `document_id`, `word` and `weight`, the word being its index. With many words, it takes a quarter
 * of the time, since no column has to be computed for the words that a row does not have.
 */
export function hitsByWord(
  dialect: Dialect,
  words: readonly WordsPlan[],
  isSearched: (word: WordsPlan) => RawBuilder<unknown>,
  countedTo: number | null,
): RawBuilder<unknown> {
  return sql`select cast(document_id as bigint) as document_id, word, cast(sum(weight) as bigint) as weight
    from (${weightsOf(dialect, words, isSearched, countedTo)}) as rows group by document_id, word`;
}

/** Rows of `document_id`, `word` and `weight`, as many as there are. */
function weightsOf(
  dialect: Dialect,
  words: readonly WordsPlan[],
  isSearched: (word: WordsPlan) => RawBuilder<unknown>,
  countedTo: number | null,
): RawBuilder<unknown> {
  const weight = sql`units * case when part < ${sql.lit(partOfPage(0))} then
      case part when ${sql.lit(titlePart)} then ${sql.lit(ofField(fieldWeights.title))}
        when ${sql.lit(sourcePart)} then ${sql.lit(ofField(fieldWeights.source))}
        else ${sql.lit(ofField(fieldWeights.description))} end
    when part < ${sql.lit(firstNotePart)} then 1 else ${sql.lit(ofField(fieldWeights.note))} end`;
  const rows = words.map(
    (word, index) => sql`select document_id, ${sql.lit(index)} as word, ${weight} as weight
      from (${partsOrCounts(dialect, word, countedTo)}) as parts where ${isSearched(word)}`,
  );
  return sql.join(rows, sql` union all `);
}

/**
 * Rows of `document_id`, `part` and `units`: how often the part contains the words (word-counts.ts). They come from the
 * counts up to the document `countedTo` (null: all). In later documents, each page counts as one occurrence.
 */
function partsOrCounts(
  dialect: Dialect,
  words: Pick<WordsPlan, "field" | "wanted" | "stems">,
  countedTo: number | null,
): RawBuilder<unknown> {
  const parts = sql`select document_id, part, ${sql.lit(unitsPerOccurrence)} as units
    from (${partsWith(dialect, words, null)}) as holding`;
  const word = countedWord(words);
  if (word === null) return parts;
  const counts = countsOf(dialect, word, words.stems);
  if (countedTo === null) return counts;
  return sql`select document_id, part, units from (${counts}) as counts where document_id <= ${countedTo}
    union all select document_id, part, units from (${parts}) as later where document_id > ${countedTo}`;
}

/**
 * What scores depend on besides the document, as whole numbers: how many documents are found, the sum of their lengths,
 * and if several words are looked for, N and then n of each. N is not needed for a single word, whose n is the same for
 * all.
 */
export type ScoreTotals = readonly number[];

function namesOfTotals(words: readonly WordsPlan[]): string[] {
  const sought = words.flatMap(({ isLookedFor }, index) => (isLookedFor ? [`having${index}`] : []));
  return ["found", "length", ...(sought.length > 1 ? ["searched", ...sought] : [])];
}

/** Whether a client's totals are some that this search could have: a cursor may be of another search, or made up. */
export function areTotalsOf(words: readonly WordsPlan[], totals: ScoreTotals): boolean {
  const [found = 0, , searched = found, ...having] = totals;
  return (
    totals.length === namesOfTotals(words).length && found > 0 && having.every((number) => number <= searched)
  );
}

/** The columns of `totals`, for {@link readTotals}. */
export function totalsColumns(words: readonly WordsPlan[]): RawBuilder<unknown> {
  return sql.join(
    namesOfTotals(words).map((name) => sql`totals.${sql.ref(name)} as ${sql.ref(`total_${name}`)}`),
  );
}

export function readTotals(words: readonly WordsPlan[], row: Record<string, unknown>): ScoreTotals {
  return namesOfTotals(words).map((name) => Number(row[`total_${name}`]));
}

/** The row of `totals`: the given ones, or those of `found` and of the hits, which may be by word. */
export function totalsOf(
  dialect: Dialect,
  viewer: Viewer,
  { words, areByWord }: { words: readonly WordsPlan[]; areByWord: boolean },
  given: ScoreTotals | null,
): RawBuilder<unknown> {
  const names = namesOfTotals(words);
  if (given !== null) {
    return sql`select ${sql.join(names.map((name, index) => total(sql`${given[index] ?? 0}`, name)))}`;
  }
  const having = words.flatMap(({ isLookedFor }, index) => {
    const has = sql`case when ${sql.ref(`weight${index}`)} > 0 then 1 else 0 end`;
    const documents = areByWord ? sql`case word when ${sql.lit(index)} then documents else 0 end` : has;
    return isLookedFor ? [total(sql`coalesce(sum(${documents}), 0)`, `having${index}`)] : [];
  });
  const length = sql`coalesce(sum(length), 0)`;
  if (having.length < 2)
    return sql`select ${total(sql`count(*)`, "found")}, ${total(length, "length")} from found`;
  const ofWords = areByWord ? sql`` : sql`, ${sql.join(having)}`;
  const counted = sql`select count(*) as found, ${length} as length${ofWords} from found`;
  const byWord = sql`(select ${sql.join(having)} from (
    select word, count(*) as documents
    from hits_by_word join found on found.id = hits_by_word.document_id group by word
  ) as counts) as by_word`;
  // More documents than the limit may be found, and documents of a private project, which are not counted.
  const searched = sql`case when counted.found > searched.documents then counted.found else searched.documents end`;
  // Stored, because PostgreSQL would count them as often as they are read.
  return sql`with searched as materialized (select ${searchedDocuments(dialect, viewer)} as documents)
    select ${sql.join(names.map((name) => total(name === "searched" ? searched : sql.ref(name), name)))}
    from (${counted}) as counted ${areByWord ? sql`cross join ${byWord}` : sql``} cross join searched`;
}

function total(value: RawBuilder<unknown>, name: string): RawBuilder<unknown> {
  return sql`cast(${value} as double precision) as ${sql.ref(name)}`;
}

/** Documents are counted up to this number. A score hardly depends on more, and each takes 0.02 µs. */
const maxSearched = 20_000;

/** The number of documents that the viewer can find. */
function searchedDocuments(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  const limit = sql.lit(maxSearched);
  // SQLite's planner would read another index and look up each document.
  const index = viewer.kind === "anonymous" ? dialect.indexedBy("documents_searched") : sql``;
  const listed = sql`(select count(*) from (
    select 1 from documents ${index} where ${isListed(dialect, viewer)} limit ${limit}) as listed)`;
  if (viewer.kind === "anonymous") return listed;
  return sql`${listed} + (select count(*) from (select distinct document_id from document_audiences
    where ${isAudience(dialect, viewer)} limit ${limit}) as own)`;
}

/** One row with what is the same for all documents: the average length, and the rarity of each word. */
export function factorsOf(words: readonly WordsPlan[]): RawBuilder<unknown> {
  const sought = words.flatMap(({ boost, isLookedFor }, index) => (isLookedFor ? [{ boost, index }] : []));
  const rarities = sought.map(({ boost, index }) => {
    const having = sql.ref(`having${index}`);
    // Of a single word, it would change no order.
    const rarity = sought.length > 1 ? sql`ln(1 + (searched - ${having} + 0.5) / (${having} + 0.5))` : sql`1`;
    // PostgreSQL would take the boost for an integer, and refuse 2.5.
    const weight = sql`${sql.lit(1 / scoreUnit)} * cast(${boost} as double precision)`;
    return sql`${weight} * ${rarity} as ${sql.ref(`rarity${index}`)}`;
  });
  const length = sql`case when length > 0 then length / found else 1 end as length`;
  return sql`select ${sql.join([length, ...rarities])} from totals`;
}

/** The score of a document of `found`, by `factors`. */
export function scoreOf(words: readonly WordsPlan[]): RawBuilder<unknown> {
  const parts = words.flatMap(({ isLookedFor }, index) =>
    isLookedFor
      ? [sql`${sql.ref(`factors.rarity${index}`)} * ${saturated(sql.ref(`found.weight${index}`))}`]
      : [],
  );
  return sql`cast(floor(${sql.join(parts, sql` + `)}) as bigint)`;
}

/**
 * Rows of `id`, `created_at` and `value`, the score, from the hits by word. The query names `factors` once: for each
 * mention, SQLite plans all that it is made of again, which took a fifth of a second for fourteen words.
 */
export function scoresByWord(words: readonly WordsPlan[]): RawBuilder<unknown> {
  const rarities = words.map(
    (_, index) => sql`when ${sql.lit(index)} then ${sql.ref(`factors.rarity${index}`)}`,
  );
  const rarity = sql`case hits_by_word.word ${sql.join(rarities, sql` `)} end`;
  // Each summand is a whole number, so the sum does not depend on their order.
  const score = sql`cast(floor(${rarity} * ${saturated(sql.ref("hits_by_word.weight"))}) as bigint)`;
  return sql`select found.id, min(found.created_at) as created_at, cast(sum(${score}) as bigint) as value
    from hits_by_word join found on found.id = hits_by_word.document_id cross join factors
    group by found.id`;
}

function saturated(weight: RawBuilder<unknown>): RawBuilder<unknown> {
  const inPages = sql`(${weight} & ${sql.lit(ofField(1) - 1)})
    / (${sql.lit(1 - byLength)} + ${sql.lit(byLength)} * found.length / factors.length)`;
  const half = sql.lit(saturation * unitsPerOccurrence);
  return sql`(1 - ${half} / (${half} + (${weight} >> ${sql.lit(pagesBits)}) + ${inPages}))`;
}
