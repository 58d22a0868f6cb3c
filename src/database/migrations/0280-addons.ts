import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Add-ons, the people who have pinned them, the events that start them, and their runs. A run has the digest of the
 * token that its program exchanges for others; it and `api_tokens` of the run end with the run. `site` is the member of
 * the parameters by which clients look for events.
 */
export async function addons(
  db: Kysely<unknown>,
  { text, boolean, identity }: Pick<Dialect, "text" | "boolean" | "identity">,
): Promise<void> {
  await sql`create table addons (
    id ${identity},
    user_id bigint references users (id) on delete set null,
    organization_id bigint references organizations (id) on delete set null,
    access ${text} not null,
    name ${text} not null,
    repository ${text} not null unique,
    description ${text} not null,
    categories ${text} not null,
    parameters ${text} not null,
    is_default ${boolean} not null,
    is_featured ${boolean} not null,
    is_removed ${boolean} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);
  await sql`create table addon_pins (
    user_id bigint not null references users (id) on delete cascade,
    addon_id bigint not null references addons (id) on delete cascade,
    primary key (user_id, addon_id)
  )`.execute(db);
  await sql`create table addon_events (
    id ${identity},
    addon_id bigint not null references addons (id) on delete cascade,
    user_id bigint not null references users (id) on delete cascade,
    parameters ${text} not null,
    site ${text},
    event bigint not null,
    scratch ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);
  await sql`create index addon_events_by_user on addon_events (user_id, id)`.execute(db);
  await sql`create index addon_events_by_kind on addon_events (event, id)`.execute(db);
  await sql`create table addon_runs (
    id ${identity},
    uuid ${text} not null unique,
    addon_id bigint not null references addons (id) on delete cascade,
    event_id bigint references addon_events (id) on delete set null,
    user_id bigint not null references users (id) on delete cascade,
    status ${text} not null,
    progress bigint not null,
    message ${text} not null,
    file_name ${text} not null,
    file_expires_at ${text},
    dismissed ${boolean} not null,
    rating bigint not null,
    comment ${text} not null,
    credits_spent bigint not null,
    data ${text} not null,
    parameters ${text} not null,
    documents ${text},
    query ${text},
    refresh_digest ${text} unique,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);
  await sql`create index addon_runs_by_user on addon_runs (user_id, id)`.execute(db);
  await sql`create index addon_runs_by_event on addon_runs (event_id, id) where event_id is not null`.execute(
    db,
  );
  await sql`create index addon_runs_with_files on addon_runs (file_expires_at)
    where file_expires_at is not null`.execute(db);
  await sql`alter table api_tokens add column run_id bigint references addon_runs (id) on delete cascade`.execute(
    db,
  );
  await sql`create index api_tokens_by_run on api_tokens (run_id) where run_id is not null`.execute(db);
}
