import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { cancelRun } from "../../resources/addons/manage-runs.ts";
import { presentRun } from "../../resources/addons/present.ts";
import { ownRuns } from "../../resources/addons/run-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { chosenDocuments, withAddons } from "./page-data.ts";
import { renderRunPage, runAddress, runParts } from "./run-pages.ts";

export const runPagePaths = [
  "/account/addons/runs/:uuid/",
  "/account/addons/runs/:uuid/cancel/",
  "/account/addons/runs/:uuid/dismiss/",
] as const;

/** The page of a run, and what its buttons do. */
export function runPageRoutes(app: FastifyInstance, context: Context): void {
  const { database, jobs } = context;

  app.get("/account/addons/runs/:uuid/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    const uuid = uuidIn(request);
    if (viewer === null) return leadToSignIn(reply, runAddress(app.site, uuid));
    return sendRun(context, viewer, request, reply);
  });
  leadToSlash(app, "/account/addons/runs/:uuid/");

  app.post("/account/addons/runs/:uuid/cancel/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    const uuid = uuidIn(request);
    await database.write(async (writer) => cancelRun(writer, await ownRuns.lock(writer, viewer, { uuid })));
    jobs.notify();
    return reply.redirect(`${runAddress(app.site, uuid)}?done=cancelled`, 303);
  });

  app.post("/account/addons/runs/:uuid/dismiss/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    await database.write(async (writer) => {
      const { id } = await ownRuns.lock(writer, viewer, { uuid: uuidIn(request) });
      await ownRuns.change(writer, { id }, { dismissed: true, updated_at: timestampNow() });
    });
    return reply.redirect(`${app.site.account}addons/`, 303);
  });
}

async function sendRun(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const query = queryOf(request);
  const row = await ownRuns.get(context.database, viewer, { uuid: uuidIn(request) });
  const [shown] = await withAddons(context, viewer, [row]);
  if (shown === undefined) throw notFound();
  const run = { ...presentRun(row, site.api.slice(0, -"/api/".length)), addon: shown.addon };
  const view = { site, csrfToken: viewer.csrfToken, run };
  if (query.last("part") !== undefined) return sendUncached(reply, site.home, runParts(view).toString());
  const ids = JSON.parse(row.documents ?? "[]") as number[];
  const documents = await chosenDocuments(context, viewer, site, ids);
  const { done } = pageTexts(site).addons;
  const said = query.last("done");
  const page = renderRunPage({
    ...view,
    documents,
    more: ids.length - documents.length,
    query: row.query ?? "",
    parameters: JSON.parse(row.parameters) as Record<string, unknown>,
    event: row.event_id,
    done: said === "started" || said === "cancelled" ? done[said] : null,
  });
  return sendUncached(reply, site.home, page, { hasScript: true });
}
