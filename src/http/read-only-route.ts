import type { FastifyInstance, FastifyRequest } from "fastify";
import { methodNotAllowed } from "../errors.ts";
import { content, send } from "./response/representation.ts";
import { unpublished } from "./resource-route.ts";
import { type View, metadata } from "./browsable/view.ts";

/**
 * Handles the methods other than GET at a path whose responses are not JSON. OPTIONS describes the path; every other
 * method returns 405 to every client, whether or not the object exists. `checkAddress` throws for paths that
 * cannot name an object.
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
    // Refused before the body is read.
    onRequest(request) {
      checkAddress(request);
      throw methodNotAllowed(request.method);
    },
    handler: () => undefined,
  });
}
