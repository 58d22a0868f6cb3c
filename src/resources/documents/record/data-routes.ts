import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Condition } from "../../../http/request/entity-tag.ts";
import type { Context } from "../../../context.ts";
import { invalidFields, notFound } from "../../../errors.ts";
import { bodyOf, membersOf, valueOf } from "../../../http/request/body.ts";
import { FieldError, readFields } from "../../../http/fields/fields.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { content } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { type SignedInViewer, mayWrite } from "../../../http/request/viewer.ts";
import { mayEdit } from "../access.ts";
import { changeRow, lockEditable } from "./change-documents.ts";
import { type DocumentData, checkedData, isDataKey } from "../data-field.ts";
import { addedDataFields, replacedDataFields } from "./fields.ts";
import { documentIn } from "../file-routes.ts";
import { type DocumentRow, accessFacts } from "../store.ts";
import * as shapes from "./schema.ts";
import { dataInstance, dataList } from "./views.ts";

/** The free-form metadata of a document, key by key, so that clients changing different keys do not conflict. */
export function documentDataRoutes(app: FastifyInstance, context: Context): void {
  dataListRoute(app, context);
  dataKeyRoute(app, context);
}

function dataListRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/data/",
    view: dataList,
    get: {
      schema: shapes.readingData,
      answer: async (request) => Object.fromEntries(dataIn(await documentIn(request, database))),
    },
  });
}

function dataKeyRoute(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/data/:key/",
    parameters: shapes.keyParameters,
    view: dataInstance,
    get: {
      schema: shapes.readingKey,
      async answer(request, viewer) {
        const document = await documentIn(request, context.database);
        const isOffered = mayWrite(viewer) && mayEdit(viewer, accessFacts(document));
        return content(valuesIn(document, keyOf(request)), isOffered ? ["PUT", "PATCH", "DELETE"] : []);
      },
    },
    put: {
      schema: shapes.changingKey,
      async answer(request, viewer) {
        const { values } = readFields(replacedDataFields, membersOf(valuesOf(request)), "whole");
        return change(context, request, viewer, (before) => before.set(keyOf(request), [...new Set(values)]));
      },
    },
    patch: {
      schema: shapes.changingKey,
      async answer(request, viewer) {
        const { values, remove } = readFields(addedDataFields, membersOf(valuesOf(request)), "part");
        return change(context, request, viewer, (before) => {
          const all = new Set([...(before.get(keyOf(request)) ?? []), ...(values ?? [])]);
          for (const value of remove ?? []) all.delete(value);
          if (all.size > 0) before.set(keyOf(request), [...all]);
          else before.delete(keyOf(request));
        });
      },
    },
    delete: {
      schema: shapes.deletingKey,
      answer: (request, viewer) =>
        change(context, request, viewer, (before) => before.delete(keyOf(request))),
    },
  });
}

async function change(
  context: Context,
  request: FastifyRequest,
  viewer: SignedInViewer,
  apply: (data: Map<string, string[]>) => unknown,
): Promise<DocumentData> {
  const [id, condition] = [idIn(request, "id"), conditionOf(request)];
  return context.database.write(async (writer) => {
    const row = await lockEditable(writer, context, viewer, id, condition, "You may not edit this document");
    const data = dataIn(row);
    apply(data);
    const changed = sizedData(Object.fromEntries(data));
    await changeRow(writer, viewer, row, { data: JSON.stringify(changed) });
    return changed;
  });
}

function dataIn({ data }: DocumentRow): Map<string, string[]> {
  return new Map(Object.entries(JSON.parse(data) as DocumentData));
}

function valuesIn(document: DocumentRow, key: string): string[] {
  return dataIn(document).get(key) ?? [];
}

/** The entity tag covers the values of this key alone, so that changes to other keys do not conflict. */
function conditionOf(request: FastifyRequest): Condition<DocumentRow> {
  const key = keyOf(request);
  return { ifMatch: request.headers["if-match"], tagOf: (row) => content(valuesIn(row, key)).etag };
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
