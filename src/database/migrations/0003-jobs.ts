import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** Waiting and running jobs: a job that has ended has no row. See jobs/lease.ts. */
export async function jobs(
  db: Kysely<unknown>,
  { text, boolean, identity }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await sql`create table jobs (
    id ${identity},
    kind ${text} not null,
    subject bigint not null,
    options ${text} not null,
    created_at ${text} not null,
    due_at ${text} not null,
    attempts bigint not null default 0,
    lease ${text},
    worker ${text},
    again ${boolean} not null default ${engine === "postgres" ? sql`false` : sql`0`},
    last_error ${text},
    unique (kind, subject)
  )`.execute(db);
  await sql`create index jobs_by_due_at on jobs (due_at, id)`.execute(db);
}
