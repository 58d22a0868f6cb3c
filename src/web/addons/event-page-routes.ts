import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { formOf } from "../../http/request/body.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { ownEvents } from "../../resources/addons/event-store.ts";
import { changeEvent, createEvent } from "../../resources/addons/manage-events.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { type EventView, renderEventPage } from "./event-pages.ts";
import { getAddon, problemOf, runsOf, withAddons } from "./page-data.ts";
import { formWith, valuesOf } from "./parameter-fields.ts";

export const eventPagePaths = [
  "/account/addons/:id/events/",
  "/account/addons/events/:id/",
  "/account/addons/events/:id/remove/",
] as const;

/** The forms of what starts add-ons by itself. */
export function eventPageRoutes(app: FastifyInstance, context: Context): void {
  const path = `${app.site.account}addons/`;
  const { database } = context;

  app.get("/account/addons/:id/events/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    const id = idIn(request, "id");
    if (viewer === null) return leadToSignIn(reply, `${path}${id}/events/`);
    const view = await newView(context, viewer, request);
    return sendEvent(reply, view);
  });
  leadToSlash(app, "/account/addons/:id/events/");

  app.post("/account/addons/:id/events/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    const view = await newView(context, viewer, request);
    const form = formOf(request);
    const members = new Map<string, unknown>([
      ["addon", view.addon.id],
      ["event", form.get("event")?.at(-1)],
      ["parameters", valuesOf(view.addon.parameters, form)],
    ]);
    try {
      await createEvent(context, viewer, members);
      return await reply.redirect(`${path}?done=scheduled`, 303);
    } catch (error) {
      const problem = problemOf(error);
      return sendEvent(reply.code(400), { ...view, form, problem });
    }
  });

  app.get("/account/addons/events/:id/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    const id = idIn(request, "id");
    if (viewer === null) return leadToSignIn(reply, `${path}events/${id}/`);
    return sendEvent(reply, await ownView(context, viewer, request));
  });
  leadToSlash(app, "/account/addons/events/:id/");

  app.post("/account/addons/events/:id/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    const view = await ownView(context, viewer, request);
    const form = formOf(request);
    const members = new Map<string, unknown>([
      ["event", form.get("event")?.at(-1)],
      ["parameters", valuesOf(view.addon.parameters, form)],
    ]);
    try {
      await database.write(async (writer) => {
        const row = await ownEvents.lock(writer, viewer, { id: idIn(request, "id") });
        await changeEvent(context, writer, row, { members, extent: "part" }, viewer);
      });
      return await reply.redirect(`${path}events/${idIn(request, "id")}/?done=saved`, 303);
    } catch (error) {
      const problem = problemOf(error);
      return sendEvent(reply.code(400), { ...view, form, problem, done: null });
    }
  });

  app.post("/account/addons/events/:id/remove/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    await database.write(async (writer) => {
      const { id } = await ownEvents.lock(writer, viewer, { id: idIn(request, "id") });
      await ownEvents.remove(writer, { id });
    });
    return reply.redirect(`${path}?done=removed`, 303);
  });
}

async function newView(context: Context, viewer: SessionViewer, request: FastifyRequest): Promise<EventView> {
  const site = visitedSite(request);
  const addon = await getAddon(context, viewer, idIn(request, "id"));
  const empty = { row: null, runs: [], form: new Map(), problem: null, done: null };
  return { site, csrfToken: viewer.csrfToken, addon, ...empty };
}

async function ownView(context: Context, viewer: SessionViewer, request: FastifyRequest): Promise<EventView> {
  const site = visitedSite(request);
  const row = await ownEvents.get(context.database, viewer, { id: idIn(request, "id") });
  const [shown] = await withAddons(context, viewer, [row]);
  if (shown === undefined) throw notFound();
  const { addon } = shown;
  const form = formWith(addon.parameters, JSON.parse(row.parameters) as Record<string, unknown>);
  form.set("event", [String(row.event)]);
  return {
    site,
    csrfToken: viewer.csrfToken,
    addon,
    row,
    runs: await runsOf(context, viewer, site, { events: [row.id] }),
    form,
    problem: null,
    done: queryOf(request).last("done") === "saved" ? pageTexts(site).addons.done.saved : null,
  };
}

const sendEvent = (reply: FastifyReply, view: EventView): FastifyReply =>
  sendUncached(reply, view.site.home, renderEventPage(view));
