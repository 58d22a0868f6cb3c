import type { Terms } from "./terms.ts";

/**
 * Guest links: each opens a document, a project or a saved search to visitors without an account. Of the secret in a
 * link, and of the cookie of a session, only the digest is stored. A session may have several links. `guest_openings`
 * has what a session has opened, so that the history says it once. Everyone who may share the document of a link may
 * revoke it.
 */
export const guests = ({ text, boolean, identity }: Terms): string[] => [
  `create table guest_links (
    id ${identity},
    uuid ${text} not null unique,
    user_id bigint not null references users (id) on delete cascade,
    document_id bigint references documents (id) on delete cascade,
    project_id bigint references projects (id) on delete cascade,
    search_id bigint references saved_searches (id) on delete cascade,
    name ${text} not null,
    digest ${text} not null unique,
    password_hash ${text},
    may_download ${boolean} not null,
    max_uses bigint,
    uses bigint not null,
    expires_at ${text} not null,
    created_at ${text} not null,
    revoked_at ${text},
    revoked_by bigint references users (id) on delete set null
  )`,
  ...["user_id", "document_id", "project_id", "search_id"].map(
    (column) => `create index guest_links_by_${column} on guest_links (${column}, id)`,
  ),
  `create table guest_sessions (
    digest ${text} not null,
    link_id bigint not null references guest_links (id) on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null,
    primary key (digest, link_id)
  )`,
  `create index guest_sessions_by_link on guest_sessions (link_id, expires_at)`,
  `create table guest_openings (
    digest ${text} not null,
    link_id bigint not null references guest_links (id) on delete cascade,
    document_id bigint not null,
    primary key (digest, link_id, document_id)
  )`,
];
