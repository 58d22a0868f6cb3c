import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** The latest run of `quire backup` into each repository, and the moment that its latest good backup has. */
export async function backupRuns(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table backup_runs (
    repository ${text} primary key,
    good_at ${text},
    ended_at ${text} not null,
    problem ${text}
  )`.execute(db);
}
