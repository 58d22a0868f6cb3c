import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { type Members, formOf, shortBodyLimit } from "../../http/request/body.ts";
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
import { createProduction } from "../../resources/productions/plan-production.ts";
import {
  presentDocuments,
  presentNow,
  presentProductions,
} from "../../resources/productions/read-productions.ts";
import { removeOwnProduction } from "../../resources/productions/remove-productions.ts";
import { listProduced, ownProductions } from "../../resources/productions/store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { renderNewProductionPage } from "./new-production-page.ts";
import {
  productionAddress,
  productionParts,
  renderProductionPage,
  renderProductionsPage,
} from "./production-pages.ts";

export const productionPagePaths = [
  "/productions/",
  "/productions/new/",
  "/productions/:id/",
  "/productions/:id/remove/",
] as const;

const checks = ["families", "texts", "natives", "bom"];

/** The pages on which people make productions, follow them and download them. They need a session. */
export function productionPageRoutes(app: FastifyInstance, context: Context): void {
  const show = (
    path: string,
    send: (viewer: SessionViewer, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void => {
    app.get(path, { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
      const viewer = sessionViewer(request);
      if (viewer !== null) return send(viewer, request, reply);
      const next = `${app.site.home.slice(0, -1)}${request.url}`;
      return leadToSignIn(reply, next);
    });
    leadToSlash(app, path);
  };

  show("/productions/", (viewer, request, reply) => sendList(context, viewer, request, reply));
  show("/productions/new/", async (viewer, request, reply) => {
    const query = queryOf(request);
    const texts = { documents: query.last("documents") ?? "", query: query.last("q") ?? "" };
    return sendForm(viewer, request, reply, { texts, errors: {} });
  });
  show("/productions/:id/", (viewer, request, reply) => sendOne(context, viewer, request, reply));

  app.post("/productions/new/", { schema: {} }, async (request, reply) => {
    const viewer = formSender(request);
    const texts = textsIn(request);
    try {
      const { id } = await createProduction(context, viewer, membersOf(texts));
      return await reply.redirect(productionAddress(app.site, id), 303);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      reply.code(400);
      const errors = error.body as Record<string, readonly string[]>;
      return sendForm(viewer, request, reply, { texts, errors });
    }
  });

  app.post("/productions/:id/remove/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const viewer = formSender(request);
    const id = idIn(request, "id");
    await removeOwnProduction(context, viewer, id);
    return reply.redirect(productionAddress(app.site, id), 303);
  });
}

/** The texts of the form; of a box without a tick, an empty one. */
function textsIn(request: FastifyRequest): Record<string, string> {
  const sent = [...formOf(request)].map(([name, values]) => [name, values.at(-1) ?? ""] as const);
  return { ...Object.fromEntries(checks.map((name) => [name, ""])), ...Object.fromEntries(sent) };
}

const idsOf = (texts: Readonly<Record<string, string>>): string[] =>
  (texts["documents"] ?? "").split(",").filter((id) => /^\d{1,15}$/.test(id));

/** The members that the API takes. */
function membersOf(texts: Readonly<Record<string, string>>): Members {
  const members = new Map<string, unknown>();
  const ids = idsOf(texts);
  if (ids.length > 0) members.set("documents", ids);
  else members.set("query", texts["query"] ?? "");
  for (const name of ["name", "prefix", "first", "digits", "endorsement", "volume", "images"]) {
    const text = texts[name] ?? "";
    if (text.trim() !== "" || name === "prefix") members.set(name, text);
  }
  for (const name of checks) members.set(name, texts[name] !== "");
  return members;
}

function sendForm(
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    texts,
    errors,
  }: {
    texts: Readonly<Record<string, string>>;
    errors: Readonly<Record<string, readonly string[]>>;
  },
): FastifyReply {
  const site = visitedSite(request);
  const { messages } = pageTexts(site).productions;
  const shown = Object.entries(errors).map(
    ([name, list]) => [name, list.map((message) => messages[message] ?? message)] as const,
  );
  const named = idsOf(texts).length;
  const page = renderNewProductionPage({
    site,
    csrfToken: viewer.csrfToken,
    texts,
    errors: Object.fromEntries(shown),
    named,
  });
  return sendUncached(reply, site.home, page);
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
  const page = await ownProductions.page(context.database, viewer, cursor, pageLimits.usual, {
    descending: true,
  });
  const links = pageLinks(`${site.home}productions/`, query, idNeighbours(page, cursor, "descending"));
  const productions = await presentProductions(context, page.rows, addressesOf(context.config, request).api);
  return sendUncached(reply, site.home, renderProductionsPage({ site, productions, ...links }));
}

async function sendOne(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const query = queryOf(request);
  const production = await ownProductions.get(context.database, viewer, { id: idIn(request, "id") });
  const { api, web } = addressesOf(context.config, request);
  const shown = await presentNow(context, viewer, production, api);
  if (query.last("part") !== undefined)
    return sendUncached(reply, site.home, productionParts({ site, shown }).toString());
  const cursor = decodeCursor(query.last("cursor"), null);
  const page = await listProduced(context.database, production.id, cursor, pageLimits.usual);
  const documents = await presentDocuments(context, viewer, { production, web }, page.rows);
  const address = productionAddress(site, production.id);
  const links = pageLinks(address, query, idNeighbours(page, cursor));
  const view = { site, csrfToken: viewer.csrfToken, shown, documents, ...links };
  return sendUncached(reply, site.home, renderProductionPage(view), { hasScript: true });
}
