import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { documentFileKey } from "../files/keys.ts";
import { type Addresses, addressesOf } from "../http/addresses.ts";
import { decodeCursor } from "../http/cursor.ts";
import { readExpansion } from "../http/expansion.ts";
import { pageSecurityPolicy } from "../http/page-shell.ts";
import { pageLinks } from "../http/pagination.ts";
import { sendPage } from "../http/representation.ts";
import { queryOf } from "../http/view.ts";
import { visitedSite } from "../http/visited-site.ts";
import { listDocumentRows } from "../resources/documents/list-store.ts";
import { checkKey, readOrdering } from "../resources/documents/orderings.ts";
import { findOriginal } from "../resources/documents/original-file.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { type DocumentRow, findDocument } from "../resources/documents/row-store.ts";
import { answerSearch } from "../resources/documents/search-documents.ts";
import { encodePlace, readSearch } from "../resources/documents/search-request.ts";
import { findOrganizationNames } from "../resources/organizations/store.ts";
import { type ShownFile, documentSecurityPolicy, renderDocumentPage, robotsFor } from "./document-page.ts";
import { foundDocument, listedDocument, shownDocument } from "./documents.ts";
import { renderHomePage } from "./home-page.ts";
import { renderSearchPage } from "./search-page.ts";

/** The pages for people. */
export function webRoutes(app: FastifyInstance, { config, database, files }: Context): void {
  const newestFirst = readOrdering("-created_at");

  app.get("/", { schema: {} }, async (request, reply) => {
    const query = queryOf(request);
    if ((query.last("q") ?? "").trim() !== "") return searchPage(request, reply);
    const cursor = decodeCursor(query.last("cursor"), newestFirst.name);
    checkKey(cursor, newestFirst);
    const list = { filters: {}, ordering: newestFirst, cursor, perPage: 25 };
    const { documents, neighbours } = await listDocumentRows(database, request.viewer, list);
    const organizations = await findOrganizationNames(
      database,
      documents.map((row) => row.organization_id),
    );
    const { web } = addressesOf(config, request);
    const page = renderHomePage({
      site: visitedSite(request),
      documents: documents.map((row) => listedDocument(row, web, organizations)),
      ...pageLinks(`${web}/`, query, neighbours),
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  });

  // A wildcard: Fastify refuses a parameter of more than a hundred characters, and a slug alone may have 255.
  app.get("/documents/*", { schema: {} }, async (request, reply) => {
    const { "*": rest } = request.params as { "*": string };
    const [, id = "", slug] = /^(\d{1,15})(?:-(.*?))?\/?$/s.exec(rest) ?? [];
    const row = id === "" ? null : await findDocument(database, request.viewer, Number(id));
    if (row === null) throw notFound();
    const addresses = addressesOf(config, request);
    const canonical = documentAddress(addresses.web, row);
    if (slug !== row.slug || !rest.endsWith("/")) return reply.redirect(canonical, 302);
    const organizations = await findOrganizationNames(database, [row.organization_id]);
    const file = await fileOf(row, addresses);
    const document = shownDocument(row, organizations);
    const robots = robotsFor(document);
    if (robots !== null) reply.header("x-robots-tag", robots);
    reply.header("content-security-policy", documentSecurityPolicy(file));
    const record = `${addresses.api}/api/documents/${row.id}/?format=json`;
    const browsable = `${addresses.api}/api/documents/${row.id}/?format=api`;
    return sendPage(
      reply,
      renderDocumentPage({ site: visitedSite(request), document, file, canonical, record, browsable }),
    );
  });

  async function searchPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = queryOf(request);
    const asked = { ...readSearch(query, request.viewer), isHighlighted: true };
    const addresses = addressesOf(config, request);
    const answer = await answerSearch(database, request.viewer, asked, addresses, readExpansion(query, []));
    const next = answer.last === null ? null : query.with("cursor", encodePlace(answer.last)).toString();
    const page = renderSearchPage({
      site: visitedSite(request),
      query: query.last("q") ?? "",
      escaped: asked.escaped,
      count: answer.total,
      found: answer.results.map(foundDocument),
      next: next === null ? null : `${addresses.web}/${next}`,
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  }

  /** In our own store, or where an imported record says that its files are: there, every document is a PDF. */
  async function fileOf(row: DocumentRow, { assets }: Addresses): Promise<ShownFile | null> {
    if (row.asset_url !== null) {
      return {
        href: `${row.asset_url}${documentFileKey(row.id, encodeURIComponent(row.slug), "pdf")}`,
        extension: "pdf",
        bytes: null,
      };
    }
    const file = await findOriginal(files, row);
    return file === null
      ? null
      : { href: `${assets}${file.key}`, extension: file.extension, bytes: file.size };
  }
}
