import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemOperations, listContent } from "../../http/collection.ts";
import { bodyOf } from "../../http/request/body.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type SignedInViewer, type Viewer, mayWrite } from "../../http/request/viewer.ts";
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
  const { database } = context;

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
        const rows = await createEntities(context, viewer, sent);
        const [first] = rows;
        if (!("one" in sent) || first === undefined) return presented(request, rows);
        return new Created(first.id, await contentOf(request, first));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/entities/:id/",
    view: entityInstance,
    get: {
      schema: shapes.reading,
      async answer(request) {
        const row = await findEntity(database.reader, idIn(request, "id"));
        if (row === null) throw notFound();
        return contentOf(request, row);
      },
    },
    ...itemOperations({ schemas: shapes, change, remove }),
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

  async function change(request: FastifyRequest, viewer: SignedInViewer, extent: Extent): Promise<Content> {
    const members = membersIn(newEntityFields, bodyOf(request));
    const sent = { members, extent, condition: conditionOf(request) };
    const changed = await changeEntity(context, viewer, idIn(request, "id"), sent);
    return contentOf(request, changed);
  }

  async function remove(request: FastifyRequest, viewer: SignedInViewer): Promise<void> {
    await removeEntity(context, viewer, idIn(request, "id"), conditionOf(request));
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
    return content(entity, [...changes, ...deletes]);
  }
}

/** The entity tag covers the entity without expansions and with all fields. */
function conditionOf({ headers }: FastifyRequest): Condition<EntityRow> {
  return { ifMatch: headers["if-match"], tagOf: (row) => content(presentEntity(row)).etag };
}
