import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { addressesOf } from "../http/text/addresses.ts";
import { decodeCursor } from "../http/request/cursor.ts";
import { readExpansion } from "../http/request/expansion.ts";
import { neverCache } from "../http/response/response-cache.ts";
import { pageSecurityPolicy } from "../http/browsable/page-shell.ts";
import { idNeighbours, pageLinks } from "../http/request/pagination.ts";
import { sendPage } from "../http/response/representation.ts";
import { leadToSlash } from "../http/resource-route.ts";
import type { Query } from "../http/request/query.ts";
import { queryOf } from "../http/browsable/view.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import type { DocumentFilters } from "../resources/documents/list/filters.ts";
import { listDocumentRows } from "../resources/documents/list/list-store.ts";
import { checkKey, readOrdering } from "../resources/documents/list/orderings.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { type DocumentRow, findDocument } from "../resources/documents/store.ts";
import { answerSearch, searchPages } from "../resources/documents/search/search-documents.ts";
import { encodeSearchCursor, readSearch } from "../resources/documents/search/search-request.ts";
import { oembedLink } from "../resources/embeds/discovery.ts";
import { searchedNotes } from "../resources/notes/of-documents.ts";
import { findOrganizationNames } from "../resources/organizations/store.ts";
import { findNamedProject, listProjects } from "../resources/projects/list-store.ts";
import { documentPages } from "./document-pages.ts";
import { foundDocument, listedDocument, readingAddress } from "./documents.ts";
import { feedLink } from "./feeds/feed.ts";
import { type HomePageView, renderHomePage } from "./home-page.ts";
import { partAddress } from "./part-address.ts";
import { projectPath, renderProjectsPage } from "./projects-page.ts";
import { renderMatchingPages } from "./matching-pages-page.ts";
import { facetViews, facetsOfPage } from "./search-facets.ts";
import { renderSearchPage } from "./search-page.ts";

/** The number of a document's matching pages that one page lists. */
const pagesListed = 50;

/** The routes of the web pages. */
export function webRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const pages = documentPages(context);
  const newestFirst = readOrdering("-created_at");

  app.get("/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const isSearch = (queryOf(request).last("q") ?? "").trim() !== "";
    if (isSearch) return searchPage(request, reply);
    const head = feedLink(addressesOf(config, request));
    const page = renderHomePage({ ...(await listPage(request, "/", {})), head });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  });

  app.get("/projects/", { schema: {} }, async (request, reply) => {
    const query = queryOf(request);
    const cursor = decodeCursor(query.last("cursor"), null);
    const page = await listProjects(database, request.viewer, {}, cursor, 25);
    const { web } = addressesOf(config, request);
    const view = {
      site: visitedSite(request),
      projects: page.rows.map((row) => ({ ...row, href: `${web}${projectPath(row)}` })),
      ...pageLinks(`${web}/projects/`, query, idNeighbours(page, cursor)),
    };
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), renderProjectsPage(view));
  });

  leadToSlash(app, "/projects/");

  // The name is the id with the slug before or after it: both kinds of address are in use.
  app.get("/projects/:name/", { schema: {} }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const project = await findNamedProject(database, request.viewer, name);
    if (project === null) throw notFound();
    const view = await listPage(request, `/projects/${encodeURIComponent(name)}/`, { project: [project.id] });
    const isEmbedded = queryOf(request).last("embed") === "1";
    const policy = isEmbedded
      ? pageSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors *")
      : pageSecurityPolicy;
    const address = projectPath(project);
    const head = oembedLink(addressesOf(config, request), address, project.title);
    const page = renderHomePage({ ...view, project, head });
    return sendPage(reply.header("content-security-policy", policy), page);
  });

  leadToSlash(app, "/projects/:name/");

  // A wildcard, since Fastify limits a parameter to a hundred characters, and a slug alone may have 255.
  app.get("/documents/*", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const { "*": rest } = request.params as { "*": string };
    const part = partAddress(request.url);
    if (part !== null) return reply.redirect(part, 301);
    const [, id = "", slug, searchSuffix] = /^(\d{1,15})(?:-(.*?))?(\/search)?\/?$/s.exec(rest) ?? [];
    const row = id === "" ? null : await findDocument(database, request.viewer, Number(id));
    if (row === null) throw notFound();
    if (searchSuffix !== undefined) return matchingPages(request, reply, row);
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

  async function listPage(
    request: FastifyRequest,
    path: string,
    filters: DocumentFilters,
  ): Promise<HomePageView> {
    const query = queryOf(request);
    const cursor = decodeCursor(query.last("cursor"), newestFirst.name);
    checkKey(cursor, newestFirst);
    const list = { filters, ordering: newestFirst, cursor, perPage: 25 };
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

  async function searchPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = queryOf(request);
    const search = {
      ...readSearch(query.with("facets", null).with("suggest", "true"), request.viewer),
      isHighlighted: true,
      facets: facetsOfPage,
    };
    if (search.mayDependOnTime) neverCache(request);
    const addresses = addressesOf(config, request);
    /** The address of the first page of results for another query. */
    const linkTo = (other: Query): string =>
      `${addresses.web}/${other.with("cursor", null).with("page", null).toString()}`;
    const answer = await answerSearch(database, request.viewer, search, addresses, {
      expansion: readExpansion(query, []),
      notes: searchedNotes(database),
      highlights: { pages: 5, lastPage: Number.POSITIVE_INFINITY },
    });
    const next =
      answer.last === null ? null : query.with("cursor", encodeSearchCursor(answer.last)).toString();
    const page = renderSearchPage({
      site: visitedSite(request),
      query: query.last("q") ?? "",
      escaped: search.escaped,
      wildcardsIgnored: search.wildcardsIgnored,
      count: answer.total,
      found: answer.results.map((result) =>
        foundDocument(
          result,
          answer.matchingPages.get(Number(result.id)) ?? 0,
          query.last("q") ?? "",
          query.with("cursor", null).with("page", null).with("version", null).asSent(),
        ),
      ),
      facets: facetViews(answer.facets, query, linkTo),
      suggestion:
        answer.suggestion === null
          ? null
          : { text: answer.suggestion, href: linkTo(query.with("q", answer.suggestion)) },
      next: next === null ? null : `${addresses.web}/${next}`,
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  }

  async function matchingPages(
    request: FastifyRequest,
    reply: FastifyReply,
    row: DocumentRow,
  ): Promise<FastifyReply> {
    const query = queryOf(request).with("version", null);
    const search = readSearch(query, request.viewer);
    if (search.mayDependOnTime) neverCache(request);
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
      escaped: search.escaped,
      wildcardsIgnored: search.wildcardsIgnored,
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
}
