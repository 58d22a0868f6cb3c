import type { FastifyInstance } from "fastify";
import { everyBody } from "./request/body.ts";
import { type AddressSettings, addressesOf } from "./text/addresses.ts";
import { content, send } from "./response/representation.ts";
import { resourceRoute } from "./resource-route.ts";
import { dictionary, uri } from "./fields/schema-shapes.ts";
import type { View } from "./browsable/view.ts";

const view: View = {
  name: "Api Root",
  description: "The resources of this API and their addresses.",
  parses: everyBody,
  above: [],
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
      schema: { response: { 200: dictionary(uri(), { $id: "ApiRoot" }) } },
      handler(request, reply) {
        const { api } = addressesOf(settings, request);
        const address = (name: string): [string, string] => [name, `${api}/api/${name}/`];
        return send(request, reply, content(Object.fromEntries(resources.map(address))));
      },
    },
  });
}
