import { type FastifyInstance, LogController, fastify } from "fastify";
import type { Context } from "./context.ts";
import { answerErrors, answerMisaddressed } from "./http/errors.ts";
import { apiRoot } from "./http/api-root.ts";
import { Front } from "./http/front.ts";
import { healthRoutes } from "./http/health.ts";
import { Query } from "./http/query.ts";
import { readRequests } from "./http/requests.ts";
import { assetRoutes } from "./resources/documents/asset-routes.ts";
import { documentRoutes } from "./resources/documents/routes.ts";
import { renderErrorPage } from "./web/error-page.ts";
import { webRoutes } from "./web/routes.ts";
import { siteOf } from "./web/site.ts";
import { readStaticFiles } from "./web/static-routes.ts";

/** The HTTP application: what every request meets, then the table of routes. */
export function buildApp(context: Context): FastifyInstance {
  const { config, log } = context;
  const front = new Front(() => context.database.version(), log);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: front.requestId,
    serverFactory: front.serverFactory,
    trustProxy: config.trustProxy,
    frameworkErrors: answerMisaddressed,
    routerOptions: { querystringParser: (text) => Query.parse(text) as unknown as Record<string, unknown> },
  }) as unknown as FastifyInstance;

  // Records leave as bytes that are written out already; a compiled serializer for each route would only cost memory.
  app.setSerializerCompiler(() => JSON.stringify);
  const staticFiles = readStaticFiles();
  app.decorate("site", siteOf(config, staticFiles));
  readRequests(app, log);
  front.observe(app);
  answerErrors(app, (status, title, message) => renderErrorPage({ site: app.site, status, title, message }));

  apiRoot(app, config);
  documentRoutes(app, context);
  assetRoutes(app, context);
  webRoutes(app, context);
  staticFiles.register(app);
  healthRoutes(app, context);
  return app;
}
