import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { compareDocuments } from "../../resources/documents/comparing/similar-documents.ts";
import { documentIn } from "../../resources/documents/file-routes.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { type DocumentRow, findDocument } from "../../resources/documents/store.ts";
import { renderComparison } from "./comparison-page.ts";

/** The page that shows the texts of two documents side by side. */
export function comparisonRoutes(app: FastifyInstance, { config, database }: Context): void {
  app.get("/documents/:id/comparison/:other/", { schema: {} }, async (request, reply) => {
    const document = await documentIn(request, database);
    const other = await findDocument(database, request.viewer, idIn(request, "other"));
    if (other === null) throw notFound();
    const { web } = addressesOf(config, request);
    const titled = (row: DocumentRow) => ({ title: row.title, href: documentAddress(web, row) });
    const markup = renderComparison({
      site: visitedSite(request),
      left: titled(document),
      right: titled(other),
      comparison: await compareDocuments(database, document.id, other.id),
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), markup);
  });
  leadToSlash(app, "/documents/:id/comparison/:other/");
}
