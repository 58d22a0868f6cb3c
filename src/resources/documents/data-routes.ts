import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { invalidFields, notFound } from "../../errors.ts";
import { bodyOf, membersOf, valueOf } from "../../http/body.ts";
import { Fault, readFields } from "../../http/fields.ts";
import { idIn } from "../../http/path-parameters.ts";
import { content, send } from "../../http/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { writing } from "../../http/viewer.ts";
import { changeRow, lockEditable } from "./change-documents.ts";
import { type DocumentData, addedDataFields, checkedData, isDataKey, replacedDataFields } from "./fields.ts";
import { findDocument } from "./row-store.ts";
import * as shapes from "./schema.ts";
import { dataInstance, dataList } from "./views.ts";

/** The free-form metadata of a document, key by key: two people who each change one do not undo each other's. */
export function documentDataRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/data/",
    view: dataList,
    get: {
      schema: shapes.readingData,
      handler: async (request, reply) =>
        send(request, reply, content(Object.fromEntries(await dataOf(request)))),
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/data/:key/",
    view: dataInstance,
    get: {
      schema: shapes.readingKey,
      async handler(request, reply) {
        const data = await dataOf(request);
        return send(request, reply, content(data.get(keyOf(request)) ?? []));
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
          for (const one of remove ?? []) all.delete(one);
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

  async function dataOf(request: FastifyRequest): Promise<Map<string, string[]>> {
    const document = await findDocument(context.database, request.viewer, idIn(request, "id"));
    if (document === null) throw notFound();
    return new Map(Object.entries(JSON.parse(document.data) as DocumentData));
  }

  async function change(
    request: FastifyRequest,
    apply: (data: Map<string, string[]>) => unknown,
  ): Promise<DocumentData> {
    const viewer = writing(request.viewer);
    const [id] = [idIn(request, "id"), keyOf(request)];
    return context.database.write(async (writer) => {
      const row = await lockEditable(writer, context, viewer, id, null, "You may not edit this document");
      const data = new Map(Object.entries(JSON.parse(row.data) as DocumentData));
      apply(data);
      const changed = sizedData(Object.fromEntries(data));
      await changeRow(writer, viewer, row, { data: JSON.stringify(changed) });
      return changed;
    });
  }
}

function sizedData(data: DocumentData): DocumentData {
  try {
    return checkedData(data);
  } catch (error) {
    throw error instanceof Fault ? invalidFields({ data: error.messages }) : error;
  }
}

/** Of a form, every text of `values` counts. */
function valuesOf(request: FastifyRequest): unknown {
  const body = bodyOf(request);
  return "json" in body ? valueOf(body) : Object.fromEntries(body.form);
}

function keyOf(request: FastifyRequest): string {
  const { key } = request.params as { key: string };
  if (!isDataKey(key)) throw notFound();
  return key;
}
