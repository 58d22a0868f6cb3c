import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { flagIn, idsIn, textIn, uuidIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { idNeighbours, pageLinks, perPage } from "../../http/request/pagination.ts";
import { content, pageContent, send } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { signedIn } from "../../http/request/viewer.ts";
import { type KnownOrganizations, listOrganizations } from "./list-store.ts";
import { presentOrganization } from "./present.ts";
import * as shapes from "./schema.ts";
import { organizationInstance, organizationList } from "./views.ts";

/** Organizations, for signed-in viewers only. They can be changed only on the command line. */
export function organizationRoutes(
  app: FastifyInstance,
  { config, database }: Context,
  isKnownTo: KnownOrganizations,
): void {
  resourceRoute(app, {
    path: "/api/organizations/",
    view: organizationList,
    reading: "signed in",
    writing: "nobody",
    get: {
      schema: shapes.listing,
      async handler(request, reply) {
        const query = queryOf(request);
        const filters = {
          ids: idsIn(query, "id__in"),
          individual: flagIn(query, "individual"),
          slug: textIn(query, "slug"),
          uuid: uuidIn(query, "uuid"),
          name: textIn(query, "name"),
          nameStart: textIn(query, "name__istartswith"),
        };
        const cursor = decodeCursor(query.last("cursor"), null);
        const page = await listOrganizations(
          database,
          signedIn(request.viewer),
          isKnownTo,
          filters,
          cursor,
          perPage(query),
        );
        const address = `${addressesOf(config, request).api}/api/organizations/`;
        const links = pageLinks(address, query, idNeighbours(page, cursor));
        const results = page.rows.map((row) => presentOrganization(row, request.viewer, { inDetail: false }));
        return send(request, reply, await pageContent(links, results));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/organizations/:id/",
    view: organizationInstance,
    reading: "signed in",
    writing: "nobody",
    get: {
      schema: shapes.reading,
      async handler(request, reply) {
        const id = idIn(request, "id");
        const start = decodeCursor(undefined, null);
        const viewer = signedIn(request.viewer);
        const [row] = (await listOrganizations(database, viewer, isKnownTo, { ids: [id] }, start, 1)).rows;
        if (row === undefined) throw notFound();
        return send(request, reply, content(presentOrganization(row, request.viewer, { inDetail: true })));
      },
    },
  });
}
