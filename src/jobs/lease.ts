import { randomUUID } from "node:crypto";
import { type UpdateResult, sql } from "kysely";
import type { Database, Reader, Writer } from "../database/database.ts";
import type { Timestamp } from "../database/tables.ts";
import { rankOf } from "./rank.ts";

/*
 * A job is a row until it has ended. Its worker holds a lease on that row: a secret of this one attempt (`lease`) and
 * an expiry time (`due_at`), which the worker extends while the work goes on. If the worker dies, nothing has to
 * notice: the lease expires, and the job is due like any other. One column says both when a waiting job may begin and
 * when a leased one may be taken over, so the next job is always the first of one index.
 *
 * A lease does not keep two workers from running a job at once: a worker that was suspended for a minute does not know
 * that its lease has expired. The lease protects the effect. The last step of a job is one transaction that writes its
 * result and ends the row, on condition that the row still has this attempt's secret. If a worker has lost the lease,
 * the whole transaction is rolled back. Each attempt gets a new secret, so it cannot be confused with an earlier
 * attempt, not even one of the same worker.
 *
 * Alternatives: a row lock (or an advisory lock) held for as long as the work takes would need no clock, but it needs a
 * transaction that stays open for minutes. SQLite has only one such transaction, and PostgreSQL cannot vacuum behind
 * it. A separate queue (Redis, or a broker) would be a second source of truth beside the database: a job could be
 * queued for a change that was rolled back, or lost for one that was committed. A job that is marked as begun without a
 * lease would stay so for ever when its worker dies, unless something knows that no other worker is alive.
 *
 * A job that is cancelled while a worker holds its lease keeps its row (`cancelled_at`) until that worker has stopped
 * or its lease has expired. The worker can no longer write a result, but it may not know that yet and still be storing
 * files. Meanwhile the same job may be queued again, in another row.
 *
 * Workers on several machines compare their own clocks with the times in the rows. If the clocks differ by more than
 * two thirds of a lease, a job may be taken over although its lease is being renewed. Work is then done twice, but
 * takes effect only once.
 */

/** This attempt no longer holds the job: another worker has taken it, or it was removed, was cancelled or has ended. */
export class LeaseLostError extends Error {
  constructor() {
    super("The lease of this job is lost");
    this.name = "LeaseLostError";
  }
}

/** One attempt at a job, as it was when the worker took it. */
export interface Lease {
  id: number;
  lease: string;
  kind: string;
  subject: number;
  /** JSON text. */
  options: string;
  /** Including this one. */
  attempts: number;
  last_error: string | null;
  owner: number | null;
  is_long: boolean | number;
}

const workerGone = "The worker that was at it went away before it was done";

/** When the next of these jobs may be taken; null if there is none. */
export async function findNextDue(
  reader: Reader,
  kinds: readonly string[],
  { exceptLong = false }: Pick<Claim, "exceptLong"> = {},
): Promise<Timestamp | null> {
  let next = reader
    .selectFrom("jobs")
    .select("due_at")
    .where("kind", "in", kinds)
    .where("cancelled_at", "is", null)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
  if (exceptLong) next = next.where(sql<boolean>`not is_long`);
  return (await next.executeTakeFirst())?.due_at ?? null;
}

