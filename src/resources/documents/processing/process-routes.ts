import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { notFound, permissionDenied } from "../../../errors.ts";
import { mapInSlices } from "../../../http/text/slices.ts";
import { bodyOf, valueOf } from "../../../http/request/body.ts";
import { listContent } from "../../../http/collection.ts";
import { membersIn, readFields } from "../../../http/fields/fields.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { type Content, content } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { type Viewer, mayWrite } from "../../../http/request/viewer.ts";
import { mayEdit, mayShare } from "../access.ts";
import { processStoredFields } from "../record/fields.ts";
import { findProgressOf } from "./find-progress.ts";
import { presentError, presentPending, presentReceipt } from "./present-receipts.ts";
import { findPending } from "../file-facts-store.ts";
import { type ListedReceipts, type ReceiptRow, listReceipts } from "../receipt-store.ts";
import { documentIn } from "../file-routes.ts";
import { type DocumentRow, accessFacts } from "../store.ts";
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
  startingRoutes(app, context);
  pendingRoutes(app, context);
  receiptRoutes(app, context);
}

function startingRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/documents/process/",
    view: processList,
    post: {
      schema: shapes.processingSeveral,
      async answer(request, viewer) {
        await startProcessingSeveral(context, viewer, valueOf(bodyOf(request)));
        return "OK";
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/process/",
    view: processInstance,
    get: {
      schema: shapes.readingProgress,
      async answer(request, viewer) {
        const document = await documentIn(request, database);
        const progress = await findProgressOf(database, viewer, document.id);
        if (progress === null) throw notFound();
        return content(progress, offersTo(viewer, document));
      },
    },
    post: {
      schema: shapes.processing,
      async answer(request, viewer) {
        const options = readFields(
          processStoredFields,
          membersIn(processStoredFields, bodyOf(request)),
          "part",
        );
        await startProcessing(context, viewer, idIn(request, "id"), options);
        return "OK";
      },
    },
    delete: {
      schema: shapes.cancelling,
      async answer(request, viewer) {
        await cancelProcessing(context, viewer, idIn(request, "id"));
        return "OK";
      },
    },
  });
}

function pendingRoutes(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/pending/",
    view: pendingList,
    get: {
      schema: shapes.listingPending,
      async answer(_request, viewer) {
        const found = viewer.kind === "anonymous" ? [] : await findPending(database, viewer.id);
        return found.map(presentPending);
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/pending/",
    view: pendingInstance,
    get: {
      schema: shapes.readingPending,
      async answer(request, viewer) {
        const { id } = await documentIn(request, database);
        const [found] = viewer.kind === "anonymous" ? [] : await findPending(database, viewer.id, id);
        return found === undefined ? {} : presentPending(found);
      },
    },
  });
}

function receiptRoutes(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/errors/",
    view: errorList,
    parent: (request) => documentIn(request, database),
    get: {
      schema: shapes.listingErrors,
      async answer(request) {
        return list(request, await documentIn(request, database), failuresFor, presentError);
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/receipts/",
    view: receiptList,
    get: {
      schema: shapes.listingReceipts,
      async answer(request, viewer) {
        const document = await documentIn(request, database);
        if (!mayEdit(viewer, accessFacts(document))) throw permissionDenied();
        return list(request, document, () => "all", presentReceipt);
      },
    },
  });

  async function list(
    request: FastifyRequest,
    row: DocumentRow,
    which: typeof failuresFor,
    present: (row: ReceiptRow) => Record<string, unknown>,
  ): Promise<Content> {
    return listContent(request, {
      find: (cursor, limit) => listReceipts(database, row.id, which(request.viewer, row), cursor, limit),
      present: (rows) => mapInSlices(rows, present, 1),
    });
  }
}

const failuresFor = (viewer: Viewer, document: DocumentRow): ListedReceipts =>
  mayEdit(viewer, accessFacts(document)) ? "failed" : "failed for readers";

function offersTo(viewer: Viewer, document: DocumentRow): NonNullable<Content["offers"]> {
  if (!mayWrite(viewer)) return [];
  const facts = accessFacts(document);
  return [
    ...(mayEdit(viewer, facts) ? (["POST"] as const) : []),
    ...(mayShare(viewer, facts) ? (["DELETE"] as const) : []),
  ];
}
