import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { embedErrorPolicy } from "../http/browsable/page-shell.ts";
import { queryOf } from "../http/browsable/view.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import { idIn } from "../http/request/path-parameters.ts";
import { leadToSlash, unpublished } from "../http/resource-route.ts";
import { sendPage } from "../http/response/representation.ts";
import { type AddressSettings, addressesOf } from "../http/text/addresses.ts";
import { mayEdit } from "../resources/documents/access.ts";
import { type DocumentRow, accessFacts, findDocument } from "../resources/documents/store.ts";
import { mayView } from "../resources/notes/access.ts";
import { findNote } from "../resources/notes/store.ts";
import { type Destination, DocumentPages } from "./document-pages.ts";
import { readTheme, renderMissingEmbed } from "./embed-page.ts";
import { partAddress } from "./documents.ts";

/** The values of `Sec-Fetch-Dest` in requests for the content of a frame. */
const frames: ReadonlySet<unknown> = new Set(["iframe", "frame", "embed", "object"]);

/**
 * Pages for frames on other sites, and the pages of parts of a document, which also work in frames: see
 * resources/embeds.
 */
export function embedPageRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const pages = new DocumentPages(context);
  // Other spellings of these addresses redirect to them.
  const part = { schema: {}, onRequest: leadToPart };
  for (const path of ["/documents/:id/pages/:page", "/documents/:id/annotations/:note"]) {
    app.all(path, { schema: unpublished(), onRequest: leadToPart }, () => {
      throw notFound();
    });
  }
  leadToSlash(app, "/embed/documents/:id/");

  app.get("/documents/:id/pages/:page/", part, (request, reply) =>
    sendPart(request, reply, async (document) => {
      const page = idIn(request, "page");
      return page < 1 || page > document.page_count ? null : { page, note: null };
    }),
  );

  app.get("/documents/:id/annotations/:note/", part, (request, reply) =>
    sendPart(request, reply, async (document) => {
      const note = await findNote(database.reader, document.id, idIn(request, "note"));
      const isEditable = mayEdit(request.viewer, accessFacts(document));
      if (note === null || !mayView(request.viewer, note, isEditable)) return null;
      return { page: note.page_number + 1, note };
    }),
  );

  app.get("/embed/documents/:id/", { schema: {} }, async (request, reply) => {
    const document = await findDocument(database, request.viewer, idIn(request, "id"));
    if (document === null) return sendMissing(config, request, reply);
    return pages.sendEmbedded(request, reply, document, null);
  });

  /**
   * Sends a part of a document: in the small viewer with `embed=1`, otherwise in the full viewer. A request from a
   * frame without `embed=1`, recognised by `Sec-Fetch-Dest`, is redirected to the address with it.
   */
  async function sendPart(
    request: FastifyRequest,
    reply: FastifyReply,
    find: (document: DocumentRow) => Promise<Destination | null>,
  ): Promise<FastifyReply> {
    const query = queryOf(request);
    const isEmbedded = query.last("embed") === "1";
    if (!isEmbedded) {
      request.dependsOnTime = true;
      reply.header("vary", `${String(reply.getHeader("vary") ?? "Accept")}, Sec-Fetch-Dest`);
      if (frames.has(request.headers["sec-fetch-dest"])) {
        const path = request.url.split("?", 1)[0] ?? "";
        return reply.redirect(`${path}${query.with("embed", "1").asSent()}`, 302);
      }
    }
    const document = await findDocument(database, request.viewer, idIn(request, "id"));
    const destination = document && (await find(document));
    if (isEmbedded) {
      if (document === null || destination === null) return sendMissing(config, request, reply);
      return pages.sendEmbedded(request, reply, document, destination);
    }
    if (document === null || destination === null) throw notFound();
    return pages.send(request, reply, document, destination);
  }
}

/** Sends a small error page, since the site's own is too large for a frame and may not be framed. */
function sendMissing(settings: AddressSettings, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = (request.url.split("?", 1)[0] ?? "").replace(/^\/embed(?=\/)/, "");
  const page = renderMissingEmbed({
    site: visitedSite(request),
    theme: readTheme(queryOf(request).last("theme")),
    href: `${addressesOf(settings, request).web}${path}`,
  });
  return sendPage(reply.code(404).header("content-security-policy", embedErrorPolicy), page);
}

function leadToPart(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const address = partAddress(request.url);
  if (address === null || address === request.url) done();
  else void reply.redirect(address, 301);
}
