import type { Generated } from "kysely";
import type { Flag, Optional, Timestamp } from "./column-types.ts";

/** Links that open something to visitors without an account: a document, a project or a saved search. */
export interface GuestLinksTable {
  id: Generated<number>;
  uuid: string;
  /** Who made it. It opens what they may share at that moment. */
  user_id: number;
  document_id: Optional<number>;
  project_id: Optional<number>;
  search_id: Optional<number>;
  name: string;
  /** Of the secret in the link. */
  digest: string;
  password_hash: Optional<string>;
  may_download: Flag;
  /** Null without a limit. */
  max_uses: Optional<number>;
  uses: number;
  expires_at: Timestamp;
  created_at: Timestamp;
  revoked_at: Optional<Timestamp>;
  /** Null also for links that were revoked before this was noted, by their makers. */
  revoked_by: Optional<number>;
}

/** The links that a browser has opened, by the digest of its cookie. */
export interface GuestSessionsTable {
  digest: string;
  link_id: number;
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** The documents that a session has opened by a link. */
export interface GuestOpeningsTable {
  digest: string;
  link_id: number;
  document_id: number;
}
