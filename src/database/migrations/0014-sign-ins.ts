import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Networks from which accounts have signed in, so that guessing by strangers does not lock out the owners. Refresh
 * tokens are valid until they expire, even after use, and all of a user's tokens can be revoked together.
 */
export async function signIns(
  db: Kysely<unknown>,
  { text }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const withoutRowid = engine === "postgres" ? sql`` : sql`without rowid`;
  await sql`create table known_networks (
    user_id bigint not null references users (id) on delete cascade,
    network ${text} not null,
    seen_at ${text} not null,
    primary key (user_id, network)
  ) ${withoutRowid}`.execute(db);
  await sql`drop index refresh_tokens_by_family`.execute(db);
  await sql`alter table refresh_tokens drop column family`.execute(db);
  await sql`alter table refresh_tokens drop column is_used`.execute(db);
}
