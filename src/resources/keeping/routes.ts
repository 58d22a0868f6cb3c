import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { holdRoutes } from "./hold-routes.ts";
import { retentionRoutes } from "./retention-routes.ts";

export const keepingPaths = [
  "/api/holds/",
  "/api/holds/:id/",
  "/api/holds/:id/documents/",
  "/api/admin/retention_rules/",
  "/api/admin/retention_rules/:id/",
  "/api/admin/dispositions/",
  "/api/admin/certificates/",
] as const;

/** What keeps documents from deletion, and what deletes them when their time has come. */
export function keepingRoutes(app: FastifyInstance, context: Context): void {
  holdRoutes(app, context);
  retentionRoutes(app, context);
}
