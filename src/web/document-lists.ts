import type { FastifyRequest } from "fastify";
import { pageLimits } from "../contract/limits.ts";
import type { Context } from "../context.ts";
import { readingAnywhere } from "../database/prepared-queries.ts";
import type { FoundDocument } from "../contract/search.ts";
import { queryOf } from "../http/browsable/view.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import { readExpansion } from "../http/request/expansion.ts";
import { pageLinks } from "../http/request/pagination.ts";
import type { Query } from "../http/request/query.ts";
import { addressesOf } from "../http/text/addresses.ts";
import type { DocumentFilters } from "../resources/documents/list/filters.ts";
import { foldCopies } from "../resources/documents/comparing/folded-copies.ts";
import { listDocumentRows } from "../resources/documents/list/list-store.ts";
import { readCursor, readOrdering } from "../resources/documents/list/orderings.ts";
import type { Facet } from "../resources/documents/search/facets.ts";
import { answerSearch } from "../resources/documents/search/search-documents.ts";
import {
  type SearchRequest,
  encodeSearchCursor,
  readSearch,
} from "../resources/documents/search/search-request.ts";
import { searchedNotes } from "../resources/notes/of-documents.ts";
import { findOrganizationNames } from "../resources/organizations/store.ts";
import { type ListedDocument, listedDocument, listedResult } from "./document-rows.ts";
import { readingAddress } from "./documents.ts";
import { facetViews, facetsOfAll, facetsOfPage } from "./search-facets.ts";
import { searchedBranch } from "./searching/branch-of-search.ts";
import type { FoundPage, FoundView, ListPageView, QueryReading } from "./search-page.ts";

const newestFirst = readOrdering("-created_at");
/** What is in a container was added in its order. */
const inOrder = readOrdering("id");

/** One page of a list of documents, with the addresses of its neighbours; null at the ends of the list. */
export interface ListedPage {
  documents: readonly ListedDocument[];
  previous: string | null;
  next: string | null;
}

/**
 * One page of a list of documents: those that are part of no other, newest first, or those in the container that the
 * filters name. `path` is that of the web page, and `query` its parameters.
 */
export async function listedPage(
  { config, database }: Pick<Context, "config" | "database">,
  request: FastifyRequest,
  {
    path,
    query,
    filters,
    perPage = pageLimits.usual,
  }: { path: string; query: Query; filters: DocumentFilters; perPage?: number },
): Promise<ListedPage> {
  const ordering = filters.parent === undefined ? newestFirst : inOrder;
  const cursor = readCursor(query.last("cursor"), ordering);
  const list = {
    filters: { parent: "none", ...filters } as const,
    ordering,
    cursor,
    perPage,
  };
  const { documents, neighbours } = await readingAnywhere(database, () =>
    listDocumentRows(database, request.viewer, list),
  );
  const organizations = await findOrganizationNames(
    database,
    documents.map((row) => row.organization_id),
  );
  const addresses = addressesOf(config, request);
  const { home } = request.server.site;
  return {
    documents: documents.map((row) => listedDocument(row, addresses, { home, organizations })),
    ...pageLinks(`${addresses.web}${path}`, query, neighbours),
  };
}

/**
 * What the page of documents shows: all that the visitor may see, page by page as the list of the API has them, or what
 * a search finds. `path` is that of the web page.
 */
export async function documentsPage(
  context: Pick<Context, "config" | "database">,
  request: FastifyRequest,
  path: string,
): Promise<Omit<ListPageView, "head">> {
  const shown = queryOf(request);
  const site = visitedSite(request);
  const { web } = addressesOf(context.config, request);
  const linkTo = (other: Query): string =>
    `${web}${path}${other.with("cursor", null).with("page", null).toString()}`;
  const linkToValues = (other: Query): string => `${web}/mentioned/${other.with("cursor", null).toString()}`;
  const isWhole = !narrowing.some((name) => (shown.last(name) ?? "").trim() !== "");
  const query = isWhole ? shown.with("q", partOfNone).with("cursor", null) : shown;
  const answer = await searchedPage(context, request, {
    path,
    shown,
    query,
    facets: isWhole ? facetsOfAll : facetsOfPage,
  });
  const { suggestion } = answer;
  const common = {
    ...answer,
    site,
    action: `${web}${path}`,
    facets: facetViews(answer.facets, shown, linkTo, linkToValues, site),
    suggestion: suggestion === null ? null : { text: suggestion, href: linkTo(shown.with("q", suggestion)) },
    previous: null,
    branch: await searchedBranch(context.database, request.viewer, shown, { home: `${web}/`, linkTo }),
  };
  if (!isWhole) return common;
  const { documents, previous, next } = await listedPage(context, request, {
    path,
    query: shown,
    filters: {},
  });
  const none = { pages: [], more: { count: 0, href: "" }, notes: [], copies: null };
  return { ...common, found: documents.map((document) => Object.assign(document, none)), previous, next };
}

