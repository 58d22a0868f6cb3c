import { Type } from "./fields/json-schema.ts";
import type { FastifyInstance, RouteOptions } from "fastify";
import { type AddressSettings, addressesOf } from "./text/addresses.ts";
import { openApiDocument } from "./schema/openapi-document.ts";
import type { DocumentedRoute, RouteSchemas } from "./schema/openapi-types.ts";
import { formSecurityPolicy } from "./browsable/page-shell.ts";
import { sendPage } from "./response/representation.ts";
import { resourceRoute } from "./resource-route.ts";
import { renderSchemaPage } from "./schema/schema-page.ts";
import type { View } from "./browsable/view.ts";
import { visitedSite } from "./browsable/visited-site.ts";

const schemaView: View = {
  name: "Schema",
  description: "The OpenAPI 3.1 document of this API, made from its routes. For people: /api/schema/docs/.",
  parses: [],
};

/** Must be registered before the routes that it describes. */
export function schemaRoutes(app: FastifyInstance, settings: AddressSettings): void {
  const routes: DocumentedRoute[] = [];
  app.addHook("onRoute", (route) => {
    routes.push(...documented(route));
  });

  resourceRoute(app, {
    path: "/api/schema/",
    view: schemaView,
    get: {
      schema: {
        gives: Type.Object(
          { openapi: Type.String() },
          { $id: "OpenApiDocument", additionalProperties: true },
        ),
      },
      answer: (request) => openApiDocument(routes, addressesOf(settings, request).api),
    },
  });

  app.get("/api/schema/docs", { schema: {} }, (_request, reply) => reply.redirect("docs/", 301));

  app.get("/api/schema/docs/", { schema: {} }, (request, reply) => {
    const document = openApiDocument(routes, addressesOf(settings, request).api);
    reply.header("content-security-policy", formSecurityPolicy);
    return sendPage(reply, renderSchemaPage({ ...visitedSite(request), language: "en" }, document));
  });
}

/** API routes declare a response schema; pages for people do not. */
function documented({ method, url, schema = {}, config }: RouteOptions): DocumentedRoute[] {
  const { hide, response } = schema as { hide?: boolean; response?: unknown };
  const view = config?.view;
  if (hide === true || (view === undefined && response === undefined)) return [];
  return [method]
    .flat()
    .filter((name) => name !== "OPTIONS")
    .map((name) => ({
      method: name,
      path: url,
      schema: schema as RouteSchemas,
      view,
      allow: config?.allow ?? "",
      needsSignIn: config?.needsSignIn ?? false,
      takesFile: config?.takesFile !== undefined,
    }));
}
