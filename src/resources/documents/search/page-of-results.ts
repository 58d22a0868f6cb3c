import type { Database } from "../../../database/database.ts";
import { planSearch } from "../../../search/plan.ts";
import type { Query } from "../../../search/query-tree.ts";
import { type Passage, type Sorted, sortByMeaning, vectorOf } from "../embeddings/sort-by-meaning.ts";
import { findExcluding } from "./matching-store.ts";
import { type FoundDocument, type Position, sortedByMeaning } from "./position-store.ts";
import { type DocumentSearch, type FoundDocuments, searchDocuments } from "./statement-store.ts";

/*
 * A page of results. Where the settings name a model, the best results by their words are sorted again, by their ranks
 * and by those of their nearest passages. No other documents are found by that, so the count, the facets and the rights
 * are those of the words.
 *
 * The first page sorts. Its cursor has the others of the sorted documents in their order, and the position of the last
 * of them by its score, from which the walk goes on by scores. So it is exact while others write.
 */

/** The model's folder, and the query as a text. */
interface Sentence {
  model: string;
  text: string;
}

interface PageOfResults extends Pick<FoundDocuments, "total" | "isRough" | "facets"> {
  documents: readonly FoundDocument[];
  /** The nearest passages of the sorted documents. */
  passages: ReadonlyMap<number, Passage>;
  /** Where the next page begins, if there is one. */
  last: Omit<Position, "counted"> | null;
}

/** Finds a page. The limit of the search is the size of the page. Throws 404 if the cursor is of another search. */
export async function findPage(
  database: Database,
  search: DocumentSearch,
  {
    query,
    sentence,
    timeLimitSeconds,
  }: { query: Query; sentence: Sentence | null; timeLimitSeconds: number },
): Promise<PageOfResults> {
  const { after, offset, ordering, plan } = search;
  if (after !== null && after.ahead.length > 0)
    return continuePage(database, { ...search, after }, query, timeLimitSeconds);
  const isSorted =
    after === null &&
    offset < sortedByMeaning &&
    ordering.by === "score" &&
    plan.words.some(({ isLookedFor }) => isLookedFor);
  const vector = isSorted && sentence !== null ? await vectorOf(sentence.model, sentence.text) : null;
  if (vector === null) return pageByScore(database, search, timeLimitSeconds);
  const end = offset + search.limit;
  const limit = Math.max(sortedByMeaning, end) + 1;
  const found = await searchDocuments(database, { ...search, offset: 0, limit }, timeLimitSeconds);
  const best = found.documents.slice(0, sortedByMeaning);
  const sorted = await sortByMeaning(
    database,
    vector,
    best.map(({ id }) => id),
  );
  const all = [...inOrder(sorted, best), ...found.documents.slice(sortedByMeaning)];
  // By their scores, which the rest of the walk follows.
  const last = end <= best.length ? best.at(-1) : all[end - 1];
  return {
    ...found,
    documents: all.slice(offset, end),
    passages: passagesAmong(sorted),
    last:
      last === undefined || all.length <= end
        ? null
        : { ...last, totals: found.totals, ahead: sorted.slice(end).map(cursorEntry) },
  };
}

async function pageByScore(
  database: Database,
  search: DocumentSearch,
  timeLimitSeconds: number,
): Promise<PageOfResults> {
  const { limit } = search;
  const asked = { ...search, limit: limit + 1 };
  const found =
    (await findExcluding(database, asked, timeLimitSeconds)) ??
    (await searchDocuments(database, asked, timeLimitSeconds));
  const documents = found.documents.slice(0, limit);
  const last = found.documents.length > limit ? documents.at(-1) : undefined;
  return {
    ...found,
    documents,
    passages: new Map(),
    last: last === undefined ? null : { ...last, totals: found.totals, ahead: [] },
  };
}

/** The next of the sorted documents, those that still match, and then the documents after them by their scores. */
async function continuePage(
  database: Database,
  search: DocumentSearch & { after: Position },
  query: Query,
  timeLimitSeconds: number,
): Promise<PageOfResults> {
  const { limit, after } = search;
  const next = after.ahead.slice(0, limit).map(sortedOf);
  const later = after.ahead.slice(limit);
  const position = { ...after, ahead: [] };
  const room = limit - next.length;
  const rest = await searchDocuments(
    database,
    { ...search, after: position, limit: room + 1 },
    timeLimitSeconds,
  );
  const plan = await planSearch({ kind: "and", of: [query, { kind: "or", of: next.map(isDocument) }] });
  const among = { ...search, plan, after: null, offset: 0, limit: next.length, facets: [] };
  const { documents: matching } = await searchDocuments(database, among, timeLimitSeconds);
  const lastByScore = room === 0 ? position : rest.documents[room - 1];
  const isMore = later.length > 0 || rest.documents.length > room;
  const last = later.length > 0 ? position : lastByScore;
  return {
    ...rest,
    documents: [...inOrder(next, matching), ...rest.documents.slice(0, room)],
    passages: passagesAmong(next),
    last: !isMore || last === undefined ? null : { ...last, totals: after.totals, ahead: later },
  };
}

function isDocument({ id: value }: Sorted): Query {
  const bound = { value, isIncluded: true };
  return { kind: "range", field: "id", from: bound, to: bound };
}

function inOrder(sorted: readonly Sorted[], documents: readonly FoundDocument[]): FoundDocument[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return sorted.flatMap(({ id }) => byId.get(id) ?? []);
}

function passagesAmong(sorted: readonly Sorted[]): Map<number, Passage> {
  return new Map(sorted.flatMap(({ id, passage }) => (passage === null ? [] : [[id, passage] as const])));
}

function cursorEntry({ id, passage }: Sorted): Position["ahead"][number] {
  return passage === null ? [id] : [id, passage.page, passage.index];
}

function sortedOf([id, page, index]: Position["ahead"][number]): Sorted {
  return { id, passage: page === undefined || index === undefined ? null : { page, index } };
}
