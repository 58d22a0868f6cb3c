import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { pageLinks } from "../../http/request/pagination.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { branchIn, readTree } from "../../resources/documents/tree/read-tree.ts";
import { renderTreePage } from "./tree-page.ts";

/** How many entries of a branch a page shows. */
const entriesShown = 50;

export const treePagePaths = ["/tree/"] as const;

/** The page on which people browse folders and containers. */
export function treePageRoutes(app: FastifyInstance, { config, database }: Context): void {
  app.get("/tree/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const query = queryOf(request);
    const { web } = addressesOf(config, request);
    const tree = await readTree(database, request.viewer, branchIn(query), {
      cursor: query.last("cursor"),
      limit: entriesShown,
    });
    const page = renderTreePage({
      site: visitedSite(request),
      tree,
      hrefOf: (row) => documentAddress(web, row),
      ...pageLinks(`${web}/tree/`, query, tree.neighbours),
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  });
  leadToSlash(app, "/tree/");
}
