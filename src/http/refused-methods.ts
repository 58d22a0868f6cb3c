import type { FastifyContextConfig, FastifyInstance } from "fastify";
import { methodNotAllowed } from "../errors.ts";
import { unpublished } from "./resource-route.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Methods that no address has, and that the router knows. */
const unusual = ["TRACE", "QUERY"] as const;

/** The routes of one address. */
interface Address {
  methods: Set<string>;
  config: FastifyContextConfig;
}

/**
 * Answers the methods that an address does not have with 405, and OPTIONS with what it has. `register` registers all
 * routes. Addresses that not everyone may know of are left out: other methods find nothing there, as at an address that
 * does not exist. The answer depends on the address alone, so it tells nothing about the object that the address names.
 */
export function refuseOtherMethods(app: FastifyInstance, register: () => void): void {
  const addresses = new Map<string, Address>();
  app.addHook("onRoute", ({ url, method, config = {} }) => {
    const address = addresses.get(url) ?? { methods: new Set(), config };
    for (const name of [method].flat()) address.methods.add(name);
    addresses.set(url, address);
  });
  register();
  // Plugins are loaded in their order, and some routes are in plugins.
  void app.register((scope, _options, done) => {
    for (const [url, address] of addresses) if (address.config.isHidden !== true) refuse(scope, url, address);
    done();
  });
}

function refuse(app: FastifyInstance, url: string, { methods: known, config: own }: Address): void {
  const missing = [...methods, ...unusual].filter((method) => !known.has(method));
  const allow = [...methods, "HEAD"].filter((method) => known.has(method));
  if (!known.has("HEAD") && known.has("GET")) allow.push("HEAD");
  const config = {
    allow: [...allow, "OPTIONS"].join(", "),
    ...(own.needsNoDatabase === true && { needsNoDatabase: true }),
  };
  if (missing.length > 0) {
    app.route({
      method: missing,
      url,
      schema: unpublished(),
      config,
      // Refused before the body is read.
      onRequest: (request) => {
        throw methodNotAllowed(request.method);
      },
      handler: () => undefined,
    });
  }
  if (!known.has("OPTIONS")) {
    app.options(url, { schema: unpublished(), config }, (_request, reply) =>
      reply.header("allow", config.allow).code(204).send(),
    );
  }
}
