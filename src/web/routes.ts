import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { addressesOf } from "../http/text/addresses.ts";
import { pageSecurityPolicy } from "../http/browsable/page-shell.ts";
import { sendPage } from "../http/response/representation.ts";
import { Query } from "../http/request/query.ts";
import { queryOf } from "../http/browsable/view.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { type DocumentRow, findDocument } from "../resources/documents/store.ts";
import { readFilters } from "../resources/documents/list/filters.ts";
import { countFindable } from "../resources/documents/search/count-store.ts";
import { searchPages } from "../resources/documents/search/search-within.ts";
import { readSearch } from "../resources/documents/search/search-request.ts";
import { asksForSimilar, withWordsOfSimilar } from "../resources/documents/search/similar.ts";
import { searchedNotes } from "../resources/notes/of-documents.ts";
import { listProjects } from "../resources/projects/list-store.ts";
import { projectPath } from "../resources/projects/present.ts";
import { DocumentPages } from "./document-pages.ts";
import { documentsPage, listedPage, queryReading } from "./document-lists.ts";
import { listSecurityPolicy } from "./document-rows.ts";
import { partAddress, readingAddress } from "./documents.ts";
import { feedLink, searchFeedLink } from "./feeds/feed.ts";
import { renderHomePage, renderRowsPage } from "./home-page.ts";
import { renderMatchingPages } from "./matching-pages-page.ts";
import { renderListPage, wholeQuery } from "./search-page.ts";

/** The number of a document's matching pages that one page lists. */
const pagesListed = 50;

/** The routes of the web pages. */
export function webRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const pages = new DocumentPages(context);

  app.get("/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const query = queryOf(request);
    if (asksForSimilar(query)) return similarDocuments(context, request, reply);
    if (["q", "folder", "container"].some((name) => (query.last(name) ?? "").trim() !== ""))
      return sendDocumentsPage(context, request, reply, "/");
    const { parent } = readFilters(query);
    if (parent !== undefined || query.last("cursor") !== undefined) {
      const filters = parent === undefined || parent === "none" ? {} : { parent };
      const list = await listedPage(context, request, { path: "/", query, filters });
      reply.header("content-security-policy", listSecurityPolicy(list.documents));
      return sendPage(reply, renderRowsPage(visitedSite(request), list));
    }
    return landing(context, request, reply);
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

/** Sends the list of documents, at this path: all that the visitor may see, or what a search finds. */
export async function sendDocumentsPage(
  context: Pick<Context, "config" | "database">,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const view = await documentsPage(context, request, path);
  reply.header("content-security-policy", listSecurityPolicy(view.found));
  const addresses = addressesOf(context.config, request);
  const head = view.query === "" ? feedLink(addresses) : searchFeedLink(addresses, wholeQuery(view));
  return sendPage(reply, renderListPage({ ...view, head }));
}

/** The numbers of projects and of documents on the first page of the site. */
const shownFirst = { projects: 6, documents: 8 };
const firstOfAll = { key: null, reverse: false, offset: 0, ordering: null };

async function landing(
  context: Pick<Context, "config" | "database">,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config, database } = context;
  const { web } = addressesOf(config, request);
  const none = Query.parse("");
  const [list, count, { rows }] = await Promise.all([
    listedPage(context, request, { path: "/", query: none, filters: {}, perPage: shownFirst.documents }),
    countFindable(database, request.viewer, null),
    listProjects(database, request.viewer, { private: false }, firstOfAll, shownFirst.projects),
  ]);
  const counts = await Promise.all(rows.map(({ id }) => countFindable(database, request.viewer, id)));
  const projects = rows.map((row, index) => ({
    title: row.title,
    description: row.description,
    updated_at: row.updated_at,
    href: `${web}${projectPath(row)}`,
    count: counts[index] ?? 0,
  }));
  const head = feedLink(addressesOf(config, request));
  const page = { site: visitedSite(request), count, projects, documents: list.documents, head };
  reply.header("content-security-policy", listSecurityPolicy(list.documents));
  return sendPage(reply, renderHomePage(page));
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
