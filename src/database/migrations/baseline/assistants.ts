import type { Terms } from "./terms.ts";

/**
 * Hosted assistants that people connect with their account: clients of OAuth, codes that wait to be exchanged, the
 * connections that came of them, and their tokens. Of codes and tokens, only the digests are stored. A refresh token
 * that was used stays until it would have expired, so that a second use is noticed.
 */
export const assistants = ({ text, boolean, identity }: Terms): string[] => [
  `create table assistant_clients (
    id ${identity},
    client_id ${text} not null unique,
    name ${text} not null,
    redirect_uris ${text} not null,
    created_at ${text} not null,
    fresh_until ${text},
    used_at ${text}
  )`,
  `create table assistant_connections (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    client_id bigint not null references assistant_clients (id) on delete cascade,
    name ${text} not null,
    host ${text} not null,
    resource ${text} not null,
    may_write ${boolean} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    last_used_at ${text}
  )`,
  `create index assistant_connections_by_user_id on assistant_connections (user_id)`,
  `create index assistant_connections_by_client_id on assistant_connections (client_id)`,
  `create table assistant_codes (
    digest ${text} primary key,
    user_id bigint not null references users (id) on delete cascade,
    client_id bigint not null references assistant_clients (id) on delete cascade,
    redirect_uri ${text} not null,
    challenge ${text} not null,
    resource ${text} not null,
    may_write ${boolean} not null,
    expires_at ${text} not null,
    taken_at ${text},
    connection_id bigint references assistant_connections (id) on delete set null
  )`,
  `create index assistant_codes_by_user_id on assistant_codes (user_id)`,
  `create index assistant_codes_by_client_id on assistant_codes (client_id)`,
  `create index assistant_codes_by_connection_id on assistant_codes (connection_id)`,
  `create table assistant_tokens (
    digest ${text} primary key,
    connection_id bigint not null references assistant_connections (id) on delete cascade,
    kind ${text} not null,
    expires_at ${text} not null,
    used_at ${text}
  )`,
  `create index assistant_tokens_by_connection_id on assistant_tokens (connection_id)`,
  `create index assistant_tokens_by_expires_at on assistant_tokens (expires_at)`,
];
