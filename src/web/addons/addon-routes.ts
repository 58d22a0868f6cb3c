import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { formOf } from "../../http/request/body.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { listStart } from "../../http/request/cursor.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { type Html, markupFrom } from "../../http/text/html.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { listEvents } from "../../resources/addons/event-store.ts";
import { createRun } from "../../resources/addons/manage-runs.ts";
import { presentAddon } from "../../resources/addons/present.ts";
import { listAddons } from "../../resources/addons/store.ts";
import { htmlCleaner } from "../../resources/notes/clean-html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { renderAddonPage, renderAddonsPage } from "./addon-pages.ts";
import { eventPagePaths, eventPageRoutes } from "./event-page-routes.ts";
import { chosenDocuments, getAddon, problemOf, runsOf, withAddons } from "./page-data.ts";
import type { Form } from "./parameter-inputs.ts";
import { valuesOf } from "./parameter-fields.ts";
import { runAddress } from "./run-pages.ts";
import { runPagePaths, runPageRoutes } from "./run-page-routes.ts";

export const addonPagePaths = [
  "/account/addons/",
  "/account/addons/:id/",
  ...runPagePaths,
  ...eventPagePaths,
] as const;

/** The pages on which people run add-ons. They need a session, and are there if the server runs add-ons. */
export function addonPageRoutes(app: FastifyInstance, context: Context): void {
  if (context.config.addonRunner === null) return;
  const path = `${app.site.account}addons/`;
  const options = { schema: {}, config: { takesLongQuery: true } };
  app.get("/account/addons/", options, async (request, reply) => {
    const viewer = sessionViewer(request);
    const query = queryOf(request);
    return viewer === null
      ? leadToSignIn(reply, `${path}${query.asSent()}`)
      : sendList(context, viewer, request, reply);
  });
  leadToSlash(app, "/account/addons/");

  app.get("/account/addons/:id/", options, async (request, reply) => {
    const viewer = sessionViewer(request);
    const id = idIn(request, "id");
    const query = queryOf(request);
    if (viewer === null) return leadToSignIn(reply, `${path}${id}/${query.asSent()}`);
    const form = new Map([
      ["document", query.list("document")],
      ["query", [query.last("query") ?? ""]],
    ]);
    return sendForm(context, viewer, request, reply, { form, problem: null });
  });
  leadToSlash(app, "/account/addons/:id/");

  app.post("/account/addons/:id/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    const { id, parameters } = await getAddon(context, viewer, idIn(request, "id"));
    const form = formOf(request);
    const documents = [...(form.get("document") ?? []), ...numbersIn(form)];
    const query = (form.get("query")?.at(-1) ?? "").trim();
    const members = new Map<string, unknown>([
      ["addon", id],
      ["parameters", valuesOf(parameters, form)],
      ["documents", documents.length === 0 ? null : [...new Set(documents)]],
      ["query", query === "" ? null : query],
    ]);
    try {
      const { uuid } = await createRun(context, viewer, members);
      return await reply.redirect(`${runAddress(app.site, uuid)}?done=started`, 303);
    } catch (error) {
      const problem = problemOf(error);
      reply.code(400);
      return sendForm(context, viewer, request, reply, { form, problem });
    }
  });
  runPageRoutes(app, context);
  eventPageRoutes(app, context);
}

/** What a person has typed into the field for the numbers of documents. */
const numbersIn = (form: Form): string[] =>
  (form.get("documents")?.at(-1) ?? "").split(/[\s,]+/).filter((one) => one !== "");

async function sendList(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { database } = context;
  const site = visitedSite(request);
  const query = queryOf(request);
  const addons = await listAddons(database, viewer, {}, listStart, pageLimits.max);
  const newest = { filters: {}, descending: true };
  const events = await listEvents(database, viewer, newest, listStart, pageLimits.max);
  const { done } = pageTexts(site).addons;
  const sentences = new Map(Object.entries(done));
  const said = query.last("done");
  const page = renderAddonsPage({
    site,
    csrfToken: viewer.csrfToken,
    addons: addons.rows.map(presentAddon),
    runs: await runsOf(context, viewer, site, { dismissed: false }),
    events: await withAddons(context, viewer, events.rows),
    chosen: said === undefined ? query.asSent() : "",
    done: sentences.get(said ?? "") ?? null,
  });
  return sendUncached(reply, site.home, page);
}

/** Chosen documents are named as far as the person may see them, up to a limit. The others stay numbers in a field. */
async function sendForm(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, problem }: { form: Form; problem: string | null },
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const addon = await getAddon(context, viewer, idIn(request, "id"));
  const asked = form.get("document") ?? [];
  const chosen = await chosenDocuments(context, viewer, site, asked.map(Number));
  const named = new Set(chosen.map(({ id }) => String(id)));
  const others = [...asked.filter((id) => !named.has(id)), ...numbersIn(form)];
  const page = renderAddonPage({
    site,
    csrfToken: viewer.csrfToken,
    addon,
    description: await markupOf(addon.parameters["description"]),
    instructions: await markupOf(addon.parameters["instructions"]),
    chosen,
    form: new Map([...form, ["documents", [others.join(", ")]]]),
    problem,
  });
  return sendUncached(reply, site.home, page);
}

/** It was cleaned when the add-on was registered, and is again: the rules may have changed. */
async function markupOf(value: unknown): Promise<Html> {
  const text = typeof value === "string" ? value : "";
  return markupFrom((await htmlCleaner(text))(text));
}
