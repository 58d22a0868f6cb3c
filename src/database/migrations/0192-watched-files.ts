import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** The files that `quire watch` has taken in or given up, as they were then. So each is taken in once. */
export async function watchedFiles(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table watched_files (
    path ${text} primary key,
    size bigint not null,
    changed_at ${text} not null,
    outcome ${text} not null,
    seen_at ${text} not null
  )`.execute(db);
}
