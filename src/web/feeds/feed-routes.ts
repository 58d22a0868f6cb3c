import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { notFound } from "../../errors.ts";
import { llmsText, robotsText } from "./robots.ts";
import { documentFolder } from "../../files/keys.ts";
import { type Addresses, addressesOf } from "../../http/text/addresses.ts";
import { html } from "../../http/text/html.ts";
import { xmlDeclaration, xmlText } from "../../http/text/xml.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  AnyError,
  ErrorDetail,
  bytes,
  idsParameter,
  textParameter,
} from "../../http/fields/schema-shapes.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { sendLongText, sendText } from "../../http/response/representation.ts";
import { listForSitemap } from "../../resources/documents/list/sitemap-store.ts";
import { languageTag } from "../../resources/documents/languages.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import type { DocumentRow } from "../../resources/documents/store.ts";
import { findOrganizationNames } from "../../resources/organizations/store.ts";
import { renderFeed } from "./feed.ts";
import { feedLength, newestOf, readFeedChoice } from "./feed-choice.ts";
import { plainText } from "../../resources/documents/record/plain-text.ts";

/*
 * Ways to follow the public documents: a sitemap for search engines and a feed for people. Both are the same for
 * everyone, signed in or not, and exclude documents with `noindex` or `admin_noindex`.
 *
 * A sitemap may have 50,000 addresses. So the documents are split by id: part 1 has those from 1 to 50,000. Whatever
 * its size, a part is read a few documents at a time, as fast as the client reads the response.
 */

const documentsInPart = 50_000;
const documentsAtOnce = 500;

const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
const xmlType = "application/xml; charset=utf-8";

const readingFeed = {
  summary: "The newest public documents, or those of a search or a project, as an Atom feed",
  querystring: Type.Object({
    q: textParameter("only documents that this search finds"),
    project: idsParameter("only documents in these projects"),
    organization: idsParameter("only documents of these organizations"),
    user: idsParameter("only documents of these users"),
  }),
  response: {
    200: bytes(["application/atom+xml"], `The newest ${feedLength} documents`),
    400: AnyError,
    503: ErrorDetail,
  },
};
const readingSitemaps = {
  summary: "The parts of the sitemap, for search engines",
  response: { 200: bytes(["application/xml"], "A sitemap index") },
};
const readingSitemap = {
  summary: "A part of the sitemap: the addresses of public documents",
  params: Type.Object({ part: Type.Integer({ minimum: 1, description: "the number of the part" }) }),
  response: { 200: bytes(["application/xml"], "A sitemap"), 404: ErrorDetail },
};

export const feedPaths = [
  "/robots.txt",
  "/llms.txt",
  "/.well-known/security.txt",
  "/sitemap.xml",
  "/sitemap-:part.xml",
  "/documents/feed.atom",
] as const;

const plainType = "text/plain; charset=utf-8";

/** RFC 9116 recommends less than a year. */
const securityTextDays = 180;

export function feedRoutes(app: FastifyInstance, { config: settings, database }: Context): void {
  // These responses are the same for everyone, so the server does not check credentials.
  const config = { ignoresCredentials: true };
  const open = { schema: {}, config };
  const feedConfig = { ...config, takesLongQuery: true };

  app.get("/robots.txt", open, (request, reply) => {
    return sendText(reply, plainType, robotsText(settings, addressesOf(settings, request)));
  });

  app.get("/llms.txt", { ...open, config: { ...config, isHidden: !settings.llmsText } }, (request, reply) =>
    sendText(reply, plainType, llmsText(settings, addressesOf(settings, request))),
  );

  app.get("/.well-known/security.txt", open, (request, reply) =>
    sendText(reply, plainType, securityText(settings, addressesOf(settings, request))),
  );

  app.get("/sitemap.xml", { schema: readingSitemaps, config }, async (request, reply) => {
    const { api } = addressesOf(settings, request);
    const parts: number[] = [];
    for (let part = await findPart(database, 1); part !== null; part = await findPart(database, part + 1))
      parts.push(part);
    const index = html`<sitemapindex xmlns="${sitemapNamespace}"
      >${parts.map((part) => html`<sitemap><loc>${api}/sitemap-${part}.xml</loc></sitemap>`)}</sitemapindex
    >`;
    return sendText(reply, xmlType, `${xmlDeclaration}${xmlText(index)}\n`);
  });

  app.get("/sitemap-:part.xml", { schema: readingSitemap, config }, async (request, reply) => {
    const part = idIn(request, "part");
    if (part < 1 || (await findPart(database, part)) !== part) throw notFound();
    const addresses = addressesOf(settings, request);
    return sendLongText(request, reply, {
      contentType: xmlType,
      etag: null,
      make: () => sitemapPart(database, part, addresses),
    });
  });

  app.get("/documents/feed.atom", { schema: readingFeed, config: feedConfig }, async (request, reply) => {
    const addresses = addressesOf(settings, request);
    const choice = readFeedChoice(queryOf(request));
    if (choice.search?.mayDependOnTime === true) request.dependsOnTime = true;
    const documents = (await newestOf(database, choice, addresses)).filter(mayBeIndexed);
    const organizations = await findOrganizationNames(
      database,
      documents.map((row) => row.organization_id),
    );
    const entries = documents.map(async (row) => ({
      id: `${addresses.web}/documents/${row.id}/`,
      title: row.title,
      language: languageTag(row.language),
      href: documentAddress(addresses.web, row),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      organization: organizations.get(row.organization_id) ?? "",
      description: await plainText(row.description),
      image: row.page_count > 0 ? smallImage(addresses, row) : null,
    }));
    const feed = renderFeed(addresses, choice, await Promise.all(entries));
    return sendText(reply, "application/atom+xml; charset=utf-8", feed);
  });
}

/** The number of the first part, from this one on, with a public document. Null if there is none. */
async function findPart(database: Database, part: number): Promise<number | null> {
  const [row] = await listForSitemap(database, (part - 1) * documentsInPart, 1);
  return row === undefined ? null : Math.ceil(row.id / documentsInPart);
}

async function* sitemapPart(database: Database, part: number, { web }: Addresses): AsyncGenerator<Buffer> {
  const last = part * documentsInPart;
  let after = last - documentsInPart;
  yield Buffer.from(`${xmlDeclaration}<urlset xmlns="${sitemapNamespace}">\n`);
  while (after < last) {
    const rows = await listForSitemap(database, after, documentsAtOnce);
    const urls = rows
      .filter((row) => row.id <= last && mayBeIndexed(row))
      .map(
        (row) =>
          html`<url><loc>${documentAddress(web, row)}</loc><lastmod>${row.updated_at}</lastmod></url> `,
      );
    yield Buffer.from(xmlText(html`${urls}`));
    after = rows.length < documentsAtOnce ? last : (rows.at(-1)?.id ?? last);
  }
  yield Buffer.from("</urlset>\n");
}

const mayBeIndexed = ({ noindex, admin_noindex }: Pick<DocumentRow, "noindex" | "admin_noindex">): boolean =>
  !noindex && !admin_noindex;

function smallImage({ assets }: Addresses, { id, slug, asset_url }: DocumentRow): string {
  const name = encodeURIComponent(slug.toWellFormed());
  return `${asset_url ?? assets}${documentFolder(id)}/pages/${name}-p1-small.gif`;
}

/** Where faults of security are reported: RFC 9116. */
function securityText({ securityContact }: Context["config"], { api }: Addresses): string {
  if (securityContact === null) throw notFound();
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(Date.now() + securityTextDays * 86_400_000).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${api}/.well-known/security.txt`,
  ];
  return `${lines.join("\n")}\n`;
}
