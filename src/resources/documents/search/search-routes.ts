import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Hits, SearchResults } from "../../../contract/search.ts";
import type { Context } from "../../../context.ts";
import { readingAnywhere } from "../../../database/prepared-queries.ts";
import { ownAddress } from "../../../http/answer.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { readExpansion } from "../../../http/request/expansion.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { content } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { explainQuery } from "../../../search/explain-query.ts";
import { documentIn } from "../file-routes.ts";
import { presentFacets } from "./present-facets.ts";
import * as shapes from "./schema.ts";
import {
  type SearchAnswer,
  type SearchedNotes,
  answerSearch,
  suggestCompletions,
} from "./search-documents.ts";
import { type SearchRequest, encodeSearchCursor, readHits, readSearch } from "./search-request.ts";
import { maxFragments, searchPages, searchWithin } from "./search-within.ts";
import { asksForSimilar, withWordsOfSimilar } from "./similar.ts";
import { pageSearch, search, suggest } from "./views.ts";

/** The routes for searching in documents and for completing queries. */
export function searchRoutes(app: FastifyInstance, context: Context, notes: SearchedNotes): void {
  searchRoute(app, context, notes);
  suggestRoute(app, context);
  pageSearchRoute(app, context, notes);
}

function searchRoute(app: FastifyInstance, { config, database }: Context, notes: SearchedNotes): void {
  resourceRoute(app, {
    path: "/api/documents/search/",
    view: search,
    takesLongQuery: true,
    get: {
      schema: shapes.searching,
      async answer(request, viewer) {
        const asking = { viewer, asked: queryOf(request), address: ownAddress(request) };
        const { results, links } = await searchResults({ config, database }, notes, request, asking);
        return { ...content(results), ...links };
      },
    },
  });
}

/** What a search returns. `address` is that of the search itself, for its links. */
export async function searchResults(
  { config, database }: Pick<Context, "config" | "database">,
  notes: SearchedNotes,
  request: FastifyRequest,
  { viewer, asked, address }: { viewer: Viewer; asked: Query; address: string },
): Promise<{ results: SearchResults; links: Pick<SearchResults, "next" | "previous"> }> {
  const isLike = asksForSimilar(asked);
  const query = isLike ? await withWordsOfSimilar(database, viewer, asked) : asked;
  const searchRequest = readSearch(query, viewer);
  if (searchRequest.mayDependOnTime) request.dependsOnTime = true;
  const addresses = addressesOf(config, request);
  const expansion = readExpansion(query, shapes.expansions, "named");
  const { embeddingModel: model } = config;
  const answer = await readingAnywhere(database, () =>
    answerSearch(database, viewer, searchRequest, addresses, { expansion, notes, model }),
  );
  const links = linksOf(address, query, searchRequest, answer);
  const results = resultsOf(query, searchRequest, answer, links);
  return { results: { ...results, ...(isLike && { q: searchRequest.text }) }, links };
}

function suggestRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/search/suggest/",
    view: suggest,
    takesLongQuery: true,
    get: {
      schema: shapes.suggesting,
      async answer(request, viewer) {
        const text = queryOf(request).last("q") ?? "";
        const results = await readingAnywhere(database, () => suggestCompletions(database, viewer, text));
        return { results };
      },
    },
  });
}

function pageSearchRoute(app: FastifyInstance, { database }: Context, notes: SearchedNotes): void {
  resourceRoute(app, {
    path: "/api/documents/:id/search/",
    view: pageSearch,
    takesLongQuery: true,
    get: {
      schema: shapes.searchingWithin,
      async answer(request, viewer) {
        const document = await documentIn(request, database);
        const query = queryOf(request);
        const searchRequest = readSearch(query, viewer);
        if (searchRequest.mayDependOnTime) request.dependsOnTime = true;
        const hits = readHits(query);
        if (hits === null) {
          return readingAnywhere(database, () =>
            searchWithin(database, viewer, document.id, searchRequest, notes.condition),
          );
        }
        const { page, perPage } = hits;
        const shown = { offset: (page - 1) * perPage, limit: perPage, fragments: maxFragments };
        const { total, pages } = await readingAnywhere(database, () =>
          searchPages(database, viewer, document.id, searchRequest, notes.condition, shown),
        );
        const address = ownAddress(request);
        const linkTo = (number: number): string => `${address}${query.with("page", String(number)).asSent()}`;
        const links = {
          next: page * perPage < total ? linkTo(page + 1) : null,
          previous: page > 1 ? linkTo(page - 1) : null,
        };
        const results = pages.map(
          ({ page: page_number, fragments }) =>
            ({ page_number, fragments }) satisfies Hits["results"][number],
        );
        return { ...content({ count: total, ...links, results }), ...links };
      },
    },
  });
}

/** The members that a request has to ask for, or that there is a reason for, are left out otherwise. */
function resultsOf(
  query: Query,
  { query: understood, wildcardsIgnored, escaped, leftOut }: SearchRequest,
  { total, results, facets, suggestion }: SearchAnswer,
  links: Pick<SearchResults, "next" | "previous">,
): SearchResults {
  return {
    count: total,
    ...links,
    results,
    escaped,
    ...(facets.length > 0 && { facets: presentFacets(facets) }),
    ...(leftOut.length > 0 && { left_out: [...leftOut] }),
    ...(suggestion !== null && { suggestion }),
    ...(query.last("explain") === "true" &&
      ({
        explain: explainQuery(understood),
        wildcards_ignored: wildcardsIgnored,
      } satisfies Partial<SearchResults>)),
  };
}

/**
 * Links to the neighbouring pages. Numbered pages have both links; with cursors there is only `next`, as in
 * DocumentCloud.
 */
function linksOf(
  address: string,
  query: Query,
  { start }: SearchRequest,
  { last }: SearchAnswer,
): { next: string | null; previous: string | null } {
  const link = (name: string, value: string): string => `${address}${query.with(name, value).asSent()}`;
  if ("after" in start)
    return { next: last === null ? null : link("cursor", encodeSearchCursor(last)), previous: null };
  return {
    next: last === null ? null : link("page", String(start.page + 1)),
    previous: start.page === 1 ? null : link("page", String(start.page - 1)),
  };
}
