import type { Generated } from "kysely";
import type { Flag, Immutable, Optional, Timestamp } from "./column-types.ts";

/** What happened; maintained by triggers: see migrations/baseline/events.ts. */
export interface EventsTable {
  id: Immutable<number>;
  /** The transaction that wrote it: the feed is in this order, and then in that of the ids. 0 on SQLite. */
  transaction_id: Immutable<number>;
  at: Immutable<Timestamp>;
  type: Immutable<string>;
  document_id: Immutable<number | null>;
  project_id: Immutable<number | null>;
  /** The id of the note, the section or the collaborator that the event is about. */
  object_id: Immutable<number | null>;
  /**
   * Who could see what is gone, at its end, separated by spaces. Of a find of a saved search, its owner. Null for
   * everything else.
   */
  seen_by: Immutable<string | null>;
  /** The saved search that has found a document. */
  search_uuid: Immutable<string | null>;
}

/** Addresses that are told what happens. */
export interface WebhooksTable {
  id: Generated<number>;
  /** It is told what this user may see. */
  user_id: number;
  /** Null if it is told of everything. */
  project_id: Optional<number>;
  name: string;
  url: string;
  /** JSON text: a list of types of events; empty for all. */
  types: string;
  /** Sealed with the server's secret, as the former one is. */
  secret: string;
  former_secret: Optional<string>;
  rotated_at: Optional<Timestamp>;
  is_enabled: Flag;
  /** Why Quire has switched it off; null if it has not. */
  problem: Optional<string>;
  /** Since when every attempt has failed; null if the latest one succeeded. */
  failing_since: Optional<Timestamp>;
  /** The position behind the last event that was looked at; null for the beginning. */
  transaction_id: number | null;
  event_id: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** An event that a webhook is told. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  event_id: number;
  /** The columns of the event. */
  happened_at: Timestamp;
  type: string;
  document_id: number | null;
  project_id: number | null;
  object_id: number | null;
  seen_by: string | null;
  search_uuid: Optional<string>;
  /** Deliveries about the same subject are sent one after another. */
  subject: string;
  state: "waiting" | "delivered" | "failed" | "withdrawn";
  /** How often it was sent. */
  attempts: number;
  due_at: Timestamp;
  created_at: Timestamp;
  /** When it was last sent; null before. */
  at: Optional<Timestamp>;
  /** The status of the last answer; null without one. */
  status: Optional<number>;
  milliseconds: Optional<number>;
  /** Why the last attempt failed; null otherwise. */
  problem: Optional<string>;
}
