import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Single-use links with which people set their password. A session names the browser that began it, so that people
 * recognise their sessions in a list.
 */
export async function passwordLinks(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table password_links (
    digest ${text} primary key,
    user_id bigint not null references users (id) on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null
  )`.execute(db);
  await sql`create index password_links_by_user on password_links (user_id)`.execute(db);
  await sql`alter table sessions add column browser ${text} not null default ''`.execute(db);
}
