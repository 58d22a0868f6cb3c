import { Event, eventTypes } from "./event.ts";
import { webhookLimits } from "./limits.ts";
import { type Static, Type, dateTime, enumeration, id, nullable, uri } from "./shape.ts";

/** An address that is told what happens. */
export const Webhook = Type.Object(
  {
    id: id(),
    name: Type.String(),
    url: uri(),
    project: nullable(id("it is told only of this project and its documents; null for everything")),
    types: Type.Array(enumeration(eventTypes), { description: "the types of events; empty for all" }),
    enabled: Type.Boolean(),
    problem: nullable(Type.String({ description: "why Quire has switched it off" })),
    failing_since: nullable(dateTime("since when every attempt has failed")),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: "Webhook" },
);
export type Webhook = Static<typeof Webhook>;

const secret = Type.String({
  maxLength: webhookLimits.secret,
  description: "the secret of the signatures; it is shown only this once",
});

export const WebhookSecret = Type.Object({ secret }, { $id: "WebhookSecret" });
export const NewWebhook = Type.Object({ ...Webhook.properties, secret }, { $id: "NewWebhook" });

export const deliveryStates = ["waiting", "delivered", "failed", "withdrawn"] as const;

/** An event that a webhook is told, and what became of it. */
export const WebhookDelivery = Type.Object(
  {
    id: id(),
    event: Event,
    state: enumeration(
      deliveryStates,
      "withdrawn: the owner of the webhook may not see what it is about any more",
    ),
    attempts: Type.Integer({ minimum: 0, description: "how often it was sent" }),
    next_at: nullable(dateTime("when it is sent next, if it waits")),
    at: nullable(dateTime("when it was last sent")),
    status: nullable(Type.Integer({ description: "the status of the last answer" })),
    milliseconds: nullable(Type.Integer({ description: "how long that took" })),
    problem: nullable(Type.String({ description: "why it failed" })),
  },
  { $id: "WebhookDelivery" },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;
