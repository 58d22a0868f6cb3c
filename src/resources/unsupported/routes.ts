import type { FastifyInstance, RouteShorthandOptions } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { everyBody } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { pageContent, send } from "../../http/response/representation.ts";
import { Type } from "../../http/fields/json-schema.ts";
import { ErrorDetail, id, listOf } from "../../http/fields/schema-shapes.ts";
import { type ResourceRoute, resourceRoute } from "../../http/resource-route.ts";
import type { View } from "../../http/browsable/view.ts";
import { getParent } from "../documents/parent-document.ts";

const above = [{ name: "Api Root", path: "" }];

/**
 * Collections that DocumentCloud has and Quire does not. They are always empty, so that clients that list them work.
 */
type Collection = readonly [path: string, name: string, what: string, also?: Partial<ResourceRoute>];

const collections: readonly Collection[] = [
  ["/api/addons/", "Add On List", "add-ons"],
  ["/api/addon_runs/", "Add On Run List", "runs of add-ons"],
  ["/api/addon_events/", "Add On Event List", "events that start add-ons"],
  ["/api/flatpages/", "Flatpage List", "pages of a help desk", { writing: "nobody" }],
];

const ofDocuments: readonly Collection[] = [
  ["/api/documents/:id/legacy_entities/", "Legacy Entity List", "entities"],
  ["/api/documents/:id/legacy_entities_2/", "Legacy Entity List", "entities"],
  ["/api/documents/:id/dates/", "Date List", "dates"],
];

const empty = listOf("EmptyList", { not: {} });

const listing = (what: string) => ({
  summary: `Always empty: there are no ${what}`,
  response: { 200: empty, 404: ErrorDetail },
});

function viewOf(name: string, what: string): View {
  return {
    name,
    description: `This service has no ${what}: the list is always empty.`,
    parses: everyBody,
    above,
  };
}

/** For paths that would otherwise be taken for an id. */
const notFoundRoute: RouteShorthandOptions = {
  schema: {},
  onRequest: (_request, _reply, done) => done(notFound()),
};

export function unsupportedRoutes(app: FastifyInstance, { database }: Context): void {
  app.all("/api/users/mailkey/", notFoundRoute, () => undefined);
  for (const [path, name, what, also] of collections) {
    resourceRoute(app, {
      ...also,
      path,
      view: viewOf(name, what),
      get: {
        schema: listing(what),
        handler: async (request, reply) =>
          send(request, reply, await pageContent({ next: null, previous: null }, [])),
      },
    });
  }
  for (const [path, name, what] of ofDocuments) {
    resourceRoute(app, {
      path,
      view: viewOf(name, what),
      parent: (request) => getParent(database, request.viewer, idIn(request, "id")),
      get: {
        schema: {
          ...listing(what),
          params: Type.Object({ id: id("the document's id") }),
        },
        async handler(request, reply) {
          await getParent(database, request.viewer, idIn(request, "id"));
          return send(request, reply, await pageContent({ next: null, previous: null }, []));
        },
      },
    });
  }
}
