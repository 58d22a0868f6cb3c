import type { FastifyInstance } from "fastify";
import { type AddressSettings, addressesOf } from "./text/addresses.ts";
import { resourceRoute } from "./resource-route.ts";
import { dictionary, uri } from "./fields/schema-shapes.ts";
import type { View } from "./browsable/view.ts";

const view: View = {
  name: "Api Root",
  description: "The resources of this API and their addresses.",
};

/** Includes resources that are always empty: clients look here for the addresses they may request. */
const resources = [
  "documents",
  "organizations",
  "projects",
  "users",
  "addons",
  "addon_runs",
  "addon_events",
  "entities",
  "flatpages",
  "statistics",
  "documents/search/saved",
];

/** The resources of the API by name, with their addresses. */
export function apiRoot(app: FastifyInstance, settings: AddressSettings): void {
  resourceRoute(app, {
    path: "/api/",
    view,
    get: {
      schema: { gives: dictionary(uri(), { $id: "ApiRoot" }) },
      answer(request) {
        const { api } = addressesOf(settings, request);
        return Object.fromEntries(resources.map((name) => [name, `${api}/api/${name}/`]));
      },
    },
  });
}
