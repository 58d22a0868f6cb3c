import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { formSender, leadToSignIn, sessionViewer } from "../../http/request/session-viewer.ts";
import { readUntilFields } from "../../resources/account/fields.ts";
import { findNotifications } from "../../resources/account/find-notifications.ts";
import { markRead } from "../../resources/notifications/store.ts";
import { sendUncached } from "./form-pages.ts";
import { renderNotifications } from "./notifications-page.ts";

/** The page of what the person who views it is told of. */
export function notificationPageRoutes(app: FastifyInstance, { config, database }: Context): void {
  const path = `${app.site.home}notifications/`;

  app.get("/notifications/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, path);
    const found = await findNotifications(database, viewer, addressesOf(config, request).web);
    const site = visitedSite(request);
    return sendUncached(reply, site.home, renderNotifications(site, viewer.csrfToken, found));
  });

  app.post("/notifications/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const viewer = formSender(request);
    const members = membersIn(readUntilFields, bodyOf(request));
    const { read_until = timestampNow() } = readFields(readUntilFields, members, "part");
    await database.write((writer) => markRead(writer, viewer.id, read_until));
    return reply.redirect(path, 303);
  });

  leadToSlash(app, "/notifications/");
}