/** The query for documents that are part of no other. */
export const partOfNone = "-parent:[* TO *]";

/** The parameters that make the page a search. */
const narrowing = [
  "q",
  ...facetsOfPage.map(({ name }) => (name === "year" ? "created_at" : name)),
  "folder",
  "container",
  "user",
  "sort",
];

/** How a query was read. The same search for another query is at `address`, with the parameters `kept`. */
export function queryReading(
  { text, escaped, wildcardsIgnored, leftOut }: SearchRequest,
  address: string,
  kept: Query,
): QueryReading {
  const demanding = leftOut.map((word) => ({
    text: word,
    href: `${address}${kept.with("q", `${text} +${word}`).asSent()}`,
  }));
  return { escaped, wildcardsIgnored, leftOut: demanding, isRough: false };
}

/**
 * One page of search results. `shown` are the parameters of the web page, which the pages of results of one document
 * keep; `query` adds conditions that the page itself sets.
 */
export async function searchedPage(
  { config, database }: Pick<Context, "config" | "database">,
  request: FastifyRequest,
  {
    path,
    shown,
    query,
    facets = [],
  }: { path: string; shown: Query; query: Query; facets?: readonly Facet[] },
) {
  const search = {
    ...readSearch(query.with("facets", null).with("suggest", "true"), request.viewer),
    isHighlighted: true,
    facets,
  };
  if (search.mayDependOnTime) request.dependsOnTime = true;
  const addresses = addressesOf(config, request);
  const options = {
    expansion: readExpansion(query, []),
    notes: searchedNotes(database),
    highlights: { pages: 5, lastPage: Number.POSITIVE_INFINITY },
    model: config.embeddingModel,
  };
  const answer = await readingAnywhere(database, () =>
    answerSearch(database, request.viewer, search, addresses, options),
  );
  const organizations = await findOrganizationNames(
    database,
    answer.results.map(({ organization }) => Number(organization)),
  );
  const folded = await foldCopies(database, request.viewer, answer.results, addresses.web);
  const around = { addresses, home: request.server.site.home, organizations };
  const words = shown.last("q") ?? "";
  const kept = shown.with("cursor", null).with("page", null).with("version", null).with("embed", null);
  const next = answer.last === null ? null : shown.with("cursor", encodeSearchCursor(answer.last)).toString();
  return {
    query: words,
    reading: {
      ...queryReading(search, `${addresses.web}${path}`, kept),
      isRough: answer.isRough,
    },
    count: answer.total,
    found: folded.results.map((result) => {
      const matching = answer.matchingPages.get(Number(result.id)) ?? 0;
      const copies = folded.copies.get(result.id) ?? null;
      const found = foundIn(result, matching, words, kept.asSent());
      return Object.assign(listedResult(result, around), found, { copies });
    }),
    facets: answer.facets,
    suggestion: answer.suggestion,
    next: next === null ? null : `${addresses.web}${path}${next}`,
  };
}

/**
 * Where a search found its words in a document. `query` is the text of the search, and `searchOf` the query string of
 * the page that lists all matching pages of the document.
 */
function foundIn(
  { canonical_url, notes, highlights, note_highlights, nearest_passage: nearest }: FoundDocument,
  matchingPages: number,
  query: string,
  searchOf: string,
): Pick<FoundView, "pages" | "more" | "notes"> {
  const on = (page: number, fragment: string, note?: number): FoundPage => ({
    page,
    href: readingAddress(canonical_url, query, page, note),
    fragment,
  });
  const pages = Object.entries(highlights ?? {}).flatMap(([name, fragments]) => {
    const page = Number(name.slice("page_no_".length));
    return fragments.map((fragment) => on(page, fragment));
  });
  const isShown = pages.some(({ page }) => page - 1 === nearest?.page_number);
  const byMeaning = nearest === undefined || isShown ? [] : [on(nearest.page_number + 1, nearest.text)];
  return {
    pages: [...byMeaning, ...pages],
    more: { count: matchingPages - pages.length, href: `${canonical_url}search/${searchOf}` },
    notes: notes.flatMap((note) => {
      const { title: titles = [], description = [] } = note_highlights?.[note.id] ?? {};
      const pieces = [...titles, ...description];
      return pieces.length === 0 ? [] : [on(note.page_number + 1, pieces.join(" · "), Number(note.id))];
    }),
  };
}
