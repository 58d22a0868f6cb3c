import { sql } from "kysely";
import type { Logger } from "pino";
import type { Reader, Writer } from "../database/database.ts";
import type { Timestamp } from "../database/tables.ts";
import { nextTraceparent } from "../trace.ts";
import { type Clock, systemClock, timestampAt } from "./clock.ts";
import { jobKinds } from "./kinds.ts";
import { bulkOption, goBeforeBulk, rankOf } from "./rank.ts";
import { traceOption } from "./traced-kinds.ts";

/** Identifies a job: there is at most one of a kind for a subject, not counting cancelled ones. */
export interface JobName {
  kind: string;
  /** The id of the job's subject. */
  subject: number;
}

export interface NewJob extends JobName {
  /** Keep these short: large data belongs in the tables of the resource. */
  options?: Readonly<Record<string, unknown>>;
  /** The delay before the job may begin; by default none. */
  afterSeconds?: number;
  /** The id of the user for whom the job is done; null by default, for no particular user. */
  owner?: number | null;
  /** Whether the job takes long, so that it leaves a slot of its runner to others. */
  isLong?: boolean;
  /** `bulk` if it is one of many, as in an import; `urgent` if it goes before those of its owner. */
  urgency?: "bulk" | "urgent";
}

/**
 * Queues a job, in the transaction that needs it. A job that already waits is not queued twice, and a job that is
 * running runs again when it ends; in both cases the newest options count. After the commit, call `JobRunner.notify` so
 * that the job need not wait for a runner's next poll.
 */
export async function enqueue(
  writer: Writer,
  { kind, subject, options = {}, afterSeconds = 0, owner = null, isLong = false, urgency }: NewJob,
  clock: Pick<Clock, "nowMilliseconds"> = systemClock,
): Promise<void> {
  const now = timestampAt(clock.nowMilliseconds());
  const due_at = timestampAt(clock.nowMilliseconds() + afterSeconds * 1000);
  const traceparent = nextTraceparent();
  await writer
    .insertInto("jobs")
    .values({
      kind,
      subject,
      options: JSON.stringify({
        ...options,
        ...(traceparent !== null && { [traceOption]: traceparent }),
        ...(urgency === "bulk" && { [bulkOption]: true }),
      }),
      created_at: now,
      due_at,
      owner,
      rank: rankOf(owner, now),
      is_long: isLong,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "subject"])
        .where("cancelled_at", "is", null)
        .doUpdateSet({
          options: sql`excluded.options`,
          again: sql`jobs.lease is not null`,
        }),
    )
    .execute();
  if (urgency === "urgent" && owner !== null) await goBeforeBulk(writer, { kind, subject, owner });
}

/**
 * Removes a job, and returns whether there was one. A worker that is running it has lost its lease: `complete` fails.
 */
