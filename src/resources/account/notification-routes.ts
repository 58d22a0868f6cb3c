import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { markRead } from "../notifications/store.ts";
import { readUntilFields } from "./fields.ts";
import { findNotifications } from "./find-notifications.ts";
import { listingNotifications, markingRead } from "./schema.ts";
import { notificationListView } from "./views.ts";

/** What the viewer is told of within Quire. It reveals no credentials, so a personal token may read it. */
export function notificationRoutes(app: FastifyInstance, { config, database }: Context): void {
  resourceRoute(app, {
    path: "/api/account/notifications/",
    view: notificationListView,
    reading: "signed in",
    get: {
      schema: listingNotifications,
      answer: (request, viewer) => findNotifications(database, viewer, addressesOf(config, request).web),
    },
    patch: {
      schema: markingRead,
      async answer(request, viewer) {
        const members = membersIn(readUntilFields, bodyOf(request));
        const { read_until = timestampNow() } = readFields(readUntilFields, members, "part");
        await database.write((writer) => markRead(writer, viewer.id, read_until));
        return findNotifications(database, viewer, addressesOf(config, request).web);
      },
    },
  });
}
