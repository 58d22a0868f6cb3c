import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { notFound, permissionDenied } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { bodyOf } from "../../http/request/body.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type Viewer, mayWrite } from "../../http/request/viewer.ts";
import { mayChangeEntity, mayDeleteEntities } from "./access.ts";
import { changeEntity, createEntities, lockEntity, removeEntity } from "./change-entities.ts";
import { newEntityFields } from "./fields.ts";
import { readFilters } from "./filters.ts";
import { presentEntities, presentEntity } from "./present.ts";
import * as shapes from "./schema.ts";
import { sentIn } from "./sent.ts";
import { type EntityRow, findEntity, listEntities } from "./store.ts";
import { entityInstance, entityList } from "./views.ts";

/** Entities that documents may have: people, places, organizations. */
export function entityRoutes(app: FastifyInstance, context: Context): void {
  entityListRoute(app, context);
  entityRoute(app, context);
}

function entityListRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/entities/",
    view: entityList,
    get: {
      schema: shapes.listing,
      answer: list,
    },
    post: {
      schema: shapes.creating,
      async answer(request, viewer) {
        const sent = sentIn(newEntityFields, bodyOf(request));
        const rows = await createEntities(database, viewer, sent);
        const [first] = rows;
        if (!("one" in sent) || first === undefined) return presented(database, request, rows);
        return new Created(first.id, await contentOf(database, request, first));
      },
    },
  });

  async function list(request: FastifyRequest, viewer: Viewer): Promise<Content> {
    const query = queryOf(request);
    const options = { viewer, expansion: readExpansion(query, ["user"]), inDetail: false };
    const selection = readSelection(query);
    return listContent(request, {
      find: (cursor, limit) => listEntities(database, readFilters(query), cursor, limit),
      present: async (rows) =>
        (await presentEntities(database, rows, options)).map((entity) => selection.of(entity)),
      offers: mayWrite(viewer) ? ["POST"] : [],
    });
  }
}

function entityRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/entities/:id/",
    view: entityInstance,
    get: {
      schema: shapes.reading,
      async answer(request) {
        const row = await findEntity(database.reader, idIn(request, "id"));
        if (row === null) throw notFound();
        return contentOf(database, request, row);
      },
    },
    ...itemChanges(database, {
      schemas: shapes,
      fields: newEntityFields,
      async lock(writer, viewer, request) {
        const row = await lockEntity(writer, database, idIn(request, "id"));
        const may = request.method === "DELETE" ? mayDeleteEntities(viewer) : mayChangeEntity(viewer, row);
        if (!may) throw permissionDenied();
        return row;
      },
      plain: presentEntity,
      change: changeEntity,
      remove: removeEntity,
      shown: (row, _viewer, request) => contentOf(database, request, row),
    }),
  });
}

async function presented(
  database: Database,
  request: FastifyRequest,
  rows: readonly EntityRow[],
): Promise<object[]> {
  const query = queryOf(request);
  const options = { viewer: request.viewer, expansion: readExpansion(query, "any"), inDetail: true };
  const selection = readSelection(query);
  return (await presentEntities(database, rows, options)).map((entity) => selection.of(entity));
}

async function contentOf(database: Database, request: FastifyRequest, row: EntityRow): Promise<Content> {
  const [entity] = await presented(database, request, [row]);
  const changes = mayChangeEntity(request.viewer, row) ? (["PUT", "PATCH"] as const) : [];
  const deletes = mayDeleteEntities(request.viewer) ? (["DELETE"] as const) : [];
  return content(entity, [...changes, ...deletes]);
}
