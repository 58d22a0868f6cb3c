import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Guest links: each opens a document, a project or a saved search to visitors without an account. Of the secret in a
 * link, and of the cookie of a session, only the digest is stored. A session may have several links. `guest_openings`
 * has what a session has opened, so that the history says it once.
 */
export async function guests(
  db: Kysely<unknown>,
  { text, boolean, identity }: Pick<Dialect, "text" | "boolean" | "identity">,
): Promise<void> {
  await sql`create table guest_links (
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
    revoked_at ${text}
  )`.execute(db);
  for (const column of ["user_id", "document_id", "project_id", "search_id"])
    await sql`create index ${sql.ref(`guest_links_by_${column}`)} on guest_links (${sql.ref(column)}, id)`.execute(
      db,
    );
  await sql`create table guest_sessions (
    digest ${text} not null,
    link_id bigint not null references guest_links (id) on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null,
    primary key (digest, link_id)
  )`.execute(db);
  await sql`create index guest_sessions_by_link on guest_sessions (link_id, expires_at)`.execute(db);
  await sql`create table guest_openings (
    digest ${text} not null,
    link_id bigint not null references guest_links (id) on delete cascade,
    document_id bigint not null,
    primary key (digest, link_id, document_id)
  )`.execute(db);
}
