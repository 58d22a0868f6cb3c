import type { FastifyInstance, RouteShorthandOptions } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { pageContent } from "../../http/response/representation.ts";
import { ErrorDetail, listOf } from "../../http/fields/schema-shapes.ts";
import { type ResourceRoute, resourceRoute } from "../../http/resource-route.ts";
import type { View } from "../../http/browsable/view.ts";
import { getParent } from "../documents/parent-document.ts";

/**
 * Collections that DocumentCloud has and Quire does not. They are always empty, so that clients that list them work.
 */
type Collection = readonly [path: string, name: string, what: string, also?: Partial<ResourceRoute>];

const collections: readonly Collection[] = [
  ["/api/flatpages/", "Flatpage List", "pages of a help desk", { writing: "nobody" }],
];

const ofDocuments: readonly Collection[] = [
  ["/api/documents/:id/legacy_entities/", "Legacy Entity List", "entities"],
  ["/api/documents/:id/legacy_entities_2/", "Legacy Entity List", "entities"],
  ["/api/documents/:id/dates/", "Date List", "dates"],
];

const listing = (what: string) => ({
  summary: `Always empty: there are no ${what}`,
  gives: listOf("EmptyList", { not: {} }),
  also: { 404: ErrorDetail },
});

function viewOf(name: string, what: string): View {
  return {
    name,
    description: `This service has no ${what}: the list is always empty.`,
  };
}

const notFoundRoute: RouteShorthandOptions = {
  schema: {},
  onRequest: (_request, _reply, done) => done(notFound()),
};

/** For a path that would otherwise be taken for an id. */
export function hidePath(app: FastifyInstance, path: string): void {
  app.all(path, notFoundRoute, () => undefined);
}

export const unsupportedPaths = [...collections, ...ofDocuments].map(([path]) => path);

export function unsupportedRoutes(app: FastifyInstance, { database }: Context): void {
  emptyLists(app, collections);
  for (const [path, name, what] of ofDocuments) {
    resourceRoute(app, {
      path,
      view: viewOf(name, what),
      parent: (request) => getParent(database, request.viewer, idIn(request, "id")),
      get: {
        schema: listing(what),
        async answer(request, viewer) {
          await getParent(database, viewer, idIn(request, "id"));
          return pageContent({ next: null, previous: null }, []);
        },
      },
    });
  }
}

/** Lists that are always empty. */
export function emptyLists(app: FastifyInstance, lists: readonly Collection[]): void {
  for (const [path, name, what, also] of lists) {
    resourceRoute(app, {
      ...also,
      path,
      view: viewOf(name, what),
      get: {
        schema: listing(what),
        answer: () => pageContent({ next: null, previous: null }, []),
      },
    });
  }
}
