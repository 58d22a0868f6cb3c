import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * For administrators: sign-ins and refusals of a limited number of days, the storage that each user and project takes
 * (as a job has measured it), and the latest examination by `doctor` with its findings. The index finds the documents
 * that could not be processed.
 */
export async function administration(
  db: Kysely<unknown>,
  { text, boolean, identity }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const withoutRowid = engine === "postgres" ? sql`` : sql`without rowid`;
  await sql`create table sign_in_events (
    id ${identity},
    subject ${text} not null unique,
    kind ${text} not null,
    user_id bigint references users (id) on delete cascade,
    network ${text} not null,
    is_known ${boolean} not null,
    times bigint not null,
    began_at ${text} not null,
    at ${text} not null
  )`.execute(db);
  await sql`create index sign_in_events_by_user on sign_in_events (user_id)`.execute(db);
  await sql`create index sign_in_events_by_at on sign_in_events (at)`.execute(db);
  await sql`create table storage_figures (
    kind ${text} not null,
    subject bigint not null,
    documents bigint not null,
    pages bigint not null,
    bytes bigint not null,
    measured_at ${text} not null,
    primary key (kind, subject)
  ) ${withoutRowid}`.execute(db);
  await sql`create table examinations (
    id ${identity},
    repairs ${boolean} not null,
    hashes ${boolean} not null,
    requested_at ${text} not null,
    ended_at ${text},
    documents bigint not null,
    examined bigint not null,
    found bigint not null,
    mended bigint not null,
    problem ${text}
  )`.execute(db);
  await sql`create table findings (
    id ${identity},
    examination_id bigint not null references examinations (id) on delete cascade,
    what ${text} not null,
    outcome ${text} not null,
    problem ${text}
  )`.execute(db);
  await sql`create index findings_by_examination on findings (examination_id)`.execute(db);
  await sql`create index documents_in_error on documents (id) where status = 'error'`.execute(db);
}
