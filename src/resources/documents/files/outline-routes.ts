import type { FastifyInstance } from "fastify";
import { OutlineEntry } from "../../../contract/document.ts";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { ErrorDetail } from "../../../http/fields/schema-shapes.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { content, send } from "../../../http/response/representation.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import { findDocument } from "../store.ts";
import { findOutline } from "./derived-assets.ts";
import type { PdfReadingQueue } from "./pdf-reading-queue.ts";
import { documentOutline } from "./views.ts";

const reading = {
  summary: "The table of contents that the PDF has itself",
  params: Type.Object({ id: Type.Integer({ format: "int64" }) }),
  response: {
    200: Type.Object(
      { results: Type.Array(OutlineEntry, { description: "in the order of reading; at most 5000" }) },
      { $id: "DocumentOutline" },
    ),
    404: ErrorDetail,
  },
};

/** The PDF's own table of contents, read from the file with the limits that hold for its pages. */
export function outlineRoutes(app: FastifyInstance, context: Context, readings: PdfReadingQueue): void {
  resourceRoute(app, {
    path: "/api/documents/:id/outline/",
    view: documentOutline,
    get: {
      schema: reading,
      async handler(request, reply) {
        const document = await findDocument(context.database, request.viewer, idIn(request, "id"));
        if (document === null) throw notFound();
        const leaving = new AbortController();
        reply.raw.once("close", () => leaving.abort());
        const pdfs = readings.of(askerOf(request.viewer, request.ip), leaving.signal);
        const entries = await findOutline(context, pdfs, document);
        const results = entries.map(({ title, page, level }): OutlineEntry => ({
          title,
          page_number: page,
          level,
        }));
        return send(request, reply, content({ results }));
      },
    },
  });
}
