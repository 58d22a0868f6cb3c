import type { Generated } from "kysely";
import type { Flag, Optional, Timestamp } from "./column-types.ts";

/** The programs that may ask people to connect them. Anybody may register one. */
export interface AssistantClientsTable {
  id: Generated<number>;
  /** A random name, or the address of the document that describes the client. */
  client_id: string;
  /** What the client says it is called. */
  name: string;
  /** JSON text: the addresses to which people may be sent back. */
  redirect_uris: string;
  created_at: Timestamp;
  /** When the client's document is read again; null for a client that has registered. */
  fresh_until: Optional<Timestamp>;
  /** When somebody last consented, or a token was last refreshed. */
  used_at: Optional<Timestamp>;
}

/** Codes with which clients fetch their first tokens. */
export interface AssistantCodesTable {
  /** SHA-256 of the code. */
  digest: string;
  user_id: number;
  client_id: number;
  redirect_uri: string;
  /** Of the proof that the client knows (PKCE, S256). */
  challenge: string;
  resource: string;
  may_write: Flag;
  expires_at: Timestamp;
  /** When it was presented, rightly or wrongly. It is of no use from then on. */
  taken_at: Optional<Timestamp>;
  /** The connection that came of the code. It ends if somebody presents the code again. */
  connection_id: Optional<number>;
}

/** An assistant that acts for a person. */
export interface AssistantConnectionsTable {
  id: Generated<number>;
  user_id: number;
  client_id: number;
  /** The client's name when the person consented. */
  name: string;
  /** The host to which the person was sent back. */
  host: string;
  /** The address for which its tokens are. */
  resource: string;
  may_write: Flag;
  created_at: Timestamp;
  /** When the latest refresh token expires. */
  expires_at: Timestamp;
  last_used_at: Optional<Timestamp>;
}

export interface AssistantTokensTable {
  /** SHA-256 of the whole token. */
  digest: string;
  connection_id: number;
  kind: "access" | "refresh";
  expires_at: Timestamp;
  /** When a refresh token was exchanged. */
  used_at: Optional<Timestamp>;
}
