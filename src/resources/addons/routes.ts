import type { FastifyInstance, FastifyRequest } from "fastify";
import { addonCategories } from "../../contract/addon.ts";
import type { Context } from "../../context.ts";
import { invalidFields, notFound, permissionDenied } from "../../errors.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { flagIn, textIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { Query } from "../../http/request/query.ts";
import { mayWrite } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { hasMail, queueMail } from "../mails/mail-store.ts";
import { emptyLists } from "../unsupported/routes.ts";
import { administeredPaths, administeredRoutes } from "./admin-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { changedAddonFields, creditFields, messageFields } from "./fields.ts";
import { noteCredits } from "./manage-runs.ts";
import { presentAddon } from "./present.ts";
import { runRoutes } from "./run-routes.ts";
import * as shapes from "./schema.ts";
import {
  type AddonFilters,
  type ListedAddonRow,
  findAddon,
  listAddons,
  lockAddon,
  setPin,
  registeredAddons,
} from "./store.ts";
import { addonInstance, addonList, creditView, messageView } from "./views.ts";

export const addonPaths = [
  "/api/addons/",
  "/api/addons/:id/",
  "/api/addon_runs/",
  "/api/addon_runs/:uuid/",
  "/api/addon_events/",
  "/api/addon_events/:id/",
  "/api/messages/",
  "/api/organizations/:id/ai_credits/",
  "/files/addon-runs/:uuid/",
  "/uploads/addon-runs/:uuid/*",
  ...administeredPaths,
] as const;

/** Add-ons, their runs and events. Until a setting names a runner, only administrators see any. */
export function addonRoutes(app: FastifyInstance, context: Context): void {
  administeredRoutes(app, context);
  if (context.config.addonRunner === null) {
    emptyLists(app, [
      ["/api/addons/", "Add On List", "add-ons"],
      ["/api/addon_runs/", "Add On Run List", "runs of add-ons"],
      ["/api/addon_events/", "Add On Event List", "events that start add-ons"],
    ]);
    return;
  }
  listRoute(app, context);
  itemRoute(app, context);
  runRoutes(app, context);
  eventRoutes(app, context);
  serviceRoutes(app, context);
}

function listRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/addons/",
    view: addonList,
    writing: "nobody",
    get: {
      schema: shapes.listing,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => listAddons(database, viewer, filtersIn(queryOf(request)), cursor, limit),
          present: (rows) => rows.map(presentAddon),
        }),
    },
  });
}

function filtersIn(query: Query): AddonFilters {
  const categories = query.list("category").map((sent) => {
    const category = addonCategories.find((one) => one === sent);
    if (category !== undefined) return category;
    const shown = sent.slice(0, 200).toWellFormed();
    throw invalidFields({
      category: [`Select a valid choice. ${shown} is not one of the available choices.`],
    });
  });
  return {
    active: flagIn(query, "active"),
    default: flagIn(query, "default"),
    featured: flagIn(query, "featured"),
    premium: flagIn(query, "premium"),
    repository: textIn(query, "repository"),
    query: textIn(query, "query"),
    categories,
  };
}

function itemRoute(app: FastifyInstance, { database }: Context): void {
  const fields = changedAddonFields;
  resourceRoute(app, {
    path: "/api/addons/:id/",
    view: addonInstance,
    get: {
      schema: shapes.reading,
      async answer(request, viewer) {
        const row = await findAddon(database.reader, viewer, idIn(request, "id"));
        if (row === null) throw notFound();
        return content(presentAddon(row), mayWrite(viewer) ? ["PUT", "PATCH"] : []);
      },
    },
    ...itemChanges<ListedAddonRow>(database, {
      schemas: shapes,
      fields,
      async lock(writer, viewer, request) {
        const row = await lockAddon(writer, viewer, idIn(request, "id"));
        if (row === null) throw notFound();
        if (request.method === "DELETE") throw permissionDenied();
        return row;
      },
      plain: presentAddon,
      async change(writer, row, { members, extent }, viewer) {
        const { active = extent === "whole" ? false : undefined, organization } = readFields(
          fields,
          members,
          extent,
        );
        if (active !== undefined) await setPin(writer, viewer.id, row.id, active);
        const changed = { ...row, active: active ?? row.active };
        // Others may send it, and nothing comes of it, as in DocumentCloud.
        if (organization === undefined || row.user_id !== viewer.id) return changed;
        if (organization !== null && !viewer.organizations.has(organization))
          throw invalidFields({ organization: unknownKey(organization).messages });
        const values = { organization_id: organization, updated_at: timestampNow() };
        return { ...changed, ...(await registeredAddons.change(writer, row, values)) };
      },
      remove: async () => undefined,
      shown: (row) => content(presentAddon(row), ["PUT", "PATCH"]),
    }),
  });
}

/** What add-ons ask for besides. */
function serviceRoutes(app: FastifyInstance, context: Context): void {
  const { config, database, jobs } = context;
  resourceRoute(app, {
    path: "/api/messages/",
    view: messageView,
    reading: "signed in",
    post: {
      schema: shapes.sendingMessage,
      async answer(request, viewer) {
        const members = membersIn(messageFields, bodyOf(request));
        const { subject = "", content: text = "" } = readFields(messageFields, members, "whole");
        if (hasMail(config)) {
          const details = { subject, content: text };
          await database.write((writer) =>
            queueMail(writer, { kind: "message", userId: viewer.id, details }),
          );
          jobs.notify();
        }
        return { subject, content: text };
      },
    },
  });

  resourceRoute(app, {
    path: "/api/organizations/:id/ai_credits/",
    view: creditView,
    reading: "signed in",
    post: {
      schema: shapes.spendingCredits,
      async answer(request: FastifyRequest, viewer) {
        if (!viewer.organizations.has(idIn(request, "id"))) throw permissionDenied();
        const members = membersIn(creditFields, bodyOf(request));
        const { ai_credits = 0, addonrun_id } = readFields(creditFields, members, "whole");
        if (typeof addonrun_id === "string" && addonrun_id !== "")
          await noteCredits(context, viewer, addonrun_id.toLowerCase(), ai_credits);
        return { monthly: 0, regular: 0 };
      },
    },
  });
}
