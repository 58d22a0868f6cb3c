import { sql } from "kysely";
import type { Reader, Writer } from "../database/database.ts";
import type { Timestamp } from "../database/tables.ts";
import { type Clock, systemClock, timestampAt } from "./clock.ts";
import { rankOf } from "./rank.ts";

/** Which job: there is at most one of a kind for a subject, besides those that are cancelled. */
export interface JobName {
  kind: string;
  /** The id of what it is about. */
  subject: number;
}

export interface NewJob extends JobName {
  /** Short: what is large stands in the tables of its owner. */
  options?: Readonly<Record<string, unknown>>;
  /** When it may begin, from now on; at once, unless it is given. */
  afterSeconds?: number;
  /** The id of the person whom it is done for; null, or not given: nobody in particular. */
  owner?: number | null;
}

/**
 * Asks for a job, in the transaction that needs it. One that waits already is not queued twice, and one that is under
 * way is done again when it ends; either way the newest options count. After the commit, `JobRunner.notify`
 * spares it the wait until a runner looks by itself.
 */
export async function enqueue(
  writer: Writer,
  { kind, subject, options = {}, afterSeconds = 0, owner = null }: NewJob,
  clock: Pick<Clock, "nowMilliseconds"> = systemClock,
): Promise<void> {
  const now = timestampAt(clock.nowMilliseconds());
  const due_at = timestampAt(clock.nowMilliseconds() + afterSeconds * 1000);
  await writer
    .insertInto("jobs")
    .values({
      kind,
      subject,
      options: JSON.stringify(options),
      created_at: now,
      due_at,
      owner,
      rank: rankOf(owner, now),
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
}

/** Removes a job. A worker that is doing it has lost it: `complete` fails. Whether there was one. */
export async function remove(writer: Writer, { kind, subject }: JobName): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("jobs")
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .where("cancelled_at", "is", null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes a job as `remove` does; but while a worker is doing it, {@link isCancelled} says so. */
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

/** Whether one of these jobs was cancelled and may still be under way: until its lease is over. */
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

/** `abandoned`: its lease is over, and nobody has taken it yet. */
export type JobState = "waiting" | "leased" | "abandoned";

export interface JobFacts extends JobName {
  state: JobState;
  /** How often it was begun. */
  attempts: number;
  createdAt: Timestamp;
  /** When it may begin, or when its lease is over. */
  dueAt: Timestamp;
  worker: string | null;
  lastError: string | null;
}

/** The jobs of a kind, or those of them that are about one subject; none that are cancelled. */
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

/** How many jobs of these kinds are waiting or under way. */
export async function countJobs(reader: Reader, kinds: readonly string[]): Promise<number> {
  const { jobs } = await reader
    .selectFrom("jobs")
    .select(reader.fn.countAll<number>().as("jobs"))
    .where("kind", "in", kinds)
    .where("cancelled_at", "is", null)
    .executeTakeFirstOrThrow();
  return jobs;
}

/** Whether a runner has something to do now: a job that is due, or the row of a cancelled one. */
export async function hasDueJobs(
  reader: Reader,
  clock: Pick<Clock, "nowMilliseconds"> = systemClock,
): Promise<boolean> {
  const due = await reader
    .selectFrom("jobs")
    .select("id")
    .where("due_at", "<=", timestampAt(clock.nowMilliseconds()))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Whether any job is waiting or under way and not cancelled; of these kinds only, or for this subject, where they are named. */
export async function hasJobs(
  reader: Pick<Reader, "selectFrom">,
  { kinds, subject }: { kinds?: readonly string[]; subject?: number } = {},
): Promise<boolean> {
  let jobs = reader.selectFrom("jobs").select("id").where("cancelled_at", "is", null).limit(1);
  if (kinds !== undefined) jobs = jobs.where("kind", "in", kinds);
  if (subject !== undefined) jobs = jobs.where("subject", "=", subject);
  return (await jobs.executeTakeFirst()) !== undefined;
}
