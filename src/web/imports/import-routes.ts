import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { idNeighbours, pageLinks } from "../../http/request/pagination.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { processAgainFields } from "../../resources/imports/fields.ts";
import { presentProgress, recentTime } from "../../resources/imports/present.ts";
import { processAgain } from "../../resources/imports/process-again.ts";
import { filterIn, getImport, presentFiles, presentImports } from "../../resources/imports/read-imports.ts";
import { countImportFiles, listImportFiles, listImports } from "../../resources/imports/store.ts";
import { sendUncached } from "../account/form-pages.ts";
import {
  type ImportView,
  importAddress,
  importParts,
  problemStates,
  renderImportPage,
  renderImportsPage,
} from "./import-pages.ts";

export const importPagePaths = ["/imports/", "/imports/:id/", "/imports/:id/process/"] as const;

/** The pages on which people watch imports, and find what has become of each file. They need a session. */
export function importPageRoutes(app: FastifyInstance, context: Context): void {
  app.get("/imports/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    return viewer === null
      ? leadToSignIn(reply, `${app.site.home}imports/`)
      : sendList(context, viewer, request, reply);
  });
  leadToSlash(app, "/imports/");

  app.get("/imports/:id/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, importAddress(app.site, idIn(request, "id")));
    return sendOne(context, viewer, request, reply);
  });
  leadToSlash(app, "/imports/:id/");

  app.post("/imports/:id/process/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const viewer = formSender(request);
    const { row } = await getImport(context, viewer, idIn(request, "id"));
    await processAgain(context, viewer, row.id, membersIn(processAgainFields, bodyOf(request)));
    return reply.redirect(`${importAddress(app.site, row.id)}?done=started`, 303);
  });
}

async function sendList(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const query = queryOf(request);
  const cursor = decodeCursor(query.last("cursor"), null);
  const page = await listImports(context.database, viewer, cursor, pageLimits.usual);
  const links = pageLinks(`${site.home}imports/`, query, idNeighbours(page, cursor, "descending"));
  const imports = await presentImports(context, viewer, page.rows);
  return sendUncached(reply, site.home, renderImportsPage({ site, imports, ...links }));
}

async function sendOne(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config, database } = context;
  const site = visitedSite(request);
  const query = queryOf(request);
  const { row, document } = await getImport(context, viewer, idIn(request, "id"));
  const groups = await countImportFiles(database.reader, row.id, recentTime());
  const shown = presentProgress(row, document, groups);
  if (query.last("part") !== undefined)
    return sendUncached(reply, site.home, importParts({ site, shown }).toString());
  const { web } = addressesOf(config, request);
  const asked = filterIn(query);
  const filter = query.last("state") === undefined ? { ...asked, states: problemStates } : asked;
  const cursor = decodeCursor(query.last("cursor"), null);
  const page = await listImportFiles(database, row.id, filter, cursor, pageLimits.usual);
  const view: ImportView = {
    site,
    csrfToken: viewer.csrfToken,
    shown,
    archive: document === null ? null : documentAddress(site.home.slice(0, -1), document),
    files: await presentFiles(context, viewer, web, page.rows),
    ...filter,
    extension: filter.extension ?? "",
    isStarted: query.last("done") === "started",
    ...pageLinks(importAddress(site, row.id), query, idNeighbours(page, cursor)),
  };
  return sendUncached(reply, site.home, renderImportPage(view), { hasScript: true });
}
