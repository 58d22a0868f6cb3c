import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { bodyOf, valueOf } from "../../../http/request/body.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import type { Publisher } from "../record/publisher.ts";
import { findDocument } from "../store.ts";
import { findCopies } from "./copies-store.ts";
import * as shapes from "./rewrite-schema.ts";
import { redactedCopyList } from "./rewrite-views.ts";
import { startCopying } from "./start-copying.ts";

/** Makes redacted copies of a document, and lists them. */
export function redactedCopyRoutes(app: FastifyInstance, context: Context, publisher: Publisher): void {
  resourceRoute(app, {
    path: "/api/documents/:id/redacted_copies/",
    view: redactedCopyList,
    get: {
      schema: shapes.listingCopies,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        if ((await findDocument(context.database, viewer, id)) === null) throw notFound();
        const { original, copies } = await findCopies(context.database, viewer, id);
        return { original: original?.id ?? null, copies: copies.map((copy) => copy.id) };
      },
    },
    post: {
      schema: shapes.copying,
      async answer(request, viewer) {
        const value = valueOf(bodyOf(request));
        return { id: await startCopying(context, publisher, viewer, idIn(request, "id"), value) };
      },
    },
  });
}
