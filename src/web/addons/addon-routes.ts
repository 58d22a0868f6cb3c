import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Addon, AddonRun } from "../../contract/addon.ts";
import { pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { ApiError, notFound } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { bodyOf } from "../../http/request/body.ts";
import { listStart } from "../../http/request/cursor.ts";
import { idIn, uuidIn } from "../../http/request/path-parameters.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { type Html, markupFrom } from "../../http/text/html.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { cancelRun, createRun, lockOwnRun } from "../../resources/addons/manage-runs.ts";
import { presentAddon, presentRun } from "../../resources/addons/present.ts";
import { listRuns, updateRun } from "../../resources/addons/run-store.ts";
import { findAddon, findAddonsFor, listAddons } from "../../resources/addons/store.ts";
import { htmlCleaner } from "../../resources/notes/clean-html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { renderAddonPage, renderAddonsPage } from "./addon-pages.ts";
import { valuesOf } from "./parameter-fields.ts";

export const addonPagePaths = [
  "/account/addons/",
  "/account/addons/:id/",
  "/account/addons/runs/:uuid/cancel/",
  "/account/addons/runs/:uuid/dismiss/",
] as const;

type Form = ReadonlyMap<string, readonly string[]>;

/** The pages on which people run add-ons. They need a session, and are there if the server runs add-ons. */
export function addonPageRoutes(app: FastifyInstance, context: Context): void {
  if (context.config.addonRunner === null) return;
  const path = `${app.site.account}addons/`;
  app.get("/account/addons/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    const query = queryOf(request);
    return viewer === null
      ? leadToSignIn(reply, `${path}${query.asSent()}`)
      : sendList(context, viewer, request, reply);
  });
  leadToSlash(app, "/account/addons/");

  app.get("/account/addons/:id/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    const id = idIn(request, "id");
    const query = queryOf(request);
    if (viewer === null) return leadToSignIn(reply, `${path}${id}/${query.asSent()}`);
    const form = new Map([
      ["documents", [query.list("document").join(", ")]],
      ["query", [query.last("query") ?? ""]],
    ]);
    return sendForm(context, viewer, request, reply, { form, problem: null });
  });

  app.post("/account/addons/:id/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    const { id, parameters } = await getAddon(context, viewer, request);
    const body = bodyOf(request);
    const form: Form = "form" in body ? body.form : new Map();
    const text = (name: string): string => (form.get(name)?.at(-1) ?? "").trim();
    const documents = text("documents")
      .split(/[\s,]+/)
      .filter((one) => one !== "");
    const members = new Map<string, unknown>([
      ["addon", id],
      ["parameters", valuesOf(parameters, form)],
      ["documents", documents.length === 0 ? null : documents],
      ["query", text("query") === "" ? null : text("query")],
    ]);
    try {
      await createRun(context, viewer, members);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      const problem = Object.values(error.body as Record<string, unknown>)
        .flat(2)
        .map(String)
        .join(" ");
      const texts = new Map([...form].map(([name, values]) => [name.replace(/^p-/, ""), values]));
      reply.code(400);
      return sendForm(context, viewer, request, reply, { form: texts, problem });
    }
    return reply.redirect(`${path}?done=started`, 303);
  });
  runRoutes(app, context);
}

function runRoutes(app: FastifyInstance, context: Context): void {
  const { database, jobs } = context;
  const path = `${app.site.account}addons/`;

  app.post("/account/addons/runs/:uuid/cancel/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    await database.write(async (writer) =>
      cancelRun(writer, await lockOwnRun(context, writer, viewer, uuidIn(request))),
    );
    jobs.notify();
    return reply.redirect(`${path}?done=cancelled`, 303);
  });

  app.post("/account/addons/runs/:uuid/dismiss/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    await database.write(async (writer) => {
      const { id } = await lockOwnRun(context, writer, viewer, uuidIn(request));
      await updateRun(writer, id, { dismissed: true, updated_at: timestampNow() });
    });
    return reply.redirect(path, 303);
  });
}

async function getAddon(
  { database }: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
): Promise<Addon> {
  const row = await findAddon(database.reader, viewer, idIn(request, "id"));
  if (row === null) throw notFound();
  return presentAddon(row);
}

async function sendList(
  { database }: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const query = queryOf(request);
  const addons = await listAddons(database, viewer, {}, listStart, pageLimits.max);
  const some = { filters: { dismissed: false }, descending: true };
  const { rows } = await listRuns(database, viewer, some, listStart, pageLimits.usual);
  const known = await findAddonsFor(database, viewer, [...new Set(rows.map(({ addon_id }) => addon_id))]);
  const runs = rows.flatMap((row): (AddonRun & { addon: Addon })[] => {
    const addon = known.get(row.addon_id);
    const api = site.api.slice(0, -"/api/".length);
    return addon === undefined ? [] : [{ ...presentRun(row, api), addon: presentAddon(addon) }];
  });
  const { done } = pageTexts(site).addons;
  const said = query.last("done");
  const page = renderAddonsPage({
    site,
    csrfToken: viewer.csrfToken,
    addons: addons.rows.map(presentAddon),
    runs,
    chosen: said === undefined ? query.asSent() : "",
    done: said === "started" || said === "cancelled" ? done[said] : null,
  });
  return sendUncached(reply, site.home, page);
}

async function sendForm(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, problem }: { form: Form; problem: string | null },
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const addon = await getAddon(context, viewer, request);
  const page = renderAddonPage({
    site,
    csrfToken: viewer.csrfToken,
    addon,
    description: await markupOf(addon.parameters["description"]),
    instructions: await markupOf(addon.parameters["instructions"]),
    texts: form,
    problem,
  });
  return sendUncached(reply, site.home, page);
}

/** It was cleaned when the add-on was registered, and is again: the rules may have changed. */
async function markupOf(value: unknown): Promise<Html> {
  const text = typeof value === "string" ? value : "";
  return markupFrom((await htmlCleaner(text))(text));
}