export async function remove(writer: Writer, { kind, subject }: JobName): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("jobs")
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .where("cancelled_at", "is", null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes a job as `remove` does, but {@link isCancelled} returns true while a worker is still running it. */
export async function cancelJob(
  writer: Writer,
  { kind, subject }: JobName,
  clock: Pick<Clock, "nowMilliseconds"> = systemClock,
): Promise<void> {
  await writer
    .updateTable("jobs")
    .set({ cancelled_at: timestampAt(clock.nowMilliseconds()) })
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .where("lease", "is not", null)
    .where("cancelled_at", "is", null)
    .execute();
  await remove(writer, { kind, subject });
}

/** Whether one of these jobs was cancelled and may still be running, because its lease has not expired. */
export async function isCancelled(
  reader: Pick<Reader, "selectFrom">,
  { kinds, subject }: { kinds: readonly string[]; subject?: number },
  clock: Pick<Clock, "nowMilliseconds"> = systemClock,
): Promise<boolean> {
  let jobs = reader
    .selectFrom("jobs")
    .select("id")
    .where("cancelled_at", "is not", null)
    .where("due_at", ">", timestampAt(clock.nowMilliseconds()))
    .where("kind", "in", kinds)
    .limit(1);
  if (subject !== undefined) jobs = jobs.where("subject", "=", subject);
  return (await jobs.executeTakeFirst()) !== undefined;
}

/** `abandoned`: the lease has expired, and no other worker has taken the job yet. */
export type JobState = "waiting" | "leased" | "abandoned";

export interface JobFacts extends JobName {
  state: JobState;
  /** The number of times it was begun. */
  attempts: number;
  createdAt: Timestamp;
  /** When it may begin, or when its lease expires. */
  dueAt: Timestamp;
  worker: string | null;
  lastError: string | null;
}

/** The jobs of a kind, or only those for one subject. Cancelled jobs are left out. */
export async function listJobs(
  reader: Reader,
  { kind, subject }: { kind: string; subject?: number },
  clock: Pick<Clock, "nowMilliseconds"> = systemClock,
): Promise<JobFacts[]> {
  const now = timestampAt(clock.nowMilliseconds());
  const ofKind = reader
    .selectFrom("jobs")
    .selectAll()
    .where("kind", "=", kind)
    .where("cancelled_at", "is", null)
    .orderBy("due_at")
    .orderBy("id");
  const rows = await (subject === undefined ? ofKind : ofKind.where("subject", "=", subject)).execute();
  return rows.map((row) => ({
    kind,
    subject: row.subject,
    state: row.lease === null ? "waiting" : row.due_at > now ? "leased" : "abandoned",
    attempts: row.attempts,
    createdAt: row.created_at,
    dueAt: row.due_at,
    worker: row.worker,
    lastError: row.last_error,
  }));
}

/** The number of jobs of these kinds that are waiting or running. */
export async function countJobs(reader: Reader, kinds: readonly string[]): Promise<number> {
  const { jobs } = await reader
    .selectFrom("jobs")
    .select(reader.fn.countAll<number>().as("jobs"))
    .where("kind", "in", kinds)
    .where("cancelled_at", "is", null)
    .executeTakeFirstOrThrow();
  return jobs;
}

/** Whether a runner has something to do now: a job of a known kind that is due, or the row of a cancelled job. */
export async function hasDueJobs(
  reader: Reader,
  clock: Pick<Clock, "nowMilliseconds"> = systemClock,
  kinds: readonly string[] = jobKinds,
): Promise<boolean> {
  const due = await reader
    .selectFrom("jobs")
    .select("id")
    .where("due_at", "<=", timestampAt(clock.nowMilliseconds()))
    .where((job) => job.or([job("kind", "in", kinds), job("cancelled_at", "is not", null)]))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Whether any job is waiting or running and not cancelled. `kinds` and a subject limit the check, if given. */
export async function hasJobs(
  reader: Pick<Reader, "selectFrom">,
  { kinds, subject }: { kinds?: readonly string[]; subject?: number } = {},
): Promise<boolean> {
  let jobs = reader.selectFrom("jobs").select("id").where("cancelled_at", "is", null).limit(1);
  if (kinds !== undefined) jobs = jobs.where("kind", "in", kinds);
  if (subject !== undefined) jobs = jobs.where("subject", "=", subject);
  return (await jobs.executeTakeFirst()) !== undefined;
}

/** The kinds of waiting jobs that this version does not run, and how many there are of each. */
export async function findUnknownKinds(
  reader: Pick<Reader, "selectFrom" | "fn">,
): Promise<{ kind: string; jobs: number }[]> {
  return reader
    .selectFrom("jobs")
    .select(["kind", reader.fn.countAll<number>().as("jobs")])
    .where("kind", "not in", jobKinds)
    .where("cancelled_at", "is", null)
    .groupBy("kind")
    .orderBy("kind")
    .execute();
}

/** Logs the kinds of waiting jobs that nothing here will ever run. */
export async function logUnknownKinds(reader: Reader, log: Pick<Logger, "warn">): Promise<void> {
  const unknown = await findUnknownKinds(reader);
  if (unknown.length === 0) return;
  log.warn(
    { kinds: Object.fromEntries(unknown.map(({ kind, jobs }) => [kind, jobs])) },
    "Jobs wait that this version of Quire does not run: an administrator can cancel them at /admin/queue/",
  );
}
