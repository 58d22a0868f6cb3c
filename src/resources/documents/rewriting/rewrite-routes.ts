import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { permissionDenied } from "../../../errors.ts";
import { bodyOf, valueOf } from "../../../http/request/body.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { content, send } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { writing } from "../../../http/request/viewer.ts";
import { mayEdit } from "../access.ts";
import * as shapes from "./rewrite-schema.ts";
import { startModifying, startRedacting } from "./start-rewriting.ts";
import { modificationList, postProcess, redactionList } from "./rewrite-views.ts";
import { accessFacts, findDocument } from "../store.ts";

/** Routes that change the PDF of a document: redactions and page modifications. */
export function rewriteRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/redactions/",
    view: redactionList,
    invites: mayRewrite,
    post: {
      schema: shapes.redacting,
      async handler(request, reply) {
        const value = valueOf(bodyOf(request));
        const boxes = await startRedacting(context, writing(request.viewer), idIn(request, "id"), value);
        const accepted = boxes.map(({ page, x1, x2, y1, y2 }) => ({ x1, x2, y1, y2, page_number: page }));
        return send(request, reply.code(201), content(accepted));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/modifications/",
    view: modificationList,
    invites: mayRewrite,
    post: {
      schema: shapes.modifying,
      async handler(request, reply) {
        const value = valueOf(bodyOf(request));
        const data = await startModifying(context, writing(request.viewer), idIn(request, "id"), value);
        return send(request, reply.code(201), content({ data }));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/modifications/post_process/",
    view: postProcess,
    post: {
      schema: shapes.postProcessing,
      handler() {
        throw permissionDenied("You do not have permission to post-process modifications");
      },
    },
  });

  async function mayRewrite({ params, viewer }: FastifyRequest): Promise<boolean> {
    const { id } = params as { id: string };
    const document = /^\d{1,15}$/.test(id) ? await findDocument(context.database, viewer, Number(id)) : null;
    return document !== null && mayEdit(viewer, accessFacts(document));
  }
}
