import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { collection, listContent } from "../../http/collection.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { listDeliveries } from "./delivery-store.ts";
import { webhookFields } from "./fields.ts";
import { changeWebhook, createWebhook, getOwnDelivery, redeliver, rotateSecret } from "./manage-webhooks.ts";
import { presentDelivery, presentWebhook } from "./present.ts";
import * as shapes from "./schema.ts";
import { ownWebhooks } from "./store.ts";
import { deliveryInstance, deliveryList, secretView, webhookInstance, webhookList } from "./views.ts";

const reading = "signed in";

export const webhookPaths = [
  "/api/webhooks/",
  "/api/webhooks/:id/",
  "/api/webhooks/:id/secret/",
  "/api/webhooks/:id/deliveries/",
  "/api/webhooks/:id/deliveries/:delivery/",
] as const;

/** The viewer's webhooks, and what they were told. */
export function webhookRoutes(app: FastifyInstance, context: Context): void {
  webhookCollection(app, context);
  deliveries(app, context);
}

function webhookCollection(app: FastifyInstance, context: Context): void {
  const { database, jobs } = context;
  collection(app, database, {
    path: "/api/webhooks/:id/",
    reading,
    views: { list: webhookList, item: webhookInstance },
    schemas: shapes.operations,
    fields: webhookFields,
    rows: ownWebhooks,
    present: presentWebhook,
    create: (values, viewer) => createWebhook(context, viewer, values),
    change: (writer, row, sent, viewer) => changeWebhook(context, writer, row, sent, viewer),
    afterChange: () => jobs.notify(),
  });

  resourceRoute(app, {
    path: "/api/webhooks/:id/secret/",
    view: secretView,
    reading,
    post: {
      schema: shapes.rotating,
      isSecret: true,
      answer: async (request, viewer) => ({
        secret: await rotateSecret(context, viewer, idIn(request, "id")),
      }),
    },
  });
}

function deliveries(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/webhooks/:id/deliveries/",
    view: deliveryList,
    reading,
    get: {
      schema: shapes.listingDeliveries,
      async answer(request, viewer) {
        const { id } = await ownWebhooks.get(context.database, viewer, { id: idIn(request, "id") });
        return listContent(request, {
          find: (cursor, limit) => listDeliveries(context.database, id, cursor, limit),
          present: (rows) => rows.map(presentDelivery),
          way: "descending",
        });
      },
    },
  });

  resourceRoute(app, {
    path: "/api/webhooks/:id/deliveries/:delivery/",
    view: deliveryInstance,
    reading,
    get: {
      schema: shapes.readingDelivery,
      answer: async (request, viewer) =>
        presentDelivery(await getOwnDelivery(context, viewer, idsOf(request))),
    },
    post: {
      schema: shapes.sendingAgain,
      answer: async (request, viewer) => presentDelivery(await redeliver(context, viewer, idsOf(request))),
    },
  });
}

function idsOf(request: FastifyRequest): { webhook: number; delivery: number } {
  return { webhook: idIn(request, "id"), delivery: idIn(request, "delivery") };
}
