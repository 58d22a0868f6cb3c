import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { notFound, permissionDenied } from "../../../errors.ts";
import { mapInSlices } from "../../../http/text/slices.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { bodyOf, valueOf } from "../../../http/request/body.ts";
import { decodeCursor } from "../../../http/request/cursor.ts";
import { membersIn, readFields } from "../../../http/fields/fields.ts";
import { idNeighbours, pageLinks, perPage } from "../../../http/request/pagination.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { type Content, content, pageContent, send } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { type Viewer, mayWrite, writing } from "../../../http/request/viewer.ts";
import { mayEdit, mayShare } from "../access.ts";
import { processStoredFields } from "../record/fields.ts";
import { findProgressOf } from "./find-progress.ts";
import { presentError, presentPending, presentReceipt } from "./present-receipts.ts";
import { findPending } from "../file-facts-store.ts";
import { type ReceiptRow, listReceipts } from "../receipt-store.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";
import * as shapes from "../record/schema.ts";
import { cancelProcessing, startProcessing, startProcessingSeveral } from "./start-processing.ts";
import {
  errorList,
  pendingInstance,
  pendingList,
  processInstance,
  processList,
  receiptList,
} from "./views.ts";

/** Routes that start and cancel processing, and that report its progress and results. */
export function processRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/documents/process/",
    view: processList,
    post: {
      schema: shapes.processingSeveral,
      async handler(request, reply) {
        await startProcessingSeveral(context, writing(request.viewer), valueOf(bodyOf(request)));
        return send(request, reply, content("OK"));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/process/",
    view: processInstance,
    get: {
      schema: shapes.readingProgress,
      async handler(request, reply) {
        const document = await visible(request);
        const progress = await findProgressOf(database, request.viewer, document.id);
        if (progress === null) throw notFound();
        return send(request, reply, { ...content(progress), offers: offersTo(request.viewer, document) });
      },
    },
    post: {
      schema: shapes.processing,
      async handler(request, reply) {
        const viewer = writing(request.viewer);
        const options = readFields(
          processStoredFields,
          membersIn(processStoredFields, bodyOf(request)),
          "part",
        );
        await startProcessing(context, viewer, idIn(request, "id"), options);
        return send(request, reply, content("OK"));
      },
    },
    delete: {
      schema: shapes.cancelling,
      async handler(request, reply) {
        await cancelProcessing(context, writing(request.viewer), idIn(request, "id"));
        return send(request, reply, content("OK"));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/pending/",
    view: pendingList,
    get: {
      schema: shapes.listingPending,
      async handler(request, reply) {
        const { viewer } = request;
        const found = viewer.kind === "anonymous" ? [] : await findPending(database, viewer.id);
        return send(request, reply, content(found.map(presentPending)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/pending/",
    view: pendingInstance,
    get: {
      schema: shapes.readingPending,
      async handler(request, reply) {
        const { id } = await visible(request);
        const { viewer } = request;
        const [found] = viewer.kind === "anonymous" ? [] : await findPending(database, viewer.id, id);
        return send(request, reply, content(found === undefined ? {} : presentPending(found)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/errors/",
    view: errorList,
    parent: visible,
    get: {
      schema: shapes.listingErrors,
      async handler(request, reply) {
        const document = await visible(request);
        return send(request, reply, await list(request, document, "errors", "failed", presentError));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/receipts/",
    view: receiptList,
    get: {
      schema: shapes.listingReceipts,
      async handler(request, reply) {
        const document = await visible(request);
        if (!mayEdit(request.viewer, accessFacts(document))) throw permissionDenied();
        return send(request, reply, await list(request, document, "receipts", "all", presentReceipt));
      },
    },
  });

  async function visible(request: FastifyRequest): Promise<DocumentRow> {
    const document = await findDocument(database, request.viewer, idIn(request, "id"));
    if (document === null) throw notFound();
    return document;
  }

  async function list(
    request: FastifyRequest,
    { id }: DocumentRow,
    name: string,
    which: "all" | "failed",
    present: (row: ReceiptRow) => Record<string, unknown>,
  ): Promise<Content> {
    const query = queryOf(request);
    const cursor = decodeCursor(query.last("cursor"), null);
    const page = await listReceipts(database, id, which, cursor, perPage(query));
    const address = `${addressesOf(config, request).api}/api/documents/${id}/${name}/`;
    const links = pageLinks(address, query, idNeighbours(page, cursor));
    return pageContent(links, await mapInSlices(page.rows, present, 1));
  }
}

function offersTo(viewer: Viewer, document: DocumentRow): NonNullable<Content["offers"]> {
  if (!mayWrite(viewer)) return [];
  const facts = accessFacts(document);
  return [
    ...(mayEdit(viewer, facts) ? (["POST"] as const) : []),
    ...(mayShare(viewer, facts) ? (["DELETE"] as const) : []),
  ];
}
