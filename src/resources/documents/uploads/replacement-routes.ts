import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { bodyOf } from "../../../http/request/body.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { writing } from "../../../http/request/viewer.ts";
import * as shapes from "../record/schema.ts";
import { formFiles } from "./form-files.ts";
import { checkReplaceable, replaceByBody } from "./receive-replacement.ts";
import { replacement } from "./views.ts";

/** The route that gives a document another file. Uploads in parts do the same: see resumable-uploads.ts. */
export function replacementRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/file/",
    view: replacement,
    post: {
      schema: shapes.replacingFile,
      takesFile: formFiles(context, (request) =>
        checkReplaceable(context, writing(request.viewer), idIn(request, "id")),
      ),
      async answer(request, viewer) {
        await replaceByBody(context, viewer, idIn(request, "id"), bodyOf(request));
        return "OK";
      },
    },
  });
}
