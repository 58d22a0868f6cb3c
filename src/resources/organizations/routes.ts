import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { listContent } from "../../http/collection.ts";
import { listStart } from "../../http/request/cursor.ts";
import { flagIn, idsIn, textIn, uuidIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type KnownOrganizations, listOrganizations } from "./list-store.ts";
import { presentOrganization } from "./present.ts";
import * as shapes from "./schema.ts";
import { organizationInstance, organizationList } from "./views.ts";

/** Organizations, for signed-in viewers only. They can be changed only on the command line. */
export function organizationRoutes(
  app: FastifyInstance,
  { database }: Context,
  isKnownTo: KnownOrganizations,
): void {
  resourceRoute(app, {
    path: "/api/organizations/",
    view: organizationList,
    reading: "signed in",
    writing: "nobody",
    get: {
      schema: shapes.listing,
      async answer(request, viewer) {
        const query = queryOf(request);
        const filters = {
          ids: idsIn(query, "id__in"),
          individual: flagIn(query, "individual"),
          slug: textIn(query, "slug"),
          uuid: uuidIn(query, "uuid"),
          name: textIn(query, "name"),
          nameStart: textIn(query, "name__istartswith"),
        };
        return listContent(request, {
          find: (cursor, limit) => listOrganizations(database, viewer, isKnownTo, filters, cursor, limit),
          present: (rows) => rows.map((row) => presentOrganization(row, viewer, { inDetail: false })),
        });
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
      async answer(request, viewer) {
        const ids = [idIn(request, "id")];
        const [row] = (await listOrganizations(database, viewer, isKnownTo, { ids }, listStart, 1)).rows;
        if (row === undefined) throw notFound();
        return presentOrganization(row, viewer, { inDetail: true });
      },
    },
  });
}
