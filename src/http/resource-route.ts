import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteHandlerMethod,
} from "fastify";
import { credentialsRequired, methodNotAllowed } from "../errors.ts";
import { content, send } from "./representation.ts";
import { type View, metadata } from "./view.ts";

/** Everything a path of the API answers to. */
export interface ResourceRoute {
  /** Ends in a slash; without it a client is sent on (301). */
  path: string;
  view: View;
  schema: FastifySchema;
  get: RouteHandlerMethod;
}

const otherMethods = ["POST", "PUT", "PATCH", "DELETE"] as const;

export function resourceRoute(app: FastifyInstance, { path, view, schema, get }: ResourceRoute): void {
  const config = { view };
  app.get(path, { schema, config }, get);
  app.options(path, { schema, config }, (request, reply) => send(request, reply, content(metadata(view))));
  for (const method of otherMethods) {
    const refusal = view.allow.includes(method) ? credentialsRequired : (): Error => methodNotAllowed(method);
    app.route({
      method,
      url: path,
      schema,
      config,
      // Refused before a body is looked at.
      onRequest: () => {
        throw refusal();
      },
      handler: () => undefined,
    });
  }
  app.all(path.slice(0, -1), { schema: { hide: true } as FastifySchema, config }, addSlash);
}

/** Relative and with the query, as that API does it. */
function addSlash(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const location = request.url.replace(/\?|$/, "/$&");
  return reply.code(301).type("text/html; charset=utf-8").header("location", location).send();
}
