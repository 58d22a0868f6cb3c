import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * The addresses of people and organizations in DocumentCloud's accounts service. They redirect to lists of the API,
 * which browsers get as pages. The lists require a signed-in user, so anonymous visitors sign in first.
 */
export function directoryRoutes(app: FastifyInstance): void {
  // Wildcards, since Fastify limits a parameter to a hundred characters, and a username may have 150.
  app.get("/users/*", { schema: {} }, (request, reply) =>
    redirectToList(request, reply, "users", "username"),
  );
  for (const path of ["/organizations", "/organizations/*"]) {
    app.get(path, { schema: {} }, (request, reply) =>
      redirectToList(request, reply, "organizations", "slug"),
    );
  }
}

/** Redirects to a list, filtered by the name in the address, whether or not the name exists. */
function redirectToList(
  request: FastifyRequest,
  reply: FastifyReply,
  list: string,
  filter: string,
): FastifyReply {
  const { api, signIn } = request.server.site;
  const { "*": rest = "" } = request.params as { "*"?: string };
  const [name = ""] = rest.split("/");
  const address = `${api}${list}/${name === "" ? "" : `?${filter}=${encodeURIComponent(name)}`}`;
  if (request.viewer.kind !== "anonymous") return reply.redirect(address, 302);
  return reply.redirect(`${signIn}?next=${encodeURIComponent(address)}`, 302);
}
