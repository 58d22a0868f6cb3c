import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { collection } from "../../http/collection.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { savedSearchFields } from "./fields.ts";
import { changeSavedSearch, createSavedSearch, markOwnSeen } from "./manage-searches.ts";
import { presentSavedSearch } from "./present.ts";
import * as shapes from "./schema.ts";
import { ownSearches } from "./store.ts";
import { savedSearchInstance, savedSearchList, seenView } from "./views.ts";

export const savedSearchPaths = [
  "/api/documents/search/saved/",
  "/api/documents/search/saved/:uuid/",
  "/api/documents/search/saved/:uuid/seen/",
] as const;

/** Saved searches, each with a name. */
export function savedSearchRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;
  collection(app, database, {
    path: "/api/documents/search/saved/:uuid/",
    parameters: shapes.parameters,
    reading: "signed in",
    views: { list: savedSearchList, item: savedSearchInstance },
    schemas: shapes.operations,
    fields: savedSearchFields,
    rows: ownSearches,
    present: presentSavedSearch,
    create: async (values, viewer) => ({ row: await createSavedSearch(context, viewer, values) }),
    change: (writer, row, { values }, viewer) => changeSavedSearch(context, writer, row, values, viewer),
  });

  resourceRoute(app, {
    path: "/api/documents/search/saved/:uuid/seen/",
    parameters: shapes.parameters,
    view: seenView,
    reading: "signed in",
    post: {
      schema: shapes.seeing,
      answer: async (request, viewer) =>
        presentSavedSearch(await markOwnSeen(context, viewer, uuidIn(request))),
    },
  });
}
