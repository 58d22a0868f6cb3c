import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { holdRoutes } from "./hold-routes.ts";

export const keepingPaths = ["/api/holds/", "/api/holds/:id/"] as const;

/** What keeps documents from deletion. */
export function keepingRoutes(app: FastifyInstance, context: Context): void {
  holdRoutes(app, context);
}
