import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { addAddon, changeAddon } from "./administer-addons.ts";
import { administeredFields, changedAdministeredFields } from "./fields.ts";
import { presentAdministered } from "./present.ts";
import * as shapes from "./schema.ts";
import { type AddonRow, findAddonRow, listAllAddons, lockAddonRow, updateAddon } from "./store.ts";
import { administeredInstance, administeredList } from "./views.ts";

export const administeredPaths = ["/api/admin/addons/", "/api/admin/addons/:id/"] as const;

const reading = "hidden";

/** The add-ons of the server, for administrators: also those that others may not run. */
export function administeredRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;
  resourceRoute(app, {
    path: "/api/admin/addons/",
    view: administeredList,
    reading,
    get: {
      schema: shapes.listingAll,
      answer: (request) =>
        listContent(request, {
          find: (cursor, limit) => listAllAddons(database, cursor, limit),
          present: (rows) => rows.map(presentAdministered),
          offers: ["POST"],
        }),
    },
    post: {
      schema: shapes.registering,
      async answer(request, viewer) {
        const row = await addAddon(context, viewer.id, membersIn(administeredFields, bodyOf(request)));
        return new Created(row.id, shown(row));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/addons/:id/",
    view: administeredInstance,
    reading,
    get: {
      schema: shapes.readingRegistered,
      answer: async (request) =>
        shown(known(await findAddonRow(database.reader, { id: idIn(request, "id") }))),
    },
    ...itemChanges<AddonRow>(database, {
      schemas: {
        replacing: shapes.replacingRegistered,
        changing: shapes.changingRegistered,
        deleting: shapes.removingRegistered,
      },
      fields: changedAdministeredFields,
      lock: async (writer, _viewer, request) =>
        known(await lockAddonRow(writer, database, idIn(request, "id"))),
      plain: presentAdministered,
      change: (writer, row, sent) => changeAddon(context, writer, row, sent),
      async remove(writer, { id }) {
        await updateAddon(writer, id, { is_removed: true, updated_at: timestampNow() });
      },
      shown,
    }),
  });
}

const shown = (row: AddonRow) => content(presentAdministered(row), ["PUT", "PATCH", "DELETE"]);

/** Throws 404 for one that is not there or was removed. */
function known(row: AddonRow | null): AddonRow {
  if (row === null || row.is_removed) throw notFound();
  return row;
}
