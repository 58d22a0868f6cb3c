import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { bodyOf } from "../../http/request/body.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { type ParentDocument, getParent } from "../documents/parent-document.ts";
import { mayChangeOccurrences } from "./access.ts";
import { changeOccurrence, createOccurrences, lockOccurrence } from "./change-occurrences.ts";
import { newOccurrenceFields } from "./fields.ts";
import { readFilters } from "./filters.ts";
import * as shapes from "./occurrence-schema.ts";
import { type OccurrenceRow, deleteOccurrence, findOccurrence, listOccurrences } from "./occurrence-store.ts";
import { presentOccurrence, presentOccurrences } from "./present.ts";
import { sentIn } from "./sent.ts";
import { occurrenceInstance, occurrenceList } from "./views.ts";

/** The entities of a document and their positions in its text. */
export function occurrenceRoutes(app: FastifyInstance, { database }: Context): void {
  const fields = newOccurrenceFields();
  const parent = (request: FastifyRequest): Promise<ParentDocument> =>
    getParent(database, request.viewer, idIn(request, "id"));

  resourceRoute(app, {
    path: "/api/documents/:id/entities/",
    view: occurrenceList,
    parent,
    get: {
      schema: shapes.listing,
      answer: list,
    },
    post: {
      schema: shapes.creating,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        const sent = sentIn(fields, bodyOf(request));
        const rows = await createOccurrences(database, viewer, id, sent);
        const [first] = rows;
        const results = await presented(request, rows);
        if (!("one" in sent) || first === undefined) return results;
        return new Created(first.entity_id, content(results[0]));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/entities/:entity/",
    view: occurrenceInstance,
    parent,
    get: {
      schema: shapes.reading,
      async answer(request, viewer) {
        const document = await parent(request);
        const row = await findOccurrence(database.reader, document.id, idIn(request, "entity"));
        if (row === null) throw notFound();
        return contentOf(request, row, mayChangeOccurrences(viewer, document));
      },
    },
    ...itemChanges(database, {
      schemas: shapes,
      fields,
      lock: (writer, viewer, request) => lockOccurrence(writer, database, viewer, idsOf(request)),
      plain: ({ row }) => presentOccurrence(row),
      change: changeOccurrence,
      remove: (writer, { row }) => deleteOccurrence(writer, row.id),
      shown: ({ row }, _viewer, request) => contentOf(request, row, true),
    }),
  });

  async function list(request: FastifyRequest, viewer: Viewer): Promise<Content> {
    const query = queryOf(request);
    const document = await parent(request);
    const options = { viewer, expansion: readExpansion(query, ["entity"]), inDetail: false };
    const selection = readSelection(query);
    return listContent(request, {
      find: (cursor, limit) => listOccurrences(database, document.id, readFilters(query), cursor, limit),
      present: async (rows) =>
        (await presentOccurrences(database, rows, options)).map((occurrence) => selection.of(occurrence)),
      offers: mayChangeOccurrences(viewer, document) ? ["POST"] : [],
    });
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
    return content(occurrence, isOffered ? ["PUT", "PATCH", "DELETE"] : []);
  }
}

function idsOf(request: FastifyRequest): { document: number; entity: number } {
  return { document: idIn(request, "id"), entity: idIn(request, "entity") };
}
