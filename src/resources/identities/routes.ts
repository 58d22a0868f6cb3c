import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { changedProviderFields, providerFields } from "./fields.ts";
import { type Oidc, ProviderError } from "./oidc.ts";
import { presentProvider } from "./present.ts";
import * as shapes from "./schema.ts";
import { newProvider, settingsFrom } from "./settings.ts";
import {
  type ProviderRow,
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  lockProvider,
  updateProvider,
} from "./store.ts";
import { providerCheckView, providerListView, providerView } from "./views.ts";

const reading = "hidden";

/** The identity providers, for administrators. */
export function identityProviderRoutes(app: FastifyInstance, context: Context, oidc: Oidc): void {
  listRoute(app, context);
  itemRoute(app, context);
  resourceRoute(app, {
    path: "/api/admin/identity_providers/:id/check/",
    view: providerCheckView,
    reading,
    get: {
      schema: shapes.checking,
      answer: async (request) => check(oidc, await getProvider(context, request)),
    },
  });
}

function listRoute(app: FastifyInstance, context: Context): void {
  const { database, secrets } = context;
  resourceRoute(app, {
    path: "/api/admin/identity_providers/",
    view: providerListView,
    reading,
    get: {
      schema: shapes.listing,
      answer: (request) =>
        listContent(request, {
          find: (cursor, limit) => listProviders(database, cursor, limit),
          present: (rows) => rows.map((row) => presentProvider(row, serviceOf(context, request))),
          offers: ["POST"],
        }),
    },
    post: {
      schema: shapes.creating,
      async answer(request) {
        const values = readFields(providerFields, membersIn(providerFields, bodyOf(request)), "whole");
        const now = timestampNow();
        const row = await database.write(async (writer) => {
          const settings = await settingsFrom(writer, secrets, newProvider, values);
          return insertProvider(writer, { ...newProvider, ...settings, created_at: now, updated_at: now });
        });
        return new Created(row.id, shown(context, request, row));
      },
    },
  });
}

function itemRoute(app: FastifyInstance, context: Context): void {
  const { database, secrets } = context;
  resourceRoute(app, {
    path: "/api/admin/identity_providers/:id/",
    view: providerView,
    reading,
    get: {
      schema: shapes.reading,
      answer: async (request) => shown(context, request, await getProvider(context, request)),
    },
    ...itemChanges(database, {
      schemas: shapes,
      fields: providerFields,
      async lock(writer, _viewer, request) {
        const row = known(await lockProvider(writer, database, idIn(request, "id")));
        return { row, service: serviceOf(context, request) };
      },
      plain: ({ row, service }) => presentProvider(row, service),
      async change(writer, { row, service }, { members, extent }) {
        const table = extent === "whole" ? providerFields : changedProviderFields;
        const change = await settingsFrom(writer, secrets, row, readFields(table, members, extent));
        const changed = await updateProvider(writer, row.id, { ...change, updated_at: timestampNow() });
        return { row: changed, service };
      },
      remove: (writer, { row }) => deleteProvider(writer, row.id),
      shown: ({ row }, _viewer, request) => shown(context, request, row),
    }),
  });
}

/** Whether people could sign in at a provider now, and if not, why not. */
async function check(oidc: Oidc, provider: ProviderRow) {
  try {
    const server = (await oidc.discover(provider)).serverMetadata();
    const listed = server.scopes_supported ?? [];
    const unlisted = provider.scopes.split(/\s+/).filter((scope) => !listed.includes(scope));
    return {
      problem: null,
      can_sign_out: server.end_session_endpoint !== undefined,
      scopes_unknown: listed.length === 0 ? [] : unlisted,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { problem: error.message, can_sign_out: false, scopes_unknown: [] };
  }
}

async function getProvider({ database }: Context, request: FastifyRequest): Promise<ProviderRow> {
  return known(await findProvider(database.reader, idIn(request, "id")));
}

/** Throws 404 without a provider. */
function known(row: ProviderRow | null): ProviderRow {
  if (row === null) throw notFound();
  return row;
}

function shown(context: Context, request: FastifyRequest, row: ProviderRow): Content {
  return content(presentProvider(row, serviceOf(context, request)), ["PUT", "PATCH", "DELETE"]);
}

const serviceOf = ({ config }: Context, request: FastifyRequest): string => addressesOf(config, request).api;
