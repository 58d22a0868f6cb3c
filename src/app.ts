import { type FastifyInstance, type FastifyServerOptions, LogController, fastify } from "fastify";
import type { Context } from "./context.ts";
import { ChangeWatch } from "./http/response/change-watch.ts";
import { notFound } from "./errors.ts";
import { answerErrors, answerMisaddressed, answerUnreadable } from "./http/response/errors.ts";
import { compressResponses } from "./http/response/compression.ts";
import { withoutFormatSuffix } from "./http/request/negotiation.ts";
import { RequestIds, RequestLog } from "./http/response/request-log.ts";
import { observeTaggedResponses } from "./http/response/tagged-responses.ts";
import { createHttpServer } from "./http/server.ts";
import { refuseOtherMethods } from "./http/refused-methods.ts";
import { clientAddressWith } from "./http/request/client-address.ts";
import { Query } from "./http/request/query.ts";
import { readBodies } from "./http/request/body.ts";
import { readRequests } from "./http/requests.ts";
import { KnownFailures } from "./resources/documents/files/known-failures.ts";
import { PdfReadingQueue } from "./resources/documents/files/pdf-reading-queue.ts";
import { OpenPdfs } from "./resources/documents/files/open-pdfs.ts";
import { Publisher } from "./resources/documents/record/publisher.ts";
import { ResponseCache } from "./resources/documents/list/response-cache.ts";
import { keepRecordsStored } from "./resources/documents/record-store.ts";
import { UploadAddresses } from "./resources/documents/files/upload-addresses.ts";
import { refuseBeyondRun } from "./resources/addons/run-access.ts";
import { visitorOf } from "./resources/guests/guest-viewer.ts";
import { notesOf } from "./resources/notes/of-documents.ts";
import { sectionsOf } from "./resources/sections/of-documents.ts";
import { Branding } from "./resources/branding/branding.ts";
import { authenticator } from "./resources/users/credentials/authentication.ts";
import { TokenUses } from "./resources/users/credentials/token-uses.ts";
import { refusalOf, resourceOf } from "./web/mcp/audience.ts";
import { renderErrorPage } from "./web/error-page.ts";
import { followAllCommits } from "./serving/followers.ts";
import { scheduleOf } from "./serving/schedule.ts";
import { siteOf } from "./web/site.ts";
import { readStaticFiles } from "./web/static-routes.ts";
import { SiteBrand } from "./web/style/site-brand.ts";
import { prepareBundles } from "./web/viewer-bundle.ts";
import { routes } from "./routes.ts";
import type { Services } from "./services.ts";

/**
 * Bodies are checked field by field, and records are sent as bytes that are already serialized. So Fastify's own
 * compilers of schemas, which it loads unless it is given others, would only cost memory and time.
 */
const nothingCompiled = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => JSON.stringify,
} as unknown as NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>;

/** Builds the HTTP application: first the hooks that run for every request, then the routes. */
export function buildApp(context: Context): FastifyInstance {
  const { config, database, limits, log } = context;
  keepRecordsStored(database);
  if (!config.readOnly) followAllCommits(context);
  const branding = new Branding(database);
  const publisher = new Publisher(database, { isReadOnly: config.readOnly });
  const requestIds = new RequestIds();
  const addressOf = config.logVisitors ? clientAddressWith(config.trustProxy) : null;
  const requestLog = new RequestLog(log, { metrics: context.metrics, addressOf });
  const responses = new ResponseCache(
    () => publisher.caughtUp(() => branding.versionOfPages()),
    requestIds,
    requestLog,
    { readsStandbys: database.standbys !== null },
  );
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A busy machine may take long to start. Whoever waits for the server has a limit of their own.
    pluginTimeout: 0,
    genReqId: () => requestIds.next(),
    // Log lines about a request include its id themselves: a child logger for each would cost more than the line.
    childLoggerFactory: (logger) => logger,
    serverFactory: (application) =>
      createHttpServer(limits.before(responses.before(application), application)),
    rewriteUrl: ({ url = "/" }) => withoutFormatSuffix(url),
    trustProxy: config.trustProxy,
    frameworkErrors: answerMisaddressed,
    clientErrorHandler: answerUnreadable,
    routerOptions: { querystringParser: (text) => Query.parse(text) as unknown as Record<string, unknown> },
    schemaController: { compilersFactory: nothingCompiled },
  }) as unknown as FastifyInstance;
  const services = openServices(app, context, { publisher, branding });

  app.decorate("site", siteOf(config, services.staticFiles, services.brand));
  readBodies(app);
  readRequests(app, {
    log,
    requestLog,
    limits,
    async authenticate(request) {
      const resource = resourceOf(config, request);
      const viewer = await services.authenticate(request.headers, resource).catch((error: unknown) => {
        throw refusalOf(config, request, error);
      });
      if (viewer.kind === "user" && viewer.run !== undefined) refuseBeyondRun(viewer.run, request);
      return visitorOf(context, request, viewer);
    },
    allowedOrigins: config.allowedOrigins ?? [],
    addresses: config,
    hstsSeconds: config.hstsSeconds,
    isReadOnly: config.readOnly,
  });
  compressResponses(app);
  observeTaggedResponses(app, (request, response) => responses.remember(request, response));
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config.needsNoDatabase === true) {
      done();
      return;
    }
    context.database.presence?.check();
    // Refused before the body is read: without a route there is no accepted content type.
    publisher.catchUp(() => done(request.is404 ? notFound() : undefined));
  });
  answerErrors(app, (site, status, title, message) => renderErrorPage({ site, status, title, message }));
  refuseOtherMethods(app, () => {
    for (const [, register] of routes) register(app, context, services);
  });
  return app;
}

function openServices(
  app: FastifyInstance,
  context: Context,
  { publisher, branding }: Pick<Services, "publisher" | "branding">,
): Services {
  const { database, log, secrets } = context;
  const tokenUses = new TokenUses(database, log);
  const pdfs = new OpenPdfs(context.pdfs, log, context.processes);
  const readings = new PdfReadingQueue(pdfs, new KnownFailures(), context.semaphores);
  const uploads = new UploadAddresses(secrets);
  const parts = { sections: sectionsOf(database), notes: notesOf(database) };
  app.addHook("onListen", () => {
    // If it fails, the page that needs a bundle says why.
    void prepareBundles().catch(() => undefined);
  });
  const schedule = scheduleOf(context, publisher, branding);
  app.addHook("onReady", () => schedule.start());
  app.addHook("onClose", async () => {
    await Promise.all([schedule.stop(), tokenUses.settled(), readings.settled(), pdfs.close()]);
    await publisher.settled();
  });
  return {
    publisher,
    branding,
    brand: new SiteBrand(context.config, branding),
    changes: new ChangeWatch(database),
    schedule,
    authenticate: authenticator(context, tokenUses),
    uploads,
    parts,
    records: { database, uploads, parts },
    readings,
    staticFiles: readStaticFiles(),
  };
}
