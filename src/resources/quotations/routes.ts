import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { leavingOf } from "../../http/response/leaving.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import type { PdfReadingQueue } from "../documents/files/pdf-reading-queue.ts";
import type { NoteCondition } from "../documents/search/page-store.ts";
import { askerOf } from "../users/credentials/throttle-key.ts";
import { checkQuotation } from "./check-quotation.ts";
import { readQuotationQuery } from "./read-request.ts";
import { checking } from "./schema.ts";
import { quotations } from "./views.ts";

/** The check of a quotation, for programs. */
export function quotationCheckRoute(
  app: FastifyInstance,
  context: Context,
  readings: PdfReadingQueue,
  notes: NoteCondition,
): void {
  resourceRoute(app, {
    path: "/api/quotations/",
    view: quotations,
    takesLongQuery: true,
    get: {
      schema: checking,
      async answer(request, viewer, reply) {
        const asked = await readQuotationQuery(context, viewer, queryOf(request));
        const { web } = addressesOf(context.config, request);
        const pdfs = readings.of(askerOf(viewer, request.ip), leavingOf(reply));
        return checkQuotation(context, pdfs, { ...asked, viewer, web, notes });
      },
    },
  });
}
