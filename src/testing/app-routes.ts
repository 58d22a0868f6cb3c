import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";

/** One method of an address, as the application has registered it. */
export interface AppRoute {
  method: string;
  /** As the router has it, with parameters: `/api/documents/:id/`. */
  path: string;
  /**
   * `operation`: it does something. `refusal`: the address does not have this method, and says so. `redirect`: it leads
   * to the same address with a slash.
   */
  kind: "operation" | "refusal" | "redirect";
}

/**
 * Builds an application. The second result has every route that it registers, and is complete when the application is
 * ready. The routes are those of the router, so a route cannot be left out.
 */
export function withItsRoutes(build: () => FastifyInstance): [FastifyInstance, AppRoute[]] {
  const routes: AppRoute[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    const registered: RouteOptions[] = [];
    fastify.addHook("onRoute", (route) => {
      registered.push(route);
    });
    fastify.addHook("onReady", async () => {
      const paths = new Set(registered.map(({ url }) => url));
      for (const route of registered) {
        for (const method of [route.method].flat()) {
          routes.push({ method, path: withoutDigest(route.url), kind: kindOf(route, method, paths) });
        }
      }
    });
  };
  subscribe("fastify.initialization", listen);
  try {
    return [build(), routes];
  } finally {
    unsubscribe("fastify.initialization", listen);
  }
}

function kindOf(
  { method: methods, url, config }: RouteOptions,
  method: string,
  paths: ReadonlySet<string>,
): AppRoute["kind"] {
  // `all` registers every method that the router knows, among them TRACE.
  if ([methods].flat().includes("TRACE") && paths.has(`${url}/`)) return "redirect";
  const { allow } = config ?? {};
  return allow !== undefined && !allow.split(", ").includes(method) ? "refusal" : "operation";
}

/** Static files carry a digest in their names. */
function withoutDigest(url: string): string {
  return url.replace(/-[0-9a-f]{12}(?=\.\w+$)/, "-:digest");
}
