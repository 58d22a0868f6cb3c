import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Locks on documents' files get a separate table, and a cancelled job records when it was cancelled. Both used to be
 * jobs of special kinds for which no worker did anything. A subject has at most one job of each kind that is not
 * cancelled. See jobs/lease.ts and resources/documents/files/file-lock-store.ts.
 */
export async function locksAndCancelledJobs(
  db: Kysely<unknown>,
  dialect: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const { text } = dialect;
  await sql`create table file_locks (
    document_id bigint primary key references documents (id) on delete cascade,
    holder ${text} not null,
    expires_at ${text} not null
  )`.execute(db);
  if (engine === "sqlite") await rebuildJobs(db, dialect);
  else {
    await sql`alter table jobs add column cancelled_at ${text}`.execute(db);
    await sql`alter table jobs drop constraint jobs_kind_subject_key`.execute(db);
  }
  // The process that held such a lock has ended since then.
  await sql`delete from jobs where kind in ('claim of a file''s place', 'called off: claim of a file''s place')`.execute(
    db,
  );
  await sql`update jobs set kind = substr(kind, 13), cancelled_at = created_at
    where kind like 'called off: %'`.execute(db);
  await sql`create unique index jobs_by_kind_and_subject on jobs (kind, subject) where cancelled_at is null`.execute(
    db,
  );
  await sql`create index jobs_cancelled on jobs (due_at) where cancelled_at is not null`.execute(db);
}

/** SQLite cannot drop a table's constraint, so the rows move to a new table. */
async function rebuildJobs(db: Kysely<unknown>, { text, boolean, identity }: Dialect): Promise<void> {
  const columns = sql`id, kind, subject, options, created_at, due_at, attempts, lease, worker, again, last_error, owner,
    rank, is_long`;
  await sql`alter table jobs rename to jobs_before`.execute(db);
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
    again ${boolean} not null default 0,
    last_error ${text},
    owner bigint,
    rank bigint not null default 0,
    is_long ${boolean} not null default 0,
    cancelled_at ${text}
  )`.execute(db);
  await sql`insert into jobs (${columns}) select ${columns} from jobs_before`.execute(db);
  // Receipts refer to jobs by id, so ids are never assigned again.
  await sql`delete from sqlite_sequence where name = 'jobs'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq)
    select 'jobs', seq from sqlite_sequence where name = 'jobs_before'`.execute(db);
  await sql`drop table jobs_before`.execute(db);
  await sql`create index jobs_by_due_at on jobs (due_at, id)`.execute(db);
  await sql`create index jobs_by_rank on jobs (rank, due_at, id)`.execute(db);
  await sql`create index jobs_by_owner on jobs (owner, rank)`.execute(db);
}
