import { busyStatuses } from "../resources/document-states.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { documentFileKey, documentFolder } from "../files/keys.ts";
import { type Addresses, addressesOf } from "../http/text/addresses.ts";
import { decodeCursor, listStart } from "../http/request/cursor.ts";
import { readExpansion } from "../http/request/expansion.ts";
import { neverCache } from "../http/response/response-cache.ts";
import { pageSecurityPolicy } from "../http/browsable/page-shell.ts";
import { idNeighbours, pageLinks } from "../http/request/pagination.ts";
import { sendPage } from "../http/response/representation.ts";
import { leadToSlash } from "../http/resource-route.ts";
import { queryOf } from "../http/browsable/view.ts";
import type { Viewer } from "../http/request/viewer.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import type { DocumentFilters } from "../resources/documents/list/filters.ts";
import { listDocumentRows } from "../resources/documents/list/list-store.ts";
import { checkKey, readOrdering } from "../resources/documents/list/orderings.ts";
import { findOriginal, findPdf } from "../resources/documents/files/original-file.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { mayEdit } from "../resources/documents/access.ts";
import { findProgress } from "../resources/documents/processing/progress-store.ts";
import { listReceipts } from "../resources/documents/receipt-store.ts";
import { type DocumentRow, accessFacts, findDocument, idsIn } from "../resources/documents/store.ts";
import { answerSearch, searchPages } from "../resources/documents/search/search-documents.ts";
import { encodeSearchCursor, readSearch } from "../resources/documents/search/search-request.ts";
import { findPageTexts } from "../resources/documents/search/page-store.ts";
import { sizeOf } from "../resources/embeds/find-embedded.ts";
import { oembedLink } from "../resources/embeds/discovery.ts";
import { searchedNotes } from "../resources/notes/of-documents.ts";
import { findOrganizationNames } from "../resources/organizations/store.ts";
import { findNamedProject, findProjectsFor, listProjects } from "../resources/projects/list-store.ts";
import { findUsers } from "../resources/users/list-store.ts";
import { renderDescription } from "./description.ts";
import { type FileView, documentSecurityPolicy, renderDocumentPage, robotsFor } from "./document-page.ts";
import { documentHead } from "./document-head.ts";
import { foundDocument, listedDocument, readingAddress, shownDocument } from "./documents.ts";
import { feedLink } from "./feed.ts";
import { type HomePageView, renderHomePage } from "./home-page.ts";
import type { FileAccount } from "./file-account.ts";
import { partAddress } from "./part-address.ts";
import { type PlainPage, plainPagesShown } from "./pages-without-scripts.ts";
import { projectPath, renderProjectsPage } from "./projects-page.ts";
import { renderMatchingPages } from "./matching-pages-page.ts";
import { renderSearchPage } from "./search-page.ts";

/** The number of a document's matching pages that one page lists. */
const pagesListed = 50;

