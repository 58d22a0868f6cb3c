import type { FastifyInstance } from "fastify";
import type { Context } from "./context.ts";
import type { Services } from "./services.ts";
import { apiRoot } from "./http/api-root.ts";
import { healthRoutes } from "./http/health.ts";
import { metricsRoutes } from "./http/metrics-routes.ts";
import { schemaRoutes } from "./http/schema-routes.ts";
import { addonPaths, addonRoutes } from "./resources/addons/routes.ts";
import { familyRoutes } from "./resources/documents/families/family-routes.ts";
import { assetRoutes } from "./resources/documents/files/asset-routes.ts";
import { unsupportedPaths, unsupportedRoutes } from "./resources/unsupported/routes.ts";
import { documentDataRoutes } from "./resources/documents/record/data-routes.ts";
import { spreadsheetRoutes } from "./resources/documents/spreadsheet/spreadsheet-routes.ts";
import { similarRoutes } from "./resources/documents/comparing/similar-routes.ts";
import { citationRoutes } from "./resources/documents/record/citation-routes.ts";
import { documentHistoryRoutes } from "./resources/documents/record/history-routes.ts";
import { originalRoutes } from "./resources/documents/files/original-routes.ts";
import { zipRoutes } from "./resources/documents/files/zip-routes.ts";
import { outlineRoutes } from "./resources/documents/files/outline-routes.ts";
import { processRoutes } from "./resources/documents/processing/process-routes.ts";
import { progressRoutes } from "./resources/documents/processing/progress-routes.ts";
import { rewriteRoutes } from "./resources/documents/rewriting/rewrite-routes.ts";
import { documentRoutes } from "./resources/documents/routes.ts";
import { mentionedPaths, mentionedRoutes } from "./resources/documents/mentioned/mentioned-routes.ts";
import { searchRoutes } from "./resources/documents/search/search-routes.ts";
import { treeRoutes } from "./resources/documents/tree/tree-routes.ts";
import { trashRoutes } from "./resources/documents/trash/trash-routes.ts";
import { duplicateRoutes } from "./resources/documents/uploads/duplicate-routes.ts";
import { replacementRoutes } from "./resources/documents/uploads/replacement-routes.ts";
import { tusRoutes } from "./resources/documents/uploads/tus-routes.ts";
import { uploadRoutes } from "./resources/documents/uploads/upload-routes.ts";
import { withheldRoutes } from "./resources/documents/withheld/withheld-routes.ts";
import { Oidc } from "./resources/identities/oidc.ts";
import { identityProviderRoutes } from "./resources/identities/routes.ts";
import { embedRoutes } from "./resources/embeds/routes.ts";
import { eventRoutes } from "./resources/events/routes.ts";
import { occurrenceRoutes } from "./resources/entities/occurrence-routes.ts";
import { entityRoutes } from "./resources/entities/routes.ts";
import { guestLinkRoutes } from "./resources/guests/routes.ts";
import { importPaths, importRoutes } from "./resources/imports/routes.ts";
import { productionPaths, productionRoutes } from "./resources/productions/routes.ts";
import { iiifRoutes } from "./resources/iiif/routes.ts";
import { auditPaths, auditRoutes } from "./resources/audit/routes.ts";
import { keepingPaths, keepingRoutes } from "./resources/keeping/routes.ts";
import { mailKeyPaths, mailKeyRoutes } from "./resources/mailkeys/routes.ts";
import { membershipRoutes } from "./resources/memberships/routes.ts";
import { searchedNotes } from "./resources/notes/of-documents.ts";
import { allNotesRoutes } from "./resources/notes/all-notes-routes.ts";
import { noteRoutes } from "./resources/notes/routes.ts";
import { organizationRoutes } from "./resources/organizations/routes.ts";
import { collaboratorRoutes } from "./resources/projects/collaborator-routes.ts";
import { projectRoutes } from "./resources/projects/routes.ts";
import { savedSearchPaths, savedSearchRoutes } from "./resources/searches/routes.ts";
import { sectionRoutes } from "./resources/sections/routes.ts";
import { statisticsRoutes } from "./resources/statistics/routes.ts";
import { isOrganizationKnownTo } from "./resources/users/access.ts";
import { tokenRoutes } from "./resources/users/credentials/token-routes.ts";
import { accountRoutes } from "./resources/account/routes.ts";
import { notificationRoutes } from "./resources/account/notification-routes.ts";
import { sharedRoutes } from "./resources/account/shared-routes.ts";
import { findLastBackup } from "./resources/administration/backup-run-store.ts";
import { peopleRoutes } from "./resources/administration/people-routes.ts";
import { brandingRoutes } from "./resources/branding/routes.ts";
import { systemRoutes } from "./resources/administration/system-routes.ts";
import { userRoutes } from "./resources/users/routes.ts";
import { webhookPaths, webhookRoutes } from "./resources/webhooks/routes.ts";
import { accountPagePaths, accountPageRoutes } from "./web/account/account-routes.ts";
import { workPageRoutes } from "./web/tray/tray-routes.ts";
import { notificationPageRoutes } from "./web/account/notification-page-routes.ts";
import { embedPageRoutes } from "./web/embed-routes.ts";
import { directoryRoutes } from "./web/directory-routes.ts";
import { feedPaths, feedRoutes } from "./web/feeds/feed-routes.ts";
import { quotationRoutes } from "./web/quotations/quotation-routes.ts";
import { assistantPaths, assistantRoutes } from "./web/assistants/assistant-routes.ts";
import { mcpRoutes } from "./web/mcp/mcp-routes.ts";
import { addonPagePaths, addonPageRoutes } from "./web/addons/addon-routes.ts";
import { guestPagePaths, guestPageRoutes } from "./web/guests/guest-routes.ts";
import { treePagePaths, treePageRoutes } from "./web/tree/tree-routes.ts";
import { importPagePaths, importPageRoutes } from "./web/imports/import-routes.ts";
import { mailKeyPagePaths, mailKeyPageRoutes } from "./web/mailkeys/mail-key-routes.ts";
import { productionPagePaths, productionPageRoutes } from "./web/productions/production-routes.ts";
import { projectPageRoutes } from "./web/projects/project-routes.ts";
import { searchPagePaths, searchPageRoutes, unsubscribeRoutes } from "./web/searches/search-routes.ts";
import { webRoutes } from "./web/routes.ts";
import { forgotPasswordRoutes } from "./web/account/forgot-password-routes.ts";
import { setPasswordRoutes } from "./web/account/set-password-routes.ts";
import { deskRoutes } from "./web/desk/desk-routes.ts";
import { uploadPageRoutes } from "./web/desk/upload-routes.ts";
import { mentionPagePaths, mentionsPageRoutes } from "./web/mentions/mentions-routes.ts";
import { comparisonRoutes } from "./web/comparing/comparison-routes.ts";
import { notesPageRoutes } from "./web/notes/notes-routes.ts";
import { signInPaths, signInRoutes } from "./web/account/sign-in-routes.ts";
import { webhookPagePaths, webhookPageRoutes } from "./web/account/webhook-routes.ts";

