import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Where the pages of DocumentCloud's accounts service are linked to: people and organizations. Here they are lists of
 * the API, which a browser is shown as a page. They are for people who have signed in, so others sign in first.
 */
export function directoryRoutes(app: FastifyInstance): void {
  // Wildcards: Fastify refuses a parameter of more than a hundred characters, and a username may have 150.
  app.get("/users/*", { schema: {} }, (request, reply) => leadTo(request, reply, "users", "username"));
  for (const path of ["/organizations", "/organizations/*"]) {
    app.get(path, { schema: {} }, (request, reply) => leadTo(request, reply, "organizations", "slug"));
  }
}

/** Leads to a list, narrowed to what the address names: whether there is such a one is for the list to say. */
function leadTo(request: FastifyRequest, reply: FastifyReply, list: string, filter: string): FastifyReply {
  const { api, signIn } = request.server.site;
  const { "*": rest = "" } = request.params as { "*"?: string };
  const [name = ""] = rest.split("/");
  const address = `${api}${list}/${name === "" ? "" : `?${filter}=${encodeURIComponent(name)}`}`;
  if (request.viewer.kind !== "anonymous") return reply.redirect(address, 302);
  return reply.redirect(`${signIn}?next=${encodeURIComponent(address)}`, 302);
}
