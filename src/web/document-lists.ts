import type { FastifyRequest } from "fastify";
import { pageLimits } from "../contract/limits.ts";
import type { Context } from "../context.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import { readExpansion } from "../http/request/expansion.ts";
import { pageLinks } from "../http/request/pagination.ts";
import type { Query } from "../http/request/query.ts";
import { addressesOf } from "../http/text/addresses.ts";
import type { DocumentFilters } from "../resources/documents/list/filters.ts";
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
import { foundDocument, listedDocument } from "./documents.ts";
import type { HomePageView } from "./home-page.ts";
import type { QueryReading } from "./search-page.ts";

const newestFirst = readOrdering("-created_at");
/** What is in a container was added in its order. */
const inOrder = readOrdering("id");

/**
 * One page of a list of documents: those that are part of no other, newest first, or those in the container that the
 * filters name. `path` is that of the web page, and `query` its parameters.
 */
export async function listedPage(
  { config, database }: Pick<Context, "config" | "database">,
  request: FastifyRequest,
  { path, query, filters }: { path: string; query: Query; filters: DocumentFilters },
): Promise<Omit<HomePageView, "head">> {
  const ordering = filters.parent === undefined ? newestFirst : inOrder;
  const cursor = readCursor(query.last("cursor"), ordering);
  const list = {
    filters: { parent: "none", ...filters } as const,
    ordering,
    cursor,
    perPage: pageLimits.usual,
  };
  const { documents, neighbours } = await listDocumentRows(database, request.viewer, list);
  const organizations = await findOrganizationNames(
    database,
    documents.map((row) => row.organization_id),
  );
  const { web } = addressesOf(config, request);
  return {
    site: visitedSite(request),
    documents: documents.map((row) => listedDocument(row, web, organizations)),
    ...pageLinks(`${web}${path}`, query, neighbours),
  };
}

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
  const answer = await answerSearch(database, request.viewer, search, addresses, {
    expansion: readExpansion(query, []),
    notes: searchedNotes(database),
    highlights: { pages: 5, lastPage: Number.POSITIVE_INFINITY },
  });
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
    found: answer.results.map((result) =>
      foundDocument(result, answer.matchingPages.get(Number(result.id)) ?? 0, words, kept.asSent()),
    ),
    facets: answer.facets,
    suggestion: answer.suggestion,
    next: next === null ? null : `${addresses.web}${path}${next}`,
  };
}