type Register = (app: FastifyInstance, context: Context, services: Services) => void;

/** Every route: the addresses, and the function that registers them. */
export const routes: readonly (readonly [addresses: readonly string[], register: Register])[] = [
  // First, because the schema lists the routes that are registered after it.
  [["/api/schema/", "/api/schema/docs/"], (app, { config }) => schemaRoutes(app, config)],
  [["/api/"], (app, { config }) => apiRoot(app, config)],
  [
    ["/api/documents/", "/api/documents/:id/"],
    (app, context, { records, publisher }) => documentRoutes(app, context, records, publisher),
  ],
  [["/api/documents/:id/data/", "/api/documents/:id/data/:key/"], documentDataRoutes],
  [["/api/documents/:id/history/"], documentHistoryRoutes],
  [["/api/documents/:id/citation/"], citationRoutes],
  [["/api/documents/:id/outline/"], (app, context, { readings }) => outlineRoutes(app, context, readings)],
  [
    ["/api/documents/search/", "/api/documents/search/suggest/", "/api/documents/:id/search/"],
    (app, context) => searchRoutes(app, context, searchedNotes(context.database)),
  ],
  [savedSearchPaths, savedSearchRoutes],
  [
    [
      "/api/documents/process/",
      "/api/documents/:id/process/",
      "/api/documents/pending/",
      "/api/documents/:id/pending/",
      "/api/documents/:id/errors/",
      "/api/documents/:id/receipts/",
    ],
    processRoutes,
  ],
  [["/api/documents/:id/process/events/", "/api/documents/process/events/"], progressRoutes],
  [["/api/documents/:id/file/"], replacementRoutes],
  [["/api/documents/duplicates/"], duplicateRoutes],
  [["/api/documents/tree/"], treeRoutes],
  [["/api/documents/zip/"], zipRoutes],
  [
    ["/api/documents/spreadsheet/", "/api/documents/spreadsheet/export/"],
    (app, context) => spreadsheetRoutes(app, context, searchedNotes(context.database)),
  ],
  [
    ["/api/documents/trash/", "/api/documents/trash/restore/"],
    (app, context, { publisher }) => trashRoutes(app, context, publisher),
  ],
  [
    [
      "/api/documents/redactions/",
      "/api/documents/:id/mentions/",
      "/api/documents/:id/redactions/",
      "/api/documents/:id/modifications/",
      "/api/documents/:id/modifications/post_process/",
      "/api/documents/:id/redacted_copies/",
    ],
    (app, context, services) => rewriteRoutes(app, context, services),
  ],
  [
    ["/api/documents/:id/withheld/", "/api/redaction_reasons/", "/api/admin/redaction_reasons/"],
    withheldRoutes,
  ],
  [["/api/documents/:id/family/"], familyRoutes],
  [["/api/documents/:id/similar/", "/api/documents/:id/comparison/"], similarRoutes],
  [mentionedPaths, (app, context) => mentionedRoutes(app, context, searchedNotes(context.database))],
  [["/api/documents/:id/table/", "/api/documents/:id/mail/"], originalRoutes],
  [["/api/documents/:id/notes/", "/api/documents/:id/notes/:note/"], noteRoutes],
  [keepingPaths, keepingRoutes],
  [auditPaths, auditRoutes],
  [["/api/notes/", "/api/notes/export/"], allNotesRoutes],
  [["/api/documents/:id/sections/", "/api/documents/:id/sections/:section/"], sectionRoutes],
  [["/api/documents/:id/entities/", "/api/documents/:id/entities/:entity/"], occurrenceRoutes],
  [["/api/entities/", "/api/entities/:id/"], entityRoutes],
  [["/api/projects/", "/api/projects/:id/"], projectRoutes],
  [
    ["/api/projects/:id/documents/", "/api/projects/:id/documents/:document/"],
    (app, context, { parts }) => membershipRoutes(app, context, parts),
  ],
  [["/api/projects/:id/users/", "/api/projects/:id/users/:user/"], collaboratorRoutes],
  [
    ["/api/organizations/", "/api/organizations/:id/"],
    (app, context) => organizationRoutes(app, context, isOrganizationKnownTo),
  ],
  [["/api/users/", "/api/users/me/", "/api/users/:id/"], userRoutes],
  [["/api/token/", "/api/refresh/"], tokenRoutes],
  [
    [
      "/api/account/",
      "/api/account/password/",
      "/api/account/tokens/",
      "/api/account/tokens/:id/",
      "/api/account/sessions/",
      "/api/account/sessions/:session/",
    ],
    accountRoutes,
  ],
  [["/api/account/shared/"], sharedRoutes],
  [["/api/account/notifications/"], notificationRoutes],
  [["/mcp"], mcpRoutes],
  [assistantPaths, assistantRoutes],
  [["/api/events/", "/api/events/stream/"], eventRoutes],
  [webhookPaths, webhookRoutes],
  [importPaths, importRoutes],
  [productionPaths, productionRoutes],
  [["/api/guest_links/", "/api/guest_links/:uuid/"], guestLinkRoutes],
  [mailKeyPaths, mailKeyRoutes],
  [mailKeyPagePaths, mailKeyPageRoutes],
  [["/api/statistics/"], statisticsRoutes],
  [
    [
      "/api/admin/users/",
      "/api/admin/users/:id/",
      "/api/admin/users/:id/link/",
      "/api/admin/users/:id/second_factors/",
      "/api/admin/organizations/",
      "/api/admin/organizations/:id/",
      "/api/admin/organizations/:id/members/",
      "/api/admin/organizations/:id/members/:user/",
    ],
    peopleRoutes,
  ],
  [
    [
      "/api/admin/health/",
      "/api/admin/settings/",
      "/api/admin/queue/",
      "/api/admin/jobs/",
      "/api/admin/jobs/:id/",
      "/api/admin/failures/",
      "/api/admin/storage/",
      "/api/admin/examination/",
      "/api/admin/sign-ins/",
      "/api/admin/mails/",
      "/api/admin/mails/:id/",
    ],
    (app, context, { schedule }) => systemRoutes(app, context, schedule),
  ],
  [["/api/admin/branding/"], (app, context, { branding }) => brandingRoutes(app, context, branding)],
  [
    ["", ":id/", ":id/check/"].map((rest) => `/api/admin/identity_providers/${rest}`),
    (app, context) => identityProviderRoutes(app, context, new Oidc(context.secrets)),
  ],
  [["/api/oembed/", "/api/oembed.json"], embedRoutes],
  [unsupportedPaths, unsupportedRoutes],
  [addonPaths, addonRoutes],
  [["/files/documents/:id/*"], (app, context, { readings }) => assetRoutes(app, context, readings)],
  [
    [
      "/iiif/:id/manifest.json",
      "/iiif/:id/text/:page.json",
      "/iiif/:id/notes/:page.json",
      "/iiif/:id/image/:page/info.json",
      "/iiif/:id/image/:page/full/:size/0/default.webp",
      "/iiif/:id/search/1.json",
      "/iiif/:id/search/2.json",
    ],
    (app, context, { readings }) => iiifRoutes(app, context, readings, searchedNotes(context.database)),
  ],
  [["/uploads/documents/:id/*"], (app, context, { uploads }) => uploadRoutes(app, context, uploads)],
  [
    ["/uploads/tus/", "/uploads/tus/:upload"],
    (app, context, { publisher, authenticate }) => tusRoutes(app, context, publisher, authenticate),
  ],
  [feedPaths, feedRoutes],
  [["/", "/documents/*"], webRoutes],
  [["/documents/:id/comparison/:other/"], comparisonRoutes],
  [mentionPagePaths, mentionsPageRoutes],
  [["/notes/"], notesPageRoutes],
  [["/notifications/"], notificationPageRoutes],
  [["/running/"], workPageRoutes],
  [["/api/quotations/", "/quotations/"], quotationRoutes],
  [["/projects/", "/projects/:name/", "/shared/"], projectPageRoutes],
  [
    ["/documents/:id/pages/:page/", "/documents/:id/annotations/:note/", "/embed/documents/:id/"],
    embedPageRoutes,
  ],
  [signInPaths, signInRoutes],
  [["/set-password/"], setPasswordRoutes],
  [["/forgot-password/"], forgotPasswordRoutes],
  [accountPagePaths, accountPageRoutes],
  [webhookPagePaths, webhookPageRoutes],
  [searchPagePaths, searchPageRoutes],
  [addonPagePaths, addonPageRoutes],
  [guestPagePaths, guestPageRoutes],
  [treePagePaths, treePageRoutes],
  [importPagePaths, importPageRoutes],
  [productionPagePaths, productionPageRoutes],
  [["/unsubscribe/:token/"], unsubscribeRoutes],
  [["/upload/"], (app, context, { publisher }) => uploadPageRoutes(app, context, publisher)],
  [
    ["/documents/", "/documents/spreadsheet/", "/documents/trash/", "/redact/", "/admin/", "/admin/:page/"],
    deskRoutes,
  ],
  [["/users/*", "/organizations", "/organizations/*"], directoryRoutes],
  [["/static/*"], (app, _context, { staticFiles, brand }) => staticFiles.register(app, brand)],
  [
    ["/livez", "/readyz"],
    (app, { database, files }) =>
      healthRoutes(app, { database, files, lastBackup: () => findLastBackup(database.reader) }),
  ],
  [
    ["/metrics"],
    (app, { config, metrics }, { authenticate }) =>
      metricsRoutes(app, config, { metrics, authenticate: ({ headers }) => authenticate(headers) }),
  ],
];
