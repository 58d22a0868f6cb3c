import { webhookLimits } from "./limits.ts";
import { type Static, Type, dateTime, enumeration, id, nullable, uri, uuid } from "./shape.ts";

export const eventTypes = [
  "document.created",
  "document.changed",
  "document.access_changed",
  "document.file_changed",
  "document.processed",
  "document.failed",
  "document.deleted",
  "document.restored",
  "note.created",
  "note.changed",
  "note.deleted",
  "section.created",
  "section.changed",
  "section.deleted",
  "project.created",
  "project.changed",
  "project.deleted",
  "project.document_added",
  "project.document_changed",
  "project.document_removed",
  "project.member_added",
  "project.member_changed",
  "project.member_removed",
  "search.found",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Something that happened. It names what it is about; the rest is read from there. */
export const Event = Type.Object(
  {
    id: id("identifies the event; the order of the events is that of the feed"),
    at: dateTime("when the change was made"),
    type: enumeration(eventTypes),
    document: nullable(id("the document that it is about")),
    project: nullable(id("the project that it is about")),
    note: nullable(id("the note that it is about")),
    section: nullable(id("the section that it is about")),
    user: nullable(id("the collaborator of the project that it is about")),
    search: nullable(uuid("your saved search that has found the document")),
  },
  { $id: "Event" },
);
export type Event = Static<typeof Event>;

export const EventFeed = Type.Object(
  {
    next: uri("where the feed goes on: now if there is more, otherwise later"),
    has_more: Type.Boolean({ description: "whether more has happened already" }),
    results: Type.Array(Event),
  },
  { $id: "EventFeed" },
);
export type EventFeed = Static<typeof EventFeed>;

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
