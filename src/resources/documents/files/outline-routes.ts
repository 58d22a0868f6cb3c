import type { FastifyInstance } from "fastify";
import { OutlineEntry } from "../../../contract/document.ts";
import type { Context } from "../../../context.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import { leavingOf } from "../../../http/response/leaving.ts";
import { documentIn } from "../file-routes.ts";
import { findOutline } from "./derived-assets.ts";
import type { PdfReadingQueue } from "./pdf-reading-queue.ts";
import { documentOutline } from "./views.ts";

const reading = {
  summary: "The table of contents that the PDF has itself",
  gives: Type.Object(
    { results: Type.Array(OutlineEntry, { description: "in the order of reading; at most 5000" }) },
    { $id: "DocumentOutline" },
  ),
};

/** The PDF's own table of contents, read from the file with the limits that hold for its pages. */
export function outlineRoutes(app: FastifyInstance, context: Context, readings: PdfReadingQueue): void {
  resourceRoute(app, {
    path: "/api/documents/:id/outline/",
    view: documentOutline,
    get: {
      schema: reading,
      async answer(request, viewer, reply) {
        const document = await documentIn(request, context.database);
        const pdfs = readings.of(askerOf(viewer, request.ip), leavingOf(reply));
        const entries = await findOutline(context, pdfs, document);
        const results = entries.map(({ title, page, level }): OutlineEntry => ({
          title,
          page_number: page,
          level,
        }));
        return { results };
      },
    },
  });
}
