import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { isOwn } from "./access.ts";
import { changedSavedSearchFields, savedSearchFields } from "./fields.ts";
import { presentSavedSearch } from "./present.ts";
import * as shapes from "./schema.ts";
import {
  type SavedSearchRow,
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  lockSavedSearch,
  updateSavedSearch,
} from "./store.ts";
import { savedSearchInstance, savedSearchList } from "./views.ts";

/** Saved searches, each with a name. */
export function savedSearchRoutes(app: FastifyInstance, { database }: Context): void {
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
        const { name = "", query = "" } = readFields(savedSearchFields, members, "whole");
        const now = timestampNow();
        const row = { uuid: randomUUID(), user_id: viewer.id, name, query, created_at: now, updated_at: now };
        const search = await database.write((writer) => insertSavedSearch(writer, row));
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
        contentOf(checkOwn(viewer, await findSavedSearch(database.reader, uuidOf(request))), viewer),
    },
    ...itemChanges(database, {
      schemas: shapes,
      fields: savedSearchFields,
      lock: async (writer, viewer, request) =>
        checkOwn(viewer, await lockSavedSearch(writer, database, uuidOf(request))),
      plain: presentSavedSearch,
      change(writer, { id }, { members, extent }) {
        const table = extent === "whole" ? savedSearchFields : changedSavedSearchFields;
        const values = readFields(table, members, extent);
        return updateSavedSearch(writer, id, { ...values, updated_at: timestampNow() });
      },
      remove: (writer, { id }) => deleteSavedSearch(writer, id),
      shown: contentOf,
    }),
  });
}

/** Throws 404 unless the saved search is the viewer's. */
function checkOwn(viewer: SignedInViewer, row: SavedSearchRow | null): SavedSearchRow {
  if (row === null || !isOwn(viewer, row)) throw notFound();
  return row;
}

function contentOf(row: SavedSearchRow, viewer: SignedInViewer): Content {
  return content(presentSavedSearch(row), viewer.mayWrite ? ["PUT", "PATCH", "DELETE"] : []);
}

/** Throws 404 if the path does not contain a valid UUID. */
function uuidOf({ params }: FastifyRequest): string {
  const uuid = (params as { uuid: string }).uuid.toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) throw notFound();
  return uuid;
}
