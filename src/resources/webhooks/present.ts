import type { EventType, Webhook, WebhookDelivery } from "../../contract/event.ts";
import { presentEvent } from "../events/present.ts";
import { type DeliveryRow, eventOf } from "./delivery-store.ts";
import type { WebhookRow } from "./store.ts";

export function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    project: row.project_id,
    types: typesOf(row),
    enabled: Boolean(row.is_enabled),
    problem: row.problem,
    failing_since: row.failing_since,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The types of events that a webhook is told; empty for all. */
export const typesOf = ({ types }: Pick<WebhookRow, "types">): EventType[] =>
  JSON.parse(types) as EventType[];

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  const { id, state, attempts, due_at, at, status, milliseconds, problem } = row;
  const next_at = state === "waiting" ? due_at : null;
  return {
    id,
    event: presentEvent(eventOf(row)),
    state,
    attempts,
    next_at,
    at,
    status,
    milliseconds,
    problem,
  };
}
