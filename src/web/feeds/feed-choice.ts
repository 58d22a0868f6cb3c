import type { Database } from "../../database/database.ts";
import { listStart } from "../../http/request/cursor.ts";
import { readExpansion } from "../../http/request/expansion.ts";
import { Query } from "../../http/request/query.ts";
import { anonymous } from "../../http/request/viewer.ts";
import type { Addresses } from "../../http/text/addresses.ts";
import { type DocumentFilters, readFilters } from "../../resources/documents/list/filters.ts";
import { listDocumentRows } from "../../resources/documents/list/list-store.ts";
import { readOrdering } from "../../resources/documents/list/orderings.ts";
import { answerSearch } from "../../resources/documents/search/search-documents.ts";
import { type SearchRequest, readSearch } from "../../resources/documents/search/search-request.ts";
import { type DocumentRow, findVisibleDocuments } from "../../resources/documents/store.ts";
import { searchedNotes } from "../../resources/notes/of-documents.ts";

export const feedLength = 50;

const newestFirst = readOrdering("-created_at");
const parameters = ["organization", "project", "q", "user"];

/** Which of the public documents a feed has. */
export interface FeedChoice {
  /** The parameters that choose, as they end the feed's address. */
  query: string;
  /** The words of the search; empty without one. */
  words: string;
  search: SearchRequest | null;
  filters: DocumentFilters;
}

/** Reads the parameters of a feed; others are ignored. @throws {ApiError} 400 */
export function readFeedChoice(asked: Query): FeedChoice {
  let query = Query.parse("");
  for (const name of parameters) {
    const values = name === "q" ? [asked.last(name) ?? ""] : asked.list(name);
    if (values.some((value) => value.trim() !== "")) query = query.with(name, values.join(","));
  }
  const words = query.last("q") ?? "";
  const isSearch = words !== "";
  // Dates are descending in a search.
  const search = isSearch ? readSearch(query.with("sort", "created_at"), anonymous) : null;
  return {
    query: query.toString(),
    words,
    search: search && { ...search, perPage: feedLength, facets: [] },
    filters: isSearch ? {} : readFilters(query),
  };
}

/** The newest of the public documents, newest first. */
export async function newestOf(
  database: Database,
  { search, filters }: FeedChoice,
  addresses: Addresses,
): Promise<DocumentRow[]> {
  if (search === null) {
    const list = { filters, ordering: newestFirst, cursor: listStart, perPage: feedLength };
    return (await listDocumentRows(database, anonymous, list)).documents;
  }
  const { results } = await answerSearch(database, anonymous, search, addresses, {
    expansion: readExpansion(Query.parse(""), []),
    notes: searchedNotes(database),
  });
  const ids = results.map(({ id }) => Number(id));
  const rows = await findVisibleDocuments(database, anonymous, ids);
  return rows.toSorted((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id));
}
