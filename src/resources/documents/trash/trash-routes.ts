import type { FastifyInstance } from "fastify";
import type { DeletedDocument, DocumentAccess, DocumentStatus } from "../../../contract/document.ts";
import type { Context } from "../../../context.ts";
import { invalidRequest } from "../../../errors.ts";
import { ownAddress } from "../../../http/answer.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { membersIn, readFields } from "../../../http/fields/fields.ts";
import { bodyOf } from "../../../http/request/body.ts";
import { decodeCursor } from "../../../http/request/cursor.ts";
import { idsIn } from "../../../http/request/list-filters.ts";
import { idNeighbours, pageLinks, perPage } from "../../../http/request/pagination.ts";
import { mayWrite } from "../../../http/request/viewer.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { content } from "../../../http/response/representation.ts";
import { timestampAt } from "../../../jobs/clock.ts";
import { bulkIdsFields } from "../record/fields.ts";
import type { Publisher } from "../record/publisher.ts";
import { expiryTime, millisecondsOfDay } from "./empty-trash.ts";
import { removeDocuments, restoreDocuments } from "./restore-documents.ts";
import * as shapes from "./schema.ts";
import { type TrashRow, countTrash, listTrash } from "./trash-store.ts";
import { trashList, trashRestoring } from "./views.ts";

/** The trash: deleted documents can be brought back for `QUIRE_TRASH_DAYS` days. */
export function trashRoutes(app: FastifyInstance, context: Context, publisher: Publisher): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/documents/trash/",
    view: trashList,
    reading: "signed in",
    get: {
      schema: shapes.listing,
      async answer(request, viewer) {
        const query = queryOf(request);
        const cursor = decodeCursor(query.last("cursor"), null);
        const since = expiryTime(config);
        const [page, count] = await Promise.all([
          listTrash(database, viewer, since, cursor, perPage(query)),
          countTrash(database, viewer, since),
        ]);
        const links = pageLinks(ownAddress(request), query, idNeighbours(page, cursor, "descending"));
        return { ...content({ count, ...links, results: page.rows.map(present) }), ...links };
      },
    },
    delete: {
      schema: shapes.removing,
      async answer(request, viewer) {
        const query = queryOf(request);
        if (query.last("id__in") === undefined)
          throw invalidRequest("May not bulk delete unless you explicitly specify IDs");
        await removeDocuments(context, viewer, idsIn(query, "id__in") ?? []);
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/trash/restore/",
    view: trashRestoring,
    invites: async ({ viewer }) => mayWrite(viewer),
    post: {
      schema: shapes.restoring,
      async answer(request, viewer) {
        const { ids } = readFields(bulkIdsFields, membersIn(bulkIdsFields, bodyOf(request)), "whole");
        await restoreDocuments(context, publisher, viewer, ids as number[]);
        return "OK";
      },
    },
  });

  function present(row: TrashRow): DeletedDocument {
    const { document_id, title, access, status, page_count, deleted_at, deleted_by } = row;
    return {
      id: document_id,
      title,
      access: access as DocumentAccess,
      status: status as DocumentStatus,
      page_count,
      user: row.user_id,
      organization: row.organization_id,
      deleted_at,
      deleted_by,
      removed_at: timestampAt(Date.parse(deleted_at) + config.trashDays * millisecondsOfDay),
    };
  }
}
