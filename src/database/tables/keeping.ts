import type { Generated } from "kysely";
import type { Optional, Timestamp } from "./column-types.ts";

/** Legal holds, also those that were released. One without a project and a query names its documents itself. */
export interface HoldsTable {
  id: Generated<number>;
  name: string;
  reason: string;
  /** It covers documents of this organization alone; null for those of all. */
  organization_id: Optional<number>;
  project_id: Optional<number>;
  query: Optional<string>;
  /** Who set it. */
  user_id: number;
  created_at: Timestamp;
  released_at: Optional<Timestamp>;
  released_by: Optional<number>;
}

/** The documents that a hold has found. They stay under it until it is released, whatever becomes of them. */
export interface HeldDocumentsTable {
  document_id: number;
  hold_id: number;
}

/** How long documents of a project, or those that a query finds, are kept. Also rules that have ended. */
export interface RetentionRulesTable {
  id: Generated<number>;
  name: string;
  project_id: Optional<number>;
  query: Optional<string>;
  period: number;
  unit: "days" | "months" | "years";
  /** When the period begins: when the document was made or published, or a date in its data. */
  starts: "created_at" | "published" | "data";
  /** The key of the date; null unless `starts` is `data`. */
  data_key: Optional<string>;
  user_id: number;
  created_at: Timestamp;
  ended_at: Optional<Timestamp>;
  ended_by: Optional<number>;
}

/** A document whose period has run out by a rule, and what was decided about it. */
export interface DispositionsTable {
  id: Generated<number>;
  document_id: number;
  rule_id: number;
  due_at: Timestamp;
  /** `kept` is not proposed again by the rule; what is `approved` is deleted by the next job. */
  state: "proposed" | "approved" | "kept";
  proposed_at: Timestamp;
  decided_at: Optional<Timestamp>;
  decided_by: Optional<number>;
}

/** The exports of the audit log. */
export interface AuditExportsTable {
  id: Generated<number>;
  at: Timestamp;
  /** Null for the command line. */
  user_id: Optional<number>;
  /** The exported range: from this time, before that one, about this user; null without a limit. */
  since: Optional<Timestamp>;
  until: Optional<Timestamp>;
  person: Optional<number>;
  source: Optional<string>;
  format: "jsonl" | "csv";
}