/** Whether a due job of one of these kinds waits for a worker. */
export async function isAnyWaiting(
  reader: Reader,
  kinds: readonly string[],
  now: Timestamp,
): Promise<boolean> {
  const waiting = await reader
    .selectFrom("jobs")
    .select("id")
    .where("lease", "is", null)
    .where("kind", "in", kinds)
    .where("due_at", "<=", now)
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

export interface Claim {
  kinds: readonly string[];
  worker: string;
  now: Timestamp;
  until: Timestamp;
  /** Skips jobs that take long. */
  exceptLong?: boolean;
  /** If given, takes only jobs of this user, and none that takes long. */
  owner?: number;
}

/**
 * Takes the next due job, if there is one: a waiting job, or one whose lease has expired. Jobs are ordered by round
 * (rank.ts), then by how long they have been due.
 */
export async function claimNext(database: Database, claim: Claim): Promise<Lease | null> {
  const { kinds, worker, now, until, owner, exceptLong = owner !== undefined } = claim;
  const next = sql<number>`(select id from jobs
    where due_at <= ${now} and kind in (${sql.join(kinds)}) and cancelled_at is null
    ${exceptLong ? sql`and not is_long` : sql``}
    ${owner === undefined ? sql`` : sql`and owner = ${owner}`}
    order by rank, due_at, id limit 1 ${database.dialect.forUpdateOfFree})`;
  const claimed = await database.write((writer) =>
    writer
      .updateTable("jobs")
      .set({
        lease: randomUUID(),
        worker,
        due_at: until,
        attempts: sql`attempts + 1`,
        // Any request to run the job again came before this attempt.
        again: false,
        last_error: sql`case when lease is null then last_error else ${workerGone} end`,
      })
      .where("id", "=", next)
      .returning(["id", "lease", "kind", "subject", "options", "attempts", "last_error", "owner", "is_long"])
      .executeTakeFirst(),
  );
  return claimed === undefined ? null : (claimed as Lease);
}

/**
 * Extends the lease, and returns whether the attempt still held the job. An expired lease can be renewed if no other
 * worker has taken the job.
 */
export async function renew(writer: Writer, lease: Lease, until: Timestamp): Promise<boolean> {
  return isDone(await held(writer, lease).set({ due_at: until }).executeTakeFirst());
}

/** Whether the job has not been taken over, removed or cancelled. */
export async function isHeld(reader: Reader, { id, lease }: Lease): Promise<boolean> {
  const row = await reader
    .selectFrom("jobs")
    .select("id")
    .where("id", "=", id)
    .where("lease", "=", lease)
    .where("cancelled_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes a cancelled job whose worker has stopped, so that other work can begin. */
export async function releaseCancelled(database: Database, { id, lease }: Lease): Promise<void> {
  await database.write((writer) =>
    writer
      .deleteFrom("jobs")
      .where("id", "=", id)
      .where("lease", "=", lease)
      .where("cancelled_at", "is not", null)
      .execute(),
  );
}

/** Removes the cancelled jobs whose workers have disappeared: their leases have expired. */
export async function removeExpiredCancelled(database: Database, now: Timestamp): Promise<void> {
  const expired = await database.reader
    .selectFrom("jobs")
    .select("id")
    .where("cancelled_at", "is not", null)
    .where("due_at", "<=", now)
    .limit(1)
    .executeTakeFirst();
  // Usually there is no such row, and a read does not make other writers wait.
  if (expired === undefined) return;
  await database.write((writer) =>
    writer.deleteFrom("jobs").where("cancelled_at", "is not", null).where("due_at", "<=", now).execute(),
  );
}

/**
 * Ends a job that is done or given up: its row is deleted, or waits again if the job was requested again meanwhile.
 * Returns whether the attempt still held the job.
 */
export async function end(writer: Writer, lease: Lease, now: Timestamp): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("jobs")
    .where("id", "=", lease.id)
    .where("lease", "=", lease.lease)
    .where("cancelled_at", "is", null)
    .where("again", "=", false)
    .executeTakeFirst();
  if (numDeletedRows > 0n) return true;
  const fresh = { created_at: now, due_at: now, attempts: 0, again: false, last_error: null };
  return isDone(
    await held(writer, lease)
      .set({ ...fresh, lease: null, worker: null })
      .executeTakeFirst(),
  );
}

/**
 * Makes a failed job wait for another attempt. With `counts: false`, this attempt is not counted. Returns whether the
 * attempt still held the job.
 */
export async function retryAt(
  writer: Writer,
  lease: Lease,
  { dueAt, reason, counts = true }: { dueAt: Timestamp; reason: string; counts?: boolean },
): Promise<boolean> {
  return isDone(
    await held(writer, lease)
      .set({
        lease: null,
        worker: null,
        due_at: dueAt,
        last_error: reason,
        ...(!counts && { attempts: sql`attempts - 1` }),
      })
      .executeTakeFirst(),
  );
}

/**
 * Puts a job that takes long behind the jobs of others. It continues later with these options, unless it was requested
 * again meanwhile. This attempt is not counted. Returns whether the attempt still held the job.
 */
export async function giveWay(
  writer: Writer,
  lease: Lease,
  { options, now }: { options: object; now: Timestamp },
): Promise<boolean> {
  return isDone(
    await held(writer, lease)
      .set({
        lease: null,
        worker: null,
        due_at: now,
        attempts: sql`attempts - 1`,
        options: sql`case when again then options else ${JSON.stringify(options)} end`,
        again: false,
        is_long: true,
        rank: rankOf(lease.owner, now),
      })
      .executeTakeFirst(),
  );
}

/** Returns a job to its old position in the queue, as if it had never been taken. */
export async function release(database: Database, lease: Lease): Promise<boolean> {
  return database.write(async (writer) =>
    isDone(
      await held(writer, lease)
        .set({ lease: null, worker: null, due_at: sql`created_at`, attempts: sql`attempts - 1` })
        .executeTakeFirst(),
    ),
  );
}

function held(writer: Writer, { id, lease }: Lease) {
  return writer
    .updateTable("jobs")
    .where("id", "=", id)
    .where("lease", "=", lease)
    .where("cancelled_at", "is", null);
}

function isDone({ numUpdatedRows }: UpdateResult): boolean {
  return numUpdatedRows > 0n;
}
