import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemOperations, listContent } from "../../http/collection.ts";
import { bodyOf } from "../../http/request/body.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import type { Condition } from "../projects/change-projects.ts";
import { isOwn } from "./access.ts";
import { changeSavedSearch, createSavedSearch, removeSavedSearch } from "./change-saved-searches.ts";
import { savedSearchFields } from "./fields.ts";
import { presentSavedSearch } from "./present.ts";
import * as shapes from "./schema.ts";
import { type SavedSearchRow, findSavedSearch, listSavedSearches } from "./store.ts";
import { savedSearchInstance, savedSearchList } from "./views.ts";

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
        const row = await createSavedSearch(context, viewer, membersIn(savedSearchFields, bodyOf(request)));
        return new Created(row.uuid, content(presentSavedSearch(row)));
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
      async answer(request, viewer) {
        const row = await findSavedSearch(database.reader, uuidOf(request));
        if (row === null || !isOwn(viewer, row)) throw notFound();
        return contentOf(viewer, row);
      },
    },
    ...itemOperations({ schemas: shapes, change, remove }),
  });

  async function change(request: FastifyRequest, viewer: SignedInViewer, extent: Extent): Promise<Content> {
    const members = membersIn(savedSearchFields, bodyOf(request));
    const sent = { members, extent, condition: conditionOf(request) };
    return contentOf(viewer, await changeSavedSearch(context, viewer, uuidOf(request), sent));
  }

  async function remove(request: FastifyRequest, viewer: SignedInViewer): Promise<void> {
    await removeSavedSearch(context, viewer, uuidOf(request), conditionOf(request));
  }
}

function contentOf(viewer: SignedInViewer, row: SavedSearchRow): Content {
  return content(presentSavedSearch(row), viewer.mayWrite ? ["PUT", "PATCH", "DELETE"] : []);
}

function conditionOf({ headers }: FastifyRequest): Condition<SavedSearchRow> {
  return { ifMatch: headers["if-match"], tagOf: (row) => content(presentSavedSearch(row)).etag };
}

/** Throws 404 if the path does not contain a valid UUID. */
function uuidOf({ params }: FastifyRequest): string {
  const uuid = (params as { uuid: string }).uuid.toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) throw notFound();
  return uuid;
}
