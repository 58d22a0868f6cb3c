import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Services at which people sign in instead of with a password, and the identities there that belong to accounts here. A
 * session knows with which of them it began, so that the service can end it.
 */
export async function identityProviders(
  db: Kysely<unknown>,
  { text, boolean, identity }: Dialect,
): Promise<void> {
  await sql`create table identity_providers (
    id ${identity},
    name ${text} not null,
    issuer ${text} not null,
    client_id ${text} not null,
    client_secret ${text} not null,
    scopes ${text} not null,
    groups_claim ${text} not null,
    group_roles ${text} not null,
    administrators_group ${text} not null,
    creates_accounts ${boolean} not null,
    links_by_email ${boolean} not null,
    is_enabled ${boolean} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);
  await sql`create table identities (
    provider_id bigint not null references identity_providers (id) on delete cascade,
    subject ${text} not null,
    user_id bigint not null references users (id) on delete cascade,
    created_at ${text} not null,
    signed_in_at ${text} not null,
    primary key (provider_id, subject)
  )`.execute(db);
  await sql`create index identities_by_user on identities (user_id)`.execute(db);
  await sql`alter table sessions add column provider_id bigint
    references identity_providers (id) on delete cascade`.execute(db);
  await sql`alter table sessions add column provider_session ${text}`.execute(db);
  await sql`create index sessions_by_provider on sessions (provider_id)`.execute(db);
}
