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
