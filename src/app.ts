import { type FastifyInstance, LogController, fastify } from "fastify";
import type { Context } from "./context.ts";
import { answerErrors, answerMisaddressed, answerUnreadable } from "./http/response/errors.ts";
import { apiRoot } from "./http/api-root.ts";
import { withoutFormatSuffix } from "./http/request/format-suffix.ts";
import { Front } from "./http/response/front.ts";
import { healthRoutes } from "./http/health.ts";
import { Query } from "./http/request/query.ts";
import { readBodies } from "./http/request/body.ts";
import { readRequests } from "./http/requests.ts";
import { schemaRoutes } from "./http/schema-routes.ts";
import { assetRoutes } from "./resources/documents/files/asset-routes.ts";
import { unsupportedRoutes } from "./resources/unsupported/routes.ts";
import { documentDataRoutes } from "./resources/documents/record/data-routes.ts";
import { documentHistoryRoutes } from "./resources/documents/record/history-routes.ts";
import { OpenPdfs } from "./resources/documents/files/open-pdfs.ts";
import { processRoutes } from "./resources/documents/processing/process-routes.ts";
import { progressRoutes } from "./resources/documents/processing/progress-routes.ts";
import { Publisher } from "./resources/documents/record/publisher.ts";
import { RecordCache } from "./resources/documents/record/record-cache.ts";
import { removeFilesOfDeleted } from "./resources/documents/record/remove-files.ts";
import { rewriteRoutes } from "./resources/documents/rewriting/rewrite-routes.ts";
import { documentRoutes } from "./resources/documents/routes.ts";
import { searchRoutes } from "./resources/documents/search/search-routes.ts";
import { tusRoutes } from "./resources/documents/uploads/tus-routes.ts";
import { UploadAddresses } from "./resources/documents/files/upload-addresses.ts";
import { uploadRoutes } from "./resources/documents/uploads/upload-routes.ts";
import { embedRoutes } from "./resources/embeds/routes.ts";
import { occurrenceRoutes } from "./resources/entities/occurrence-routes.ts";
import { entityRoutes } from "./resources/entities/routes.ts";
import { membershipRoutes } from "./resources/memberships/routes.ts";
import { notesOf, searchedNotes } from "./resources/notes/of-documents.ts";
import { noteRoutes } from "./resources/notes/routes.ts";
import { organizationRoutes } from "./resources/organizations/routes.ts";
import { collaboratorRoutes } from "./resources/projects/collaborator-routes.ts";
import { projectRoutes } from "./resources/projects/routes.ts";
import { savedSearchRoutes } from "./resources/searches/routes.ts";
import { sectionsOf } from "./resources/sections/of-documents.ts";
import { sectionRoutes } from "./resources/sections/routes.ts";
import { statisticsRoutes } from "./resources/statistics/routes.ts";
import { isOrganizationKnownTo } from "./resources/users/access.ts";
import { authenticator } from "./resources/users/credentials/authentication.ts";
import { TokenUses } from "./resources/users/credentials/token-uses.ts";
import { tokenRoutes } from "./resources/users/credentials/token-routes.ts";
import { userRoutes } from "./resources/users/routes.ts";
import { embedPageRoutes } from "./web/embed-routes.ts";
import { directoryRoutes } from "./web/directory-routes.ts";
import { renderErrorPage } from "./web/error-page.ts";
import { webRoutes } from "./web/routes.ts";
import { signInRoutes } from "./web/sign-in-routes.ts";
import { siteOf } from "./web/site.ts";
import { readStaticFiles } from "./web/static-routes.ts";

/** The HTTP application: what every request meets, then the table of routes. */
export function buildApp(context: Context): FastifyInstance {
  const { config, log } = context;
  const publisher = new Publisher(context.database, log);
  const front = new Front(() => publisher.caughtUp(() => context.database.version()), log);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: front.requestId,
    serverFactory: front.serverFactory,
    rewriteUrl: ({ url = "/" }) => withoutFormatSuffix(url),
    trustProxy: config.trustProxy,
    frameworkErrors: answerMisaddressed,
    clientErrorHandler: answerUnreadable,
    routerOptions: { querystringParser: (text) => Query.parse(text) as unknown as Record<string, unknown> },
  }) as unknown as FastifyInstance;

  // Records leave as bytes that are written out already; a compiled serializer for each route would only cost memory.
  app.setSerializerCompiler(() => JSON.stringify);
  const staticFiles = readStaticFiles();
  app.decorate("site", siteOf(config, staticFiles));
  app.setValidatorCompiler(() => () => true);
  readBodies(app);
  const tokenUses = new TokenUses(context.database, log);
  app.addHook("onClose", () => tokenUses.settled());
  const authenticate = authenticator(context, tokenUses);
  readRequests(app, {
    log,
    authenticate: ({ headers }) => authenticate(headers),
    allowedOrigins: config.allowedOrigins ?? [],
    url: config.url,
    hstsSeconds: config.hstsSeconds,
  });
  front.observe(app);
  app.addHook("onRequest", ({ routeOptions }, _reply, done) => {
    if (routeOptions.config.needsNoDatabase === true) done();
    else publisher.catchUp(done);
  });
  app.addHook("onReady", async () => {
    publisher.start();
    await removeFilesOfDeleted(context);
  });
  app.addHook("onClose", () => publisher.stop());
  answerErrors(app, (site, status, title, message) => renderErrorPage({ site, status, title, message }));

  const pdfs = new OpenPdfs(context.pdfs, log);
  app.addHook("onClose", () => pdfs.close());
  const uploads = new UploadAddresses(context.secrets);
  const parts = { sections: sectionsOf(context.database), notes: notesOf(context.database) };
  const cache = new RecordCache(config.recordCacheMb);
  const records = { database: context.database, cache, uploads, parts };
  schemaRoutes(app, config);
  apiRoot(app, config);
  documentRoutes(app, context, records, publisher);
  documentDataRoutes(app, context);
  searchRoutes(app, context, searchedNotes(context.database));
  documentHistoryRoutes(app, context);
  uploadRoutes(app, context, uploads);
  tusRoutes(app, context, publisher, authenticate);
  processRoutes(app, context);
  progressRoutes(app, context, authenticate);
  rewriteRoutes(app, context);
  assetRoutes(app, context, pdfs);
  projectRoutes(app, context);
  collaboratorRoutes(app, context);
  membershipRoutes(app, context, parts);
  noteRoutes(app, context);
  sectionRoutes(app, context);
  entityRoutes(app, context);
  occurrenceRoutes(app, context);
  savedSearchRoutes(app, context);
  organizationRoutes(app, context, isOrganizationKnownTo);
  userRoutes(app, context);
  tokenRoutes(app, context);
  statisticsRoutes(app, context);
  unsupportedRoutes(app, context);
  embedRoutes(app, context);
  embedPageRoutes(app, context);
  webRoutes(app, context);
  signInRoutes(app, context);
  directoryRoutes(app);
  staticFiles.register(app);
  healthRoutes(app, context);
  return app;
}
