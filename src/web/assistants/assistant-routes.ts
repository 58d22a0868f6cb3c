import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { consentPaths, consentRoutes } from "./consent-routes.ts";
import { metadataPaths, metadataRoutes } from "./metadata-routes.ts";
import { tokenPaths, tokenRoutes } from "./token-routes.ts";

export const assistantPaths = [...metadataPaths, ...consentPaths, ...tokenPaths] as const;

/** By which hosted assistants have people sign in. Without the setting, none of these addresses is there. */
export function assistantRoutes(app: FastifyInstance, context: Context): void {
  if (context.config.assistantSignIn === "off") return;
  metadataRoutes(app, context);
  consentRoutes(app, context);
  tokenRoutes(app, context);
}
