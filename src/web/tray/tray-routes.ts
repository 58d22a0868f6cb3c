import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { leadToSignIn, sessionViewer } from "../../http/request/session-viewer.ts";
import { findOwnWork } from "../../resources/account/own-work-store.ts";
import { sendUncached } from "../account/form-pages.ts";
import { renderWorkPage, workParts } from "./tray-page.ts";

const maxHeldBack = 100_000;

/**
 * The page of the work that runs for the person who views it, and, with `part`, what its script
 * shows of it on that page or in the tray.
 */
export function workPageRoutes(app: FastifyInstance, { config, database }: Context): void {
  app.get("/running/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    const { site } = app;
    if (viewer === null) return leadToSignIn(reply, site.work);
    const query = queryOf(request);
    const held = Number(query.last("held") ?? 0);
    const view = {
      site: visitedSite(request),
      work: await findOwnWork(database, viewer),
      heldBack: Number.isSafeInteger(held) && held > 0 ? Math.min(held, maxHeldBack) : 0,
      web: addressesOf(config, request).web,
    };
    const part = query.last("part");
    const isPart = part === "tray" || part === "page";
    const markup = isPart ? workParts(view, part === "page").toString() : renderWorkPage(view);
    return sendUncached(reply, site.home, markup, { hasScript: true });
  });
  leadToSlash(app, "/running/");
}
