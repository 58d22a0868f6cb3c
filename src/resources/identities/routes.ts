import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { collection } from "../../http/collection.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { providerFields } from "./fields.ts";
import { type Oidc, ProviderError } from "./oidc.ts";
import { presentProvider } from "./present.ts";
import * as shapes from "./schema.ts";
import { newProvider, settingsFrom } from "./settings.ts";
import { type ProviderRow, allProviders } from "./store.ts";
import { providerCheckView, providerListView, providerView } from "./views.ts";

const reading = "hidden";

/** The identity providers, for administrators. */
export function identityProviderRoutes(app: FastifyInstance, context: Context, oidc: Oidc): void {
  const { config, database, secrets } = context;
  collection(app, database, {
    path: "/api/admin/identity_providers/:id/",
    reading,
    views: { list: providerListView, item: providerView },
    schemas: shapes.operations,
    fields: providerFields,
    rows: allProviders,
    present: (row, request) => presentProvider(row, addressesOf(config, request).api),
    async create(values) {
      const now = timestampNow();
      const row = await database.write(async (writer) => {
        const settings = await settingsFrom(writer, secrets, newProvider, values);
        return allProviders.add(writer, { ...newProvider, ...settings, created_at: now, updated_at: now });
      });
      return { row };
    },
    async change(writer, row, { values }) {
      const change = await settingsFrom(writer, secrets, row, values);
      return allProviders.change(writer, row, { ...change, updated_at: timestampNow() });
    },
  });

  resourceRoute(app, {
    path: "/api/admin/identity_providers/:id/check/",
    view: providerCheckView,
    reading,
    get: {
      schema: shapes.checking,
      answer: async (request, viewer) =>
        check(oidc, await allProviders.get(database, viewer, { id: idIn(request, "id") })),
    },
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
