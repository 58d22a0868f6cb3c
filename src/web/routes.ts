import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { addressesOf } from "../http/text/addresses.ts";
import { pageSecurityPolicy } from "../http/browsable/page-shell.ts";
import { sendPage } from "../http/response/representation.ts";
import type { Query } from "../http/request/query.ts";
import { queryOf } from "../http/browsable/view.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { type DocumentRow, findDocument } from "../resources/documents/store.ts";
import { readFilters } from "../resources/documents/list/filters.ts";
import { searchPages } from "../resources/documents/search/search-within.ts";
import { readSearch } from "../resources/documents/search/search-request.ts";
import { asksForSimilar, withWordsOfSimilar } from "../resources/documents/search/similar.ts";
import { searchedNotes } from "../resources/notes/of-documents.ts";
import { DocumentPages } from "./document-pages.ts";
import { listedPage, queryReading, searchedPage } from "./document-lists.ts";
import { readingAddress } from "./documents.ts";
import { feedLink, searchFeedLink } from "./feeds/feed.ts";
import { renderHomePage } from "./home-page.ts";
import { partAddress } from "./part-address.ts";
import { renderMatchingPages } from "./matching-pages-page.ts";
import { facetViews, facetsOfPage } from "./search-facets.ts";
import { renderSearchPage } from "./search-page.ts";

/** The number of a document's matching pages that one page lists. */
const pagesListed = 50;

/** The routes of the web pages. */
export function webRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const pages = new DocumentPages(context);

  app.get("/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    if (asksForSimilar(queryOf(request))) return similarDocuments(context, request, reply);
    const isSearch = (queryOf(request).last("q") ?? "").trim() !== "";
    if (isSearch) return searchPage(context, request, reply);
    const head = feedLink(addressesOf(config, request));
    const { parent } = readFilters(queryOf(request));
    const filters = parent === undefined || parent === "none" ? {} : { parent };
    const list = { path: "/", query: queryOf(request), filters };
    const page = renderHomePage({ ...(await listedPage(context, request, list)), head });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  });

  // A wildcard, since Fastify limits a parameter to a hundred characters, and a slug alone may have 255.
  app.get("/documents/*", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const { "*": rest } = request.params as { "*": string };
    const part = partAddress(request.url);
    if (part !== null) return reply.redirect(part, 301);
    const [, id = "", slug, searchSuffix] = /^(\d{1,15})(?:-(.*?))?(\/search)?\/?$/s.exec(rest) ?? [];
    const row = id === "" ? null : await findDocument(database, request.viewer, Number(id));
    if (row === null) throw notFound();
    if (searchSuffix !== undefined) return matchingPages(context, request, reply, row);
    const query = queryOf(request);
    if (query.last("embed") === "1") {
      const { web } = addressesOf(config, request);
      const kept = query.with("embed", null).asSent();
      return reply.redirect(`${web}/embed/documents/${row.id}/${kept}`, 302);
    }
    if (slug !== row.slug || !rest.endsWith("/")) {
      const { web } = addressesOf(config, request);
      return reply.redirect(`${documentAddress(web, row)}${query.asSent()}`, 302);
    }
    return pages.send(request, reply, row, null);
  });
}

/** Leads to the search for documents like another one, or like a text. */
async function similarDocuments(
  { config, database }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = await withWordsOfSimilar(database, request.viewer, queryOf(request));
  return reply.redirect(`${addressesOf(config, request).web}/${query.asSent()}`, 302);
}

/** The documents that a search finds. */
async function searchPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = queryOf(request);
  const site = visitedSite(request);
  const addresses = addressesOf(context.config, request);
  const { web } = addresses;
  /** The address of the first page of results for another query. */
  const linkTo = (other: Query): string =>
    `${web}/${other.with("cursor", null).with("page", null).toString()}`;
  const answer = await searchedPage(context, request, {
    path: "/",
    shown: query,
    query,
    facets: facetsOfPage,
  });
  const { suggestion } = answer;
  const page = renderSearchPage({
    ...answer,
    site,
    head: searchFeedLink(addresses, query.last("q") ?? ""),
    facets: facetViews(answer.facets, query, linkTo, site),
    suggestion: suggestion === null ? null : { text: suggestion, href: linkTo(query.with("q", suggestion)) },
  });
  return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
}

/** The pages of a document that a search finds. */
async function matchingPages(
  { config, database }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  row: DocumentRow,
): Promise<FastifyReply> {
  const query = queryOf(request).with("version", null);
  const search = readSearch(query, request.viewer);
  if (search.mayDependOnTime) request.dependsOnTime = true;
  const addresses = addressesOf(config, request);
  const href = documentAddress(addresses.web, row);
  const number = Number(/^[1-9]\d{0,5}$/.exec(query.last("page") ?? "1")?.[0] ?? 0);
  if (number === 0) throw notFound();
  const range = { offset: (number - 1) * pagesListed, limit: pagesListed, fragments: 1 };
  const { condition } = searchedNotes(database);
  const { total, pages: found } = await searchPages(
    database,
    request.viewer,
    row.id,
    search,
    condition,
    range,
  );
  const here = `${href}search/`;
  const link = (to: number): string => `${here}${query.with("page", String(to)).asSent()}`;
  const page = renderMatchingPages({
    site: visitedSite(request),
    title: row.title,
    href,
    here,
    query: query.last("q") ?? "",
    reading: queryReading(search, here, query.with("page", null)),
    count: total,
    pages: found.map((match) => ({
      page: match.page + 1,
      href: readingAddress(href, query.last("q") ?? "", match.page + 1),
      fragment: match.fragments[0] ?? "",
    })),
    previous: number > 1 ? link(number - 1) : null,
    next: number * pagesListed < total ? link(number + 1) : null,
  });
  return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
}
