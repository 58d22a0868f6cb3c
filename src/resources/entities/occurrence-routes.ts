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
import { writing } from "../../http/request/viewer.ts";
import { type ParentDocument, getParent } from "../documents/parent-document.ts";
import type { Condition } from "../projects/change-projects.ts";
import { mayChangeOccurrences } from "./access.ts";
import {
  type OccurrenceIds,
  changeOccurrence,
  createOccurrences,
  removeOccurrence,
} from "./change-occurrences.ts";
import { newOccurrenceFields } from "./fields.ts";
import { readFilters } from "./filters.ts";
import * as shapes from "./occurrence-schema.ts";
import { type OccurrenceRow, findOccurrence, listOccurrences } from "./occurrence-store.ts";
import { presentOccurrence, presentOccurrences } from "./present.ts";
import { sentIn } from "./sent.ts";
import { occurrenceInstance, occurrenceList } from "./views.ts";

/** The entities of a document and their positions in its text. */
export function occurrenceRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const fields = newOccurrenceFields();
  const parent = (request: FastifyRequest): Promise<ParentDocument> =>
    getParent(database, request.viewer, idIn(request, "id"));

  resourceRoute(app, {
    path: "/api/documents/:id/entities/",
    view: occurrenceList,
    parent,
    get: {
      schema: shapes.listing,
      handler: async (request, reply) => send(request, reply, await list(request)),
    },
    post: {
      schema: shapes.creating,
      async handler(request, reply): Promise<FastifyReply> {
        const id = idIn(request, "id");
        const sent = sentIn(fields, bodyOf(request));
        const created = await createOccurrences(context, writing(request.viewer), id, sent);
        const [first] = created;
        const results = await presented(request, created);
        if (!("one" in sent) || first === undefined) {
          reply.code(201);
          return send(request, reply, content(results));
        }
        const { api } = addressesOf(config, request);
        const location = `${api}/api/documents/${id}/entities/${first.entity_id}/`;
        return sendCreated(request, reply, location, content(results[0]));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/entities/:entity/",
    view: occurrenceInstance,
    parent,
    get: {
      schema: shapes.reading,
      async handler(request, reply) {
        const document = await parent(request);
        const row = await findOccurrence(database.reader, document.id, idIn(request, "entity"));
        if (row === null) throw notFound();
        return send(
          request,
          reply,
          await contentOf(request, row, mayChangeOccurrences(request.viewer, document)),
        );
      },
    },
    ...itemOperations({ schemas: shapes, change, remove }),
  });

  async function list(request: FastifyRequest): Promise<Content> {
    const { viewer } = request;
    const query = queryOf(request);
    const document = await parent(request);
    const options = { viewer, expansion: readExpansion(query, ["entity"]), inDetail: false };
    const selection = readSelection(query);
    return listContent(request, {
      address: `${addressesOf(config, request).api}/api/documents/${document.id}/entities/`,
      find: (cursor, limit) => listOccurrences(database, document.id, readFilters(query), cursor, limit),
      present: async (rows) =>
        (await presentOccurrences(database, rows, options)).map((occurrence) => selection.of(occurrence)),
      offers: mayChangeOccurrences(viewer, document) ? ["POST"] : [],
    });
  }

  async function change(request: FastifyRequest, extent: Extent): Promise<Content> {
    const members = membersIn(fields, bodyOf(request));
    const sent = { members, extent, condition: conditionOf(request) };
    const changed = await changeOccurrence(context, writing(request.viewer), idsOf(request), sent);
    return contentOf(request, changed, true);
  }

  async function remove(request: FastifyRequest): Promise<void> {
    await removeOccurrence(context, writing(request.viewer), idsOf(request), conditionOf(request));
  }

  async function presented(request: FastifyRequest, rows: readonly OccurrenceRow[]): Promise<object[]> {
    const query = queryOf(request);
    const options = { viewer: request.viewer, expansion: readExpansion(query, "any"), inDetail: true };
    const selection = readSelection(query);
    return (await presentOccurrences(database, rows, options)).map((occurrence) => selection.of(occurrence));
  }

  async function contentOf(
    request: FastifyRequest,
    row: OccurrenceRow,
    isOffered: boolean,
  ): Promise<Content> {
    const [occurrence] = await presented(request, [row]);
    return { ...content(occurrence), offers: isOffered ? ["PUT", "PATCH", "DELETE"] : [] };
  }
}

/** The entity tag covers the occurrence without expansions and with all fields. */
function conditionOf({ headers }: FastifyRequest): Condition<OccurrenceRow> {
  return { ifMatch: headers["if-match"], tagOf: (row) => content(presentOccurrence(row)).etag };
}

function idsOf(request: FastifyRequest): OccurrenceIds {
  return { document: idIn(request, "id"), entity: idIn(request, "entity") };
}
