import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { Conditions } from "../../database/conditions.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** A job, with the progress of the document that it works on. */
export interface QueuedJob {
  id: number;
  kind: string;
  subject: number;
  created_at: string;
  due_at: string;
  attempts: number;
  is_leased: boolean | number;
  last_error: string | null;
  owner: string | null;
  step: string | null;
  done: number | null;
  total: number | null;
}

const columns = sql`jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts,
  (lease is not null) as is_leased, jobs.last_error,
  (select username from users where users.id = jobs.owner) as owner`;

const progressOf = (column: string) =>
  sql`(select ${sql.ref(`document_progress.${column}`)} from document_progress
    where document_id = jobs.subject and jobs.kind like '%document') as ${sql.ref(column)}`;

/** Which jobs a list has: all, or only those in one state. */
export type QueueState = "all" | "running" | "waiting" | "retrying";

/** One page of the jobs that have not been cancelled, in the order in which they were queued. */
export async function listQueue(
  database: Database,
  state: QueueState,
  cursor: Cursor,
  limit: number,
): Promise<Page<QueuedJob>> {
  const now = parameter("now");
  const isRunning = sql`lease is not null and due_at > ${now}`;
  const states = {
    all: sql`cancelled_at is null`,
    running: sql`cancelled_at is null and ${isRunning}`,
    waiting: sql`cancelled_at is null and not (${isRunning}) and attempts = 0`,
    retrying: sql`cancelled_at is null and not (${isRunning}) and attempts > 0`,
  };
  const shown = sql`${columns}, ${progressOf("step")}, ${progressOf("done")}, ${progressOf("total")}`;
  return new Conditions(database.dialect, "jobs")
    .always(state, states[state])
    .with({ now: timestampNow() })
    .page(database, shown, cursor, limit);
}

export interface KindCount {
  kind: string;
  running: number;
  waiting: number;
  /** Jobs that failed at least once and will be tried again. */
  retrying: number;
}

export async function countQueue({ reader }: Pick<Database, "reader">): Promise<KindCount[]> {
  const isRunning = sql`lease is not null and due_at > ${timestampNow()}`;
  const { rows } = await sql<Record<keyof KindCount, unknown>>`select kind,
      sum(case when ${isRunning} then 1 else 0 end) as running,
      sum(case when not (${isRunning}) and attempts = 0 then 1 else 0 end) as waiting,
      sum(case when not (${isRunning}) and attempts > 0 then 1 else 0 end) as retrying
    from jobs where cancelled_at is null group by kind order by kind`.execute(reader);
  return rows.map(({ kind, running, waiting, retrying }) => ({
    kind: String(kind),
    running: Number(running),
    waiting: Number(waiting),
    retrying: Number(retrying),
  }));
}

const measuredReceipts = 400;

/** How long the documents that were processed most recently took on average; null if there were none. */
export async function meanMilliseconds({ reader }: Pick<Database, "reader">): Promise<number | null> {
  const { rows } = await sql<{ milliseconds: unknown; documents: unknown }>`
    select sum(milliseconds) as milliseconds, count(distinct document_id) as documents
    from (select document_id, step, milliseconds from document_receipts order by id desc
      limit ${sql.lit(measuredReceipts)}) as latest
    where step in ('converted', 'read', 'recognised', 'indexed')`.execute(reader);
  const documents = Number(rows[0]?.documents ?? 0);
  return documents === 0 ? null : Number(rows[0]?.milliseconds) / documents;
}

export interface JobRow {
  id: number;
  kind: string;
  subject: number;
  lease: string | null;
}

export async function findJob(reader: Pick<Reader, "selectFrom">, id: number): Promise<JobRow | null> {
  const row = await reader
    .selectFrom("jobs")
    .select(["id", "kind", "subject", "lease"])
    .where("id", "=", id)
    .where("cancelled_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Makes a waiting job due now. Returns whether it was waiting. */
export async function runJobNow(writer: Writer, id: number): Promise<boolean> {
  const updated = await writer
    .updateTable("jobs")
    .set({ due_at: timestampNow() })
    .where("id", "=", id)
    .where("lease", "is", null)
    .where("cancelled_at", "is", null)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** A document that could not be processed. */
export interface FailedDocument {
  id: number;
  owner: string | null;
  step: string | null;
  /** JSON text. */
  details: string | null;
  at: string | null;
}

/** The newest documents that could not be processed, at most `limit`, each with its latest failure. */
export async function listFailed(
  { reader }: Pick<Database, "reader">,
  limit: number,
): Promise<FailedDocument[]> {
  // The literal lets SQLite use the index of documents in error.
  const { rows } = await sql<FailedDocument>`
    select documents.id, (select username from users where users.id = documents.user_id) as owner,
      receipts.step, receipts.details, receipts.at
    from documents left join document_receipts as receipts on receipts.id = (
      select max(id) from document_receipts where document_id = documents.id and outcome = 'failed')
    where status = 'error' order by documents.id desc limit ${sql.lit(limit)}`.execute(reader);
  return rows;
}

/** How many documents could not be processed. */
export async function countFailed({ reader }: Pick<Database, "reader">): Promise<number> {
  const { rows } = await sql<{ count: unknown }>`
    select count(*) as count from documents where status = 'error'`.execute(reader);
  return Number(rows[0]?.count ?? 0);
}

/** When the job became due that no worker has taken for the longest time; null if no job is due. */
export async function findOldestDue({ reader }: Pick<Database, "reader">): Promise<string | null> {
  const row = await reader
    .selectFrom("jobs")
    .select("due_at")
    .where("cancelled_at", "is", null)
    .where("due_at", "<=", timestampNow())
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? null;
}
