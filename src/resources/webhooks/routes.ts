import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { listDeliveries } from "./delivery-store.ts";
import { webhookFields } from "./fields.ts";
import {
  changeWebhook,
  createWebhook,
  getOwnDelivery,
  getOwnWebhook,
  lockOwnWebhook,
  redeliver,
  rotateSecret,
} from "./manage-webhooks.ts";
import { presentDelivery, presentWebhook } from "./present.ts";
import * as shapes from "./schema.ts";
import { type WebhookRow, deleteWebhook, listWebhooks } from "./store.ts";
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
  ownWebhooks(app, context);
  deliveries(app, context);
}

function ownWebhooks(app: FastifyInstance, context: Context): void {
  const { database, jobs } = context;

  resourceRoute(app, {
    path: "/api/webhooks/",
    view: webhookList,
    reading,
    get: {
      schema: shapes.listing,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => listWebhooks(database, viewer, cursor, limit),
          present: (rows) => rows.map(presentWebhook),
          offers: viewer.mayWrite ? ["POST"] : [],
        }),
    },
    post: {
      schema: shapes.creating,
      isSecret: true,
      async answer(request, viewer) {
        const members = membersIn(webhookFields, bodyOf(request));
        const { row, secret } = await createWebhook(context, viewer, members);
        return new Created(row.id, content({ ...presentWebhook(row), secret }));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/webhooks/:id/",
    view: webhookInstance,
    reading,
    get: {
      schema: shapes.reading,
      answer: async (request, viewer) =>
        contentOf(await getOwnWebhook(context, viewer, idIn(request, "id")), viewer),
    },
    ...itemChanges(database, {
      schemas: shapes,
      fields: webhookFields,
      lock: (writer, viewer, request) => lockOwnWebhook(context, writer, viewer, idIn(request, "id")),
      plain: presentWebhook,
      change: (writer, row, sent, viewer) => changeWebhook(context, writer, row, sent, viewer),
      remove: (writer, { id }) => deleteWebhook(writer, id),
      shown(row, viewer) {
        jobs.notify();
        return contentOf(row, viewer);
      },
    }),
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
        const { id } = await getOwnWebhook(context, viewer, idIn(request, "id"));
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

function contentOf(row: WebhookRow, viewer: SignedInViewer): Content {
  return content(presentWebhook(row), viewer.mayWrite ? ["PUT", "PATCH", "DELETE"] : []);
}
