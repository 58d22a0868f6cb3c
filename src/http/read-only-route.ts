import type { FastifyInstance, FastifyRequest } from "fastify";
import { methodNotAllowed } from "../errors.ts";
import { content, send } from "./response/representation.ts";
import { unpublished } from "./resource-route.ts";
import { type View, metadata } from "./browsable/view.ts";

/**
 * What an address whose answers are no JSON is asked besides reading: OPTIONS tells of it, everything else is 405,
 * whoever asks and whatever is there. `checkAddress` throws for what names nothing that could be there.
 */
export function otherMethods(
  app: FastifyInstance,
  route: { path: string; view: View; checkAddress: (request: FastifyRequest) => void },
): void {
  const { path, view, checkAddress } = route;
  const config = { allow: "GET, HEAD, OPTIONS" };
  app.options(path, { schema: unpublished(), config }, (request, reply) => {
    checkAddress(request);
    return send(request, reply, content(metadata(view, request.viewer)));
  });
  app.route({
    method: ["POST", "PUT", "PATCH", "DELETE"],
    url: path,
    schema: unpublished(),
    config,
    // Before a body is read.
    onRequest(request) {
      checkAddress(request);
      throw methodNotAllowed(request.method);
    },
    handler: () => undefined,
  });
}