/** The routes of the web pages. */
export function webRoutes(app: FastifyInstance, { config, database, files }: Context): void {
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

  // The id, with the slug before or after it: both kinds of address are in use.
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
    const addresses = addressesOf(config, request);
    const canonical = documentAddress(addresses.web, row);
    if (queryOf(request).last("embed") === "1") {
      return reply.redirect(`${addresses.web}/embed/documents/${row.id}/`, 302);
    }
    const query = queryOf(request);
    if (slug !== row.slug || !rest.endsWith("/")) return reply.redirect(`${canonical}${query.asSent()}`, 302);
    const document = shownDocument(row, await namesAround(request.viewer, row, addresses));
    const robots = robotsFor(document);
    if (robots !== null) reply.header("x-robots-tag", robots);
    const account = await accountOf(request.viewer, row);
    const assets = row.asset_url ?? addresses.assets;
    reply.header("content-security-policy", documentSecurityPolicy(assets));
    const found = await filesOf(row, addresses);
    // A store elsewhere, as an imported record may name one, has the images that DocumentCloud makes.
    const images = row.asset_url === null ? "webp" : "gif";
    const imageType = found.some(({ extension }) => extension === "pdf") ? images : null;
    const record = `${addresses.api}/api/documents/${row.id}/?format=json`;
    const browsable = `${addresses.api}/api/documents/${row.id}/?format=api`;
    return sendPage(
      reply,
      renderDocumentPage({
        site: visitedSite(request),
        document,
        description: row.description === "" ? null : await renderDescription(row.description),
        files: found,
        imageType,
        canonical,
        links: await documentHead(addresses, row),
        record,
        browsable,
        account,
        plain: {
          query: query.last("q") ?? "",
          pages: await plainPages(row, assets, imageType, pageIn(query.last("page"), row.page_count)),
        },
      }),
    );
  });

  /** The names of what a document belongs to, as far as the viewer may know them. */
  async function namesAround(
    viewer: Viewer,
    row: DocumentRow,
    { web }: Addresses,
  ): Promise<Parameters<typeof shownDocument>[1]> {
    const ids = [...new Set([...idsIn(row.public_projects), ...idsIn(row.private_projects)])];
    const projects = [...(await findProjectsFor(database, viewer, ids)).values()];
    const owner = (await findUsers(database, [row.user_id])).get(row.user_id);
    return {
      organizations: await findOrganizationNames(database, [row.organization_id]),
      contributor: owner?.name ?? "",
      projects: projects.map((project) => ({ title: project.title, href: `${web}${projectPath(project)}` })),
    };
  }

  /** The pages that a browser without scripts shows. */
  async function plainPages(
    row: DocumentRow,
    assets: string,
    imageType: string | null,
    first: number,
  ): Promise<PlainPage[]> {
    const numbers = Array.from(
      { length: Math.max(0, Math.min(plainPagesShown, row.page_count - first + 1)) },
      (_, index) => first + index,
    );
    const found = await findPageTexts(
      database,
      row.id,
      numbers.map((page) => page - 1),
    );
    const texts = new Map(found.map(({ page, text }) => [page + 1, text]));
    const folder = `${assets}${documentFolder(row.id)}/pages/${encodeURIComponent(row.slug)}`;
    return numbers.map((page) => {
      const image = imageType === null ? null : `${folder}-p${page}-large.${imageType}`;
      const { width, height } = sizeOf(row, page - 1);
      return { page, image, width, height, text: texts.get(page) ?? "" };
    });
  }

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
    const search = { ...readSearch(query, request.viewer), isHighlighted: true };
    if (search.mayDependOnTime) neverCache(request);
    const addresses = addressesOf(config, request);
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
    const { total, pages } = await searchPages(database, request.viewer, row.id, search, condition, range);
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
      pages: pages.map((found) => ({
        page: found.page + 1,
        href: readingAddress(href, query.last("q") ?? "", found.page + 1),
        fragment: found.fragments[0] ?? "",
      })),
      previous: number > 1 ? link(number - 1) : null,
      next: number * pagesListed < total ? link(number + 1) : null,
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  }

  async function accountOf(viewer: Viewer, row: DocumentRow): Promise<FileAccount | null> {
    if (!mayEdit(viewer, accessFacts(row))) return null;
    const found = await findProgress(database, row.id);
    const isBusy = busyStatuses.includes(row.status);
    const { rows } = await listReceipts(database, row.id, "all", { ...listStart, reverse: true }, 20);
    const receipts = rows.map(({ details, ...receipt }) =>
      Object.assign(receipt, { details: JSON.parse(details) as Record<string, unknown> }),
    );
    const { step = null, done = null, total = null } = found ?? {};
    return { progress: isBusy ? { step, done, total } : null, receipts };
  }

  /**
   * The files in our own store, or at the address that an imported record names: there every document has a PDF. The
   * PDF comes first, then the original of another type, then the text.
   */
  async function filesOf(row: DocumentRow, { assets }: Addresses): Promise<FileView[]> {
    const base = row.asset_url ?? assets;
    const slug = encodeURIComponent(row.slug);
    const text = { href: `${base}${documentFolder(row.id)}/${slug}.txt`, extension: "txt", bytes: null };
    const texts = row.page_count > 0 ? [text] : [];
    if (row.asset_url !== null) {
      const href = `${base}${documentFileKey(row.id, slug, "pdf")}`;
      return [{ href, extension: "pdf", bytes: null }, ...texts];
    }
    const pdf = await findPdf(files, row);
    const original = row.original_extension === "pdf" ? null : await findOriginal(files, row);
    const found = [pdf, original].filter((file) => file !== null);
    if (found.length === 0) return [];
    return [
      ...found.map(({ key, extension, size }) => ({ href: `${assets}${key}`, extension, bytes: size })),
      ...texts,
    ];
  }
}

/** The page that a parameter names, counting from 1; the first if it names none. */
function pageIn(text: string | undefined, count: number): number {
  const page = Number(/^[1-9]\d{0,8}$/.exec(text ?? "")?.[0] ?? 1);
  return page <= count ? page : 1;
}
