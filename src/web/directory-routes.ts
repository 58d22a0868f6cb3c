import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { findPublisher, findPublishingOrganization } from "../resources/users/list-store.ts";

/**
 * The addresses of people and organizations in DocumentCloud's accounts service. They redirect signed-in users to lists
 * of the API, which browsers get as pages, and everyone else to the public documents.
 */
export function directoryRoutes(app: FastifyInstance, { database }: Context): void {
  const users: Directory = {
    list: "users",
    filter: "username",
    field: "user",
    find: (name) => findPublisher(database, name),
  };
  const organizations: Directory = {
    list: "organizations",
    filter: "slug",
    field: "organization",
    find: (slug) => findPublishingOrganization(database, slug),
  };
  // Wildcards, since Fastify limits a parameter to a hundred characters, and a username may have 150.
  for (const [path, directory] of [
    ["/users/*", users],
    ["/organizations", organizations],
    ["/organizations/*", organizations],
  ] as const) {
    app.get(path, { schema: {} }, async (request, reply) =>
      reply.redirect(await addressIn(directory, request), 302),
    );
  }
}

interface Directory {
  list: string;
  /** The filter of the list. */
  filter: string;
  /** The field in a search. */
  field: string;
  /** Finds an entry by its name, among those that everyone may know about. */
  find: (name: string) => Promise<number | null>;
}

/** The list, filtered by the name in the address, whether or not the name exists; or what the name has published. */
async function addressIn({ list, filter, field, find }: Directory, request: FastifyRequest): Promise<string> {
  const { api, home } = request.server.site;
  const { "*": rest = "" } = request.params as { "*"?: string };
  const [name = ""] = rest.split("/");
  if (request.viewer.kind !== "anonymous") {
    return `${api}${list}/${name === "" ? "" : `?${filter}=${encodeURIComponent(name)}`}`;
  }
  if (name === "") return home;
  const id = await find(name);
  if (id === null) throw notFound();
  return `${home}?q=${field}:${id}`;
}
