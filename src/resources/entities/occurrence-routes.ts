import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
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
import { type OccurrenceRow, findOccurrence, listOccurrences, occurrenceRows } from "./occurrence-store.ts";
import { presentOccurrence, presentOccurrences } from "./present.ts";
import { sentIn } from "./sent.ts";
import { occurrenceInstance, occurrenceList } from "./views.ts";

const fields = newOccurrenceFields();

/** The entities of a document and their positions in its text. */
export function occurrenceRoutes(app: FastifyInstance, context: Context): void {
  occurrenceListRoute(app, context);
  occurrenceRoute(app, context);
}

function occurrenceListRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/entities/",
    view: occurrenceList,
    parent: (request) => parentIn(database, request),
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
        const results = await presented(database, request, rows);
        if (!("one" in sent) || first === undefined) return results;
        return new Created(first.entity_id, content(results[0]));
      },
    },
  });

  async function list(request: FastifyRequest, viewer: Viewer): Promise<Content> {
    const query = queryOf(request);
    const document = await parentIn(database, request);
    const options = { viewer, expansion: readExpansion(query, ["entity"]), inDetail: false };
    const selection = readSelection(query);
    return listContent(request, {
      find: (cursor, limit) => listOccurrences(database, document.id, readFilters(query), cursor, limit),
      present: async (rows) =>
        (await presentOccurrences(database, rows, options)).map((occurrence) => selection.of(occurrence)),
      offers: mayChangeOccurrences(viewer, document) ? ["POST"] : [],
    });
  }
}

function occurrenceRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/entities/:entity/",
    view: occurrenceInstance,
    parent: (request) => parentIn(database, request),
    get: {
      schema: shapes.reading,
      async answer(request, viewer) {
        const document = await parentIn(database, request);
        const row = await findOccurrence(database.reader, document.id, idIn(request, "entity"));
        if (row === null) throw notFound();
        return contentOf(database, request, row, mayChangeOccurrences(viewer, document));
      },
    },
    ...itemChanges(database, {
      schemas: shapes,
      fields,
      lock: (writer, viewer, request) => lockOccurrence(writer, database, viewer, idsOf(request)),
      plain: ({ row }) => presentOccurrence(row),
      change: changeOccurrence,
      remove: (writer, { row }) => occurrenceRows.remove(writer, row),
      shown: ({ row }, _viewer, request) => contentOf(database, request, row, true),
    }),
  });
}

async function presented(
  database: Database,
  request: FastifyRequest,
  rows: readonly OccurrenceRow[],
): Promise<object[]> {
  const query = queryOf(request);
  const options = { viewer: request.viewer, expansion: readExpansion(query, "any"), inDetail: true };
  const selection = readSelection(query);
  return (await presentOccurrences(database, rows, options)).map((occurrence) => selection.of(occurrence));
}

async function contentOf(
  database: Database,
  request: FastifyRequest,
  row: OccurrenceRow,
  isOffered: boolean,
): Promise<Content> {
  const [occurrence] = await presented(database, request, [row]);
  return content(occurrence, isOffered ? ["PUT", "PATCH", "DELETE"] : []);
}

function idsOf(request: FastifyRequest): { document: number; entity: number } {
  return { document: idIn(request, "id"), entity: idIn(request, "entity") };
}

function parentIn(database: Database, request: FastifyRequest): Promise<ParentDocument> {
  return getParent(database, request.viewer, idIn(request, "id"));
}
