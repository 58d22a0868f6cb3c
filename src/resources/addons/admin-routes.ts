import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { collection } from "../../http/collection.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { addAddon, changeAddon } from "./administer-addons.ts";
import { administeredFields, newAddonFields } from "./fields.ts";
import { presentAdministered } from "./present.ts";
import * as shapes from "./schema.ts";
import { registeredAddons } from "./store.ts";
import { administeredInstance, administeredList } from "./views.ts";

export const administeredPaths = ["/api/admin/addons/", "/api/admin/addons/:id/"] as const;

/** The add-ons of the server, for administrators: also those that others may not run. */
export function administeredRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;
  collection(app, database, {
    path: "/api/admin/addons/:id/",
    reading: "hidden",
    views: { list: administeredList, item: administeredInstance },
    schemas: shapes.administering,
    fields: administeredFields,
    newFields: newAddonFields,
    rows: registeredAddons,
    present: presentAdministered,
    create: async (values, { id }) => ({ row: await addAddon(context, id, values) }),
    change: (writer, row, { values }) => changeAddon(context, writer, row, values),
    remove: (writer, row) =>
      registeredAddons.change(writer, row, { is_removed: true, updated_at: timestampNow() }),
  });
}
