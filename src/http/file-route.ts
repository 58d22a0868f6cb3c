import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from "fastify";
import { methodNotAllowed } from "../errors.ts";
import { type View, metadata } from "./browsable/view.ts";
import { leadToSlash, unpublished } from "./resource-route.ts";
import { content, send } from "./response/representation.ts";
import { type Published, type PublishedRoute, schemaOf } from "./schema/published-operation.ts";

/** An address whose responses are files or streams instead of JSON, and which can only be read. */
export interface FileRoute extends Pick<PublishedRoute, "path" | "parameters"> {
  view: View;
  published: Published;
  takesLongQuery?: true;
  /** Throws 404 for a path that cannot name an object. */
  checkAddress?: (request: FastifyRequest) => void;
  /** Responds to GET and to HEAD. For HEAD it makes nothing that is long or costs much. */
  handler: RouteHandlerMethod;
}

/**
 * OPTIONS describes the path. Every other method returns 405 to every client, whether or not the object exists. A path
 * that ends in a slash also works without it, by a redirect.
 */
export function fileRoute(app: FastifyInstance, route: FileRoute): void {
  const { path, view, published, takesLongQuery = false, checkAddress, handler } = route;
  const config = { allow: "GET, HEAD, OPTIONS" };
  if (path.endsWith("/")) leadToSlash(app, path);
  app.route({
    // Fastify's own HEAD handling would make the whole file and discard it.
    method: ["GET", "HEAD"],
    url: path,
    schema: schemaOf(route, "GET", published),
    config: { takesLongQuery },
    handler,
  });
  app.options(path, { schema: unpublished(), config }, (request, reply) => {
    checkAddress?.(request);
    return send(request, reply, content(metadata(view, request.viewer)));
  });
  app.route({
    method: ["POST", "PUT", "PATCH", "DELETE"],
    url: path,
    schema: unpublished(),
    config,
    // Refused before the body is read.
    onRequest(request) {
      checkAddress?.(request);
      throw methodNotAllowed(request.method);
    },
    handler: () => undefined,
  });
}
