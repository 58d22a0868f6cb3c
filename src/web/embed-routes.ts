import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { documentFolder } from "../files/keys.ts";
import { addressesOf } from "../http/text/addresses.ts";
import { markupFrom } from "../http/text/html.ts";
import { embedSecurityPolicy } from "../http/browsable/page-shell.ts";
import { idIn } from "../http/request/path-parameters.ts";
import { sendPage } from "../http/response/representation.ts";
import { leadToSlash, unpublished } from "../http/resource-route.ts";
import { queryOf } from "../http/browsable/view.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import { mayEdit } from "../resources/documents/access.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { type DocumentRow, accessFacts, findDocument } from "../resources/documents/store.ts";
import { oembedLink } from "../resources/embeds/discovery.ts";
import { sizeOf } from "../resources/embeds/find-embedded.ts";
import { mayView } from "../resources/notes/access.ts";
import { type NoteRow, findNote } from "../resources/notes/store.ts";
import { robotsFor } from "./document-page.ts";
import { type NoteView, type PageView, renderEmbedPage } from "./embed-page.ts";
import { partAddress } from "./part-address.ts";

const pagesAtOnce = 50;

/** Pages for frames on other sites: see resources/embeds. */
export function embedPageRoutes(app: FastifyInstance, { config, database }: Context): void {
  // Other spellings of these addresses redirect to them.
  const part = { schema: {}, onRequest: leadToPart };
  for (const path of ["/documents/:id/pages/:page", "/documents/:id/annotations/:note"]) {
    app.all(path, { schema: unpublished(), onRequest: leadToPart }, () => {
      throw notFound();
    });
  }
  leadToSlash(app, "/embed/documents/:id/");

  app.get("/documents/:id/pages/:page/", part, async (request, reply) => {
    const document = await visible(request);
    const page = idIn(request, "page");
    if (page < 1 || page > document.page_count) throw notFound();
    const fragment = `#document/p${page}`;
    const source = { path: `/documents/${document.id}/pages/${page}/`, title: document.title, fragment };
    return sendEmbed(request, reply, document, source, { first: page, count: 1 });
  });

  app.get("/documents/:id/annotations/:note/", part, async (request, reply) => {
    const document = await visible(request);
    const note = await findNote(database.reader, document.id, idIn(request, "note"));
    const isEditable = mayEdit(request.viewer, accessFacts(document));
    if (note === null || !mayView(request.viewer, note, isEditable)) throw notFound();
    const pages = { first: note.page_number + 1, count: 1 };
    const fragment = `#document/p${pages.first}/a${note.id}`;
    const source = { path: `/documents/${document.id}/annotations/${note.id}/`, title: note.title, fragment };
    return sendEmbed(request, reply, document, source, pages, shownNote(note));
  });

  app.get("/embed/documents/:id/", { schema: {} }, async (request, reply) => {
    const document = await visible(request);
    const page = Number(queryOf(request).last("page") ?? "1");
    const first = Number.isInteger(page) && page >= 1 ? page : 1;
    const source = { path: documentAddress("", document), title: document.title };
    return sendEmbed(request, reply, document, source, { first, count: pagesAtOnce });
  });

  async function visible(request: FastifyRequest): Promise<DocumentRow> {
    const document = await findDocument(database, request.viewer, idIn(request, "id"));
    if (document === null) throw notFound();
    return document;
  }

  function sendEmbed(
    request: FastifyRequest,
    reply: FastifyReply,
    document: DocumentRow,
    source: { path: string; title: string; fragment?: string },
    { first, count }: { first: number; count: number },
    note: NoteView | null = null,
  ): FastifyReply {
    const addresses = addressesOf(config, request);
    const assets = document.asset_url ?? addresses.assets;
    const last = Math.min(document.page_count, first + count - 1);
    const pages = Array.from({ length: Math.max(0, last - first + 1) }, (_, index): PageView => {
      const page = first + index;
      const image = `${documentFolder(document.id)}/pages/${encodeURIComponent(document.slug)}-p${page}-large.gif`;
      const { width, height } = sizeOf(document, page - 1);
      return { page, source: `${assets}${image}`, width: 1000, height: (1000 * height) / width };
    });
    const robots = robotsFor({
      noindex: Boolean(document.noindex),
      adminNoindex: Boolean(document.admin_noindex),
    });
    if (robots !== null) reply.header("x-robots-tag", robots);
    reply.header("content-security-policy", embedSecurityPolicy(new URL(assets).origin));
    const page = renderEmbedPage({
      site: visitedSite(request),
      title: document.title === "" ? "Untitled" : document.title,
      href: `${documentAddress(addresses.web, document)}${source.fragment ?? ""}`,
      pages,
      next:
        count > 1 && last < document.page_count
          ? `${addresses.web}/embed/documents/${document.id}/?page=${last + 1}`
          : null,
      note,
      robots,
      head: oembedLink(addresses, source.path, source.title),
    });
    return sendPage(reply, page);
  }
}

function leadToPart(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const address = partAddress(request.url);
  if (address === null || address === request.url) done();
  else void reply.redirect(address, 301);
}

function shownNote({ title, content_html, x1, x2, y1, y2 }: NoteRow): NoteView {
  const hasPart = x1 !== null && x2 !== null && y1 !== null && y2 !== null;
  return { title, content: markupFrom(content_html), part: hasPart ? { x1, x2, y1, y2 } : null };
}
