import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Who gave a person access to a project, and when: null for collaborators from before. When a session was last used.
 * The language and the time zone of the pages that a person sees; empty if they have chosen none.
 */
export async function sharingAndPreferences(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`alter table project_collaborators
    add column added_by bigint references users (id) on delete set null`.execute(db);
  await sql`alter table project_collaborators add column added_at ${text}`.execute(db);
  await sql`alter table sessions add column seen_at ${text}`.execute(db);
  await sql`alter table users add column language ${text} not null default ''`.execute(db);
  await sql`alter table users add column time_zone ${text} not null default ''`.execute(db);
}
