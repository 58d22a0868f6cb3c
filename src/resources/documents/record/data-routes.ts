import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { invalidFields, notFound } from "../../../errors.ts";
import { bodyOf, membersOf, valueOf } from "../../../http/request/body.ts";
import { FieldError, readFields } from "../../../http/fields/fields.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { type Content, content, send } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { mayWrite, writing } from "../../../http/request/viewer.ts";
import { mayEdit } from "../access.ts";
import { type Condition, changeRow, lockEditable } from "./change-documents.ts";
import { type DocumentData, checkedData, isDataKey } from "../data-field.ts";
import { addedDataFields, replacedDataFields } from "./fields.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";
import * as shapes from "./schema.ts";
import { dataInstance, dataList } from "./views.ts";

/** The free-form metadata of a document, key by key, so that clients changing different keys do not conflict. */
export function documentDataRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/data/",
    view: dataList,
    get: {
      schema: shapes.readingData,
      handler: async (request, reply) =>
        send(request, reply, content(Object.fromEntries(dataIn(await getDocument(request))))),
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/data/:key/",
    view: dataInstance,
    get: {
      schema: shapes.readingKey,
      async handler(request, reply) {
        const document = await getDocument(request);
        const isOffered = mayWrite(request.viewer) && mayEdit(request.viewer, accessFacts(document));
        return send(request, reply, {
          ...keyContent(document, keyOf(request)),
          offers: isOffered ? ["PUT", "PATCH", "DELETE"] : [],
        });
      },
    },
    put: {
      schema: shapes.changingKey,
      async handler(request, reply) {
        const { values } = readFields(replacedDataFields, membersOf(valuesOf(request)), "whole");
        const data = await change(request, (before) => before.set(keyOf(request), [...new Set(values)]));
        return send(request, reply, content(data));
      },
    },
    patch: {
      schema: shapes.changingKey,
      async handler(request, reply) {
        const { values, remove } = readFields(addedDataFields, membersOf(valuesOf(request)), "part");
        const data = await change(request, (before) => {
          const all = new Set([...(before.get(keyOf(request)) ?? []), ...(values ?? [])]);
          for (const value of remove ?? []) all.delete(value);
          if (all.size > 0) before.set(keyOf(request), [...all]);
          else before.delete(keyOf(request));
        });
        return send(request, reply, content(data));
      },
    },
    delete: {
      schema: shapes.deletingKey,
      async handler(request, reply) {
        await change(request, (before) => before.delete(keyOf(request)));
        return reply.code(204).send();
      },
    },
  });

  async function getDocument(request: FastifyRequest): Promise<DocumentRow> {
    const document = await findDocument(context.database, request.viewer, idIn(request, "id"));
    if (document === null) throw notFound();
    return document;
  }

  async function change(
    request: FastifyRequest,
    apply: (data: Map<string, string[]>) => unknown,
  ): Promise<DocumentData> {
    const viewer = writing(request.viewer);
    const [id, condition] = [idIn(request, "id"), conditionOf(request)];
    return context.database.write(async (writer) => {
      const row = await lockEditable(
        writer,
        context,
        viewer,
        id,
        condition,
        "You may not edit this document",
      );
      const data = dataIn(row);
      apply(data);
      const changed = sizedData(Object.fromEntries(data));
      await changeRow(writer, viewer, row, { data: JSON.stringify(changed) });
      return changed;
    });
  }
}

function dataIn({ data }: DocumentRow): Map<string, string[]> {
  return new Map(Object.entries(JSON.parse(data) as DocumentData));
}

function keyContent(document: DocumentRow, key: string): Content {
  return content(dataIn(document).get(key) ?? []);
}

/** The entity tag covers the values of this key alone, so that changes to other keys do not conflict. */
function conditionOf(request: FastifyRequest): Condition {
  const key = keyOf(request);
  return { ifMatch: request.headers["if-match"], tagOf: (row) => keyContent(row, key).etag };
}

function sizedData(data: DocumentData): DocumentData {
  try {
    return checkedData(data);
  } catch (error) {
    throw error instanceof FieldError ? invalidFields({ data: error.messages }) : error;
  }
}

/** A form may contain `values` several times. */
function valuesOf(request: FastifyRequest): unknown {
  const body = bodyOf(request);
  return "json" in body ? valueOf(body) : Object.fromEntries(body.form);
}

function keyOf(request: FastifyRequest): string {
  const { key } = request.params as { key: string };
  if (!isDataKey(key)) throw notFound();
  return key;
}
