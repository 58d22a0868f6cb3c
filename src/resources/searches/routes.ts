import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { savedSearchFields } from "./fields.ts";
import {
  changeSavedSearch,
  createSavedSearch,
  getOwnSearch,
  lockOwnSearch,
  markOwnSeen,
} from "./manage-searches.ts";
import { presentSavedSearch } from "./present.ts";
import * as shapes from "./schema.ts";
import { type SavedSearchRow, deleteSavedSearch, listSavedSearches } from "./store.ts";
import { savedSearchInstance, savedSearchList, seenView } from "./views.ts";

export const savedSearchPaths = [
  "/api/documents/search/saved/",
  "/api/documents/search/saved/:uuid/",
  "/api/documents/search/saved/:uuid/seen/",
] as const;

/** Saved searches, each with a name. */
export function savedSearchRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;
  resourceRoute(app, {
    path: "/api/documents/search/saved/",
    view: savedSearchList,
    reading: "signed in",
    get: {
      schema: shapes.listing,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => listSavedSearches(database, viewer, cursor, limit),
          present: (rows) => rows.map(presentSavedSearch),
          offers: viewer.mayWrite ? ["POST"] : [],
        }),
    },
    post: {
      schema: shapes.creating,
      async answer(request, viewer) {
        const members = membersIn(savedSearchFields, bodyOf(request));
        const search = await createSavedSearch(context, viewer, members);
        return new Created(search.uuid, content(presentSavedSearch(search)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/search/saved/:uuid/",
    parameters: shapes.parameters,
    view: savedSearchInstance,
    reading: "signed in",
    get: {
      schema: shapes.reading,
      answer: async (request, viewer) =>
        contentOf(await getOwnSearch(context, viewer, uuidIn(request)), viewer),
    },
    ...itemChanges(database, {
      schemas: shapes,
      fields: savedSearchFields,
      lock: (writer, viewer, request) => lockOwnSearch(context, writer, viewer, uuidIn(request)),
      plain: presentSavedSearch,
      change: (writer, row, sent, viewer) => changeSavedSearch(context, writer, row, sent, viewer),
      remove: (writer, { id }) => deleteSavedSearch(writer, id),
      shown: contentOf,
    }),
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

function contentOf(row: SavedSearchRow, viewer: SignedInViewer): Content {
  return content(presentSavedSearch(row), viewer.mayWrite ? ["PUT", "PATCH", "DELETE"] : []);
}
