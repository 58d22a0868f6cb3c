import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The owner of a job, the round in which it is served, and whether it takes long: see jobs/rank.ts. Pages of a document
 * that is reprocessed wait in a separate table until all of them are complete.
 */
export async function fairJobs(
  db: Kysely<unknown>,
  { text, boolean }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const no = engine === "postgres" ? sql`false` : sql`0`;
  await sql`alter table jobs add column owner bigint`.execute(db);
  await sql`alter table jobs add column rank bigint not null default 0`.execute(db);
  await sql`alter table jobs add column is_long ${boolean} not null default ${no}`.execute(db);
  await sql`create index jobs_by_rank on jobs (rank, due_at, id)`.execute(db);
  await sql`create index jobs_by_owner on jobs (owner, rank)`.execute(db);
  await sql`create table reread_pages (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    content ${text} not null,
    primary key (document_id, page)
  )`.execute(db);
}
