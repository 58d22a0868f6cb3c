import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { itemOperations, listContent, sendCreated } from "../../http/collection.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { bodyOf } from "../../http/request/body.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content, send } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { mayWrite, writing } from "../../http/request/viewer.ts";
import type { Condition } from "../projects/change-projects.ts";
import { mayChangeEntity, mayDeleteEntities } from "./access.ts";
import { changeEntity, createEntities, removeEntity } from "./change-entities.ts";
import { newEntityFields } from "./fields.ts";
import { readFilters } from "./filters.ts";
import { presentEntities, presentEntity } from "./present.ts";
import * as shapes from "./schema.ts";
import { sentIn } from "./sent.ts";
import { type EntityRow, findEntity, listEntities } from "./store.ts";
import { entityInstance, entityList } from "./views.ts";

/** Entities that documents may have: people, places, organizations. */
export function entityRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/entities/",
    view: entityList,
    get: {
      schema: shapes.listing,
      handler: async (request, reply) => send(request, reply, await list(request)),
    },
    post: {
      schema: shapes.creating,
      async handler(request, reply): Promise<FastifyReply> {
        const sent = sentIn(newEntityFields, bodyOf(request));
        const created = await createEntities(context, writing(request.viewer), sent);
        const [first] = created;
        if (!("one" in sent) || first === undefined) {
          reply.code(201);
          return send(request, reply, content(await presented(request, created)));
        }
        const location = `${addressesOf(config, request).api}/api/entities/${first.id}/`;
        return sendCreated(request, reply, location, await contentOf(request, first));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/entities/:id/",
    view: entityInstance,
    get: {
      schema: shapes.reading,
      async handler(request, reply) {
        const row = await findEntity(database.reader, idIn(request, "id"));
        if (row === null) throw notFound();
        return send(request, reply, await contentOf(request, row));
      },
    },
    ...itemOperations({ schemas: shapes, change, remove }),
  });

  async function list(request: FastifyRequest): Promise<Content> {
    const { viewer } = request;
    const query = queryOf(request);
    const options = { viewer, expansion: readExpansion(query, ["user"]), inDetail: false };
    const selection = readSelection(query);
    return listContent(request, {
      address: `${addressesOf(config, request).api}/api/entities/`,
      find: (cursor, limit) => listEntities(database, readFilters(query), cursor, limit),
      present: async (rows) =>
        (await presentEntities(database, rows, options)).map((entity) => selection.of(entity)),
      offers: mayWrite(viewer) ? ["POST"] : [],
    });
  }

  async function change(request: FastifyRequest, extent: Extent): Promise<Content> {
    const members = membersIn(newEntityFields, bodyOf(request));
    const sent = { members, extent, condition: conditionOf(request) };
    const changed = await changeEntity(context, writing(request.viewer), idIn(request, "id"), sent);
    return contentOf(request, changed);
  }

  async function remove(request: FastifyRequest): Promise<void> {
    await removeEntity(context, writing(request.viewer), idIn(request, "id"), conditionOf(request));
  }

  async function presented(request: FastifyRequest, rows: readonly EntityRow[]): Promise<object[]> {
    const query = queryOf(request);
    const options = { viewer: request.viewer, expansion: readExpansion(query, "any"), inDetail: true };
    const selection = readSelection(query);
    return (await presentEntities(database, rows, options)).map((entity) => selection.of(entity));
  }

  async function contentOf(request: FastifyRequest, row: EntityRow): Promise<Content> {
    const [entity] = await presented(request, [row]);
    const changes = mayChangeEntity(request.viewer, row) ? (["PUT", "PATCH"] as const) : [];
    const deletes = mayDeleteEntities(request.viewer) ? (["DELETE"] as const) : [];
    return { ...content(entity), offers: [...changes, ...deletes] };
  }
}

/** The entity tag covers the entity without expansions and with all fields. */
function conditionOf({ headers }: FastifyRequest): Condition<EntityRow> {
  return { ifMatch: headers["if-match"], tagOf: (row) => content(presentEntity(row)).etag };
}
