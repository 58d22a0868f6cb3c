import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * What people need to sign in besides a password, and the history of that, which nothing changes. A session knows how
 * it was begun.
 */
export async function secondFactors(db: Kysely<unknown>, { text, identity }: Dialect): Promise<void> {
  await sql`create table second_factors (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    kind ${text} not null,
    name ${text} not null,
    secret ${text} not null,
    credential ${text} unique,
    counter bigint not null,
    created_at ${text} not null,
    used_at ${text}
  )`.execute(db);
  await sql`create index second_factors_by_user on second_factors (user_id)`.execute(db);
  await sql`create table recovery_codes (
    user_id bigint not null references users (id) on delete cascade,
    digest ${text} not null,
    primary key (user_id, digest)
  )`.execute(db);
  await sql`create table account_history (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    by_id bigint,
    action ${text} not null,
    at ${text} not null
  )`.execute(db);
  await sql`create index account_history_by_user on account_history (user_id, id)`.execute(db);
  await sql`alter table sessions add column method ${text} not null default ''`.execute(db);
}
