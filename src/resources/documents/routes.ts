import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { addressesOf } from "../../http/addresses.ts";
import { decodeCursor } from "../../http/cursor.ts";
import { pageLinks, perPage } from "../../http/pagination.ts";
import { send } from "../../http/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/view.ts";
import { invalidChoice, readFilters } from "./filters.ts";
import { checkKey, readOrdering } from "./orderings.ts";
import { RecordCache } from "./record-cache.ts";
import { findRecord, listRecords } from "./records.ts";
import {
  Detail,
  DocumentList,
  DocumentListQuery,
  DocumentParameters,
  DocumentRecord,
  FieldFaults,
} from "./schema.ts";
import { findUnknownChoice } from "./list-store.ts";
import { documentInstance, documentList } from "./views.ts";

export function documentRoutes(app: FastifyInstance, { config, database }: Context): void {
  const records = { database, cache: new RecordCache(config.recordCacheMb) };

  resourceRoute(app, {
    path: "/api/documents/",
    view: documentList,
    schema: {
      querystring: DocumentListQuery,
      response: { 200: DocumentList, 400: FieldFaults, 404: Detail, 406: Detail },
    },
    async get(request, reply) {
      const query = queryOf(request);
      const ordering = readOrdering(query.last("ordering"));
      const cursor = decodeCursor(query.last("cursor"), ordering.name);
      checkKey(cursor, ordering);
      const filters = readFilters(query);
      const unknown = await findUnknownChoice(database, filters);
      if (unknown !== null) throw invalidChoice(unknown.parameter, unknown.id);
      const addresses = addressesOf(config, request);
      const list = { filters, ordering, cursor, perPage: perPage(query) };
      const page = await listRecords(records, request.viewer, list, addresses, (neighbours) =>
        pageLinks(`${addresses.api}/api/documents/`, query, neighbours),
      );
      return send(request, reply, page);
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/",
    view: documentInstance,
    schema: { params: DocumentParameters, response: { 200: DocumentRecord, 404: Detail } },
    async get(request, reply) {
      const { id } = request.params as { id: string };
      if (!/^\d{1,15}$/.test(id)) throw notFound();
      const record = await findRecord(records, request.viewer, Number(id), addressesOf(config, request));
      if (record === null) throw notFound();
      return send(request, reply, record);
    },
  });
}
