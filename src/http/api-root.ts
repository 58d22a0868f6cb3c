import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type AddressSettings, addressesOf } from "./addresses.ts";
import { content, send } from "./representation.ts";
import { resourceRoute } from "./resource-route.ts";
import type { View } from "./view.ts";

const view: View = {
  name: "Api Root",
  description: "What this service offers to programs.",
  allow: "GET, HEAD, OPTIONS",
  above: [],
};

/** The resources of the API by name, with their addresses. */
export function apiRoot(app: FastifyInstance, settings: AddressSettings): void {
  resourceRoute(app, {
    path: "/api/",
    view,
    schema: { response: { 200: Type.Record(Type.String(), Type.String()) } },
    get(request, reply) {
      const { api } = addressesOf(settings, request);
      return send(request, reply, content({ documents: `${api}/api/documents/` }));
    },
  });
}
