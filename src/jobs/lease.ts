import { randomUUID } from "node:crypto";
import { type UpdateResult, sql } from "kysely";
import type { Database, Reader, Writer } from "../database/database.ts";
import type { Timestamp } from "../database/tables.ts";
import { rankOf } from "./rank.ts";

/*
 * A job is a row until it has ended, and its worker holds a lease on that row: a secret of this one attempt
 * (`lease`) and the moment when it is over (`due_at`), which its holder moves on while the work goes on. When the
 * holder dies nothing has to notice: the moment comes, and the job is due like any other. That one column says both
 * when a waiting job may begin and when a leased one may be taken over keeps the next job the first of one index.
 *
 * No lease keeps two workers from being at it at once: one that was stopped for a minute does not know that its time is
 * over. What is kept is the effect. A job's last act is one transaction that writes its result and ends the row, on
 * condition that the row still has this attempt's secret; a worker that lost it has the whole transaction rolled back. The
 * secret is drawn again for each attempt, so that not even the same worker's earlier one can be mistaken for it.
 *
 * Alternatives: holding the row's lock (or an advisory one) for as long as the work takes would need no clock, but
 * a transaction that is open for minutes, which SQLite has only one of, and which PostgreSQL cannot clean up behind. A
 * queue of its own (Redis, or a broker) would be a second truth beside the database: a job could be queued for a
 * change that was rolled back, or lost for one that was not. Marking a job as begun without a lease would leave it
 * so for ever when its worker dies, or need someone who knows that no other worker is alive.
 *
 * A job that is cancelled while a worker holds its lease keeps its row (`cancelled_at`) until that worker has stopped or its
 * lease is over. The worker can write no result any more, but may not know yet, and still be storing files. Meanwhile the
 * same job may be queued again, in another row.
 *
 * Workers on several machines compare their own clocks with the moments in the rows. Where those differ by more than
 * two thirds of a lease, jobs are taken over while they are renewed: work is done twice then, but never its effect.
 */

/** Somebody else has the job by now, or nobody: it was taken out, or has ended. */
export class LeaseLostError extends Error {
  constructor() {
    super("The lease of this job is lost");
    this.name = "LeaseLostError";
  }
}

/** One attempt at a job, as it was when it was taken. */
export interface Lease {
  id: number;
  lease: string;
  kind: string;
  subject: number;
  /** JSON text. */
  options: string;
  /** This one included. */
  attempts: number;
  last_error: string | null;
  owner: number | null;
  is_long: boolean | number;
}

const workerGone = "The worker that was at it went away before it was done";

/** When the next of these jobs may be taken; null when there is none. */
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

/** Whether a job that is due waits for a worker. */
export async function isAnyWaiting(reader: Reader, now: Timestamp): Promise<boolean> {
  const waiting = await reader
    .selectFrom("jobs")
    .select("id")
    .where("lease", "is", null)
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
  /** Leaves jobs that take long to others. */
  exceptLong?: boolean;
}

/**
 * Takes the job that comes next, if one is due: waiting, or left behind by the worker that had it. The round decides
 * (rank.ts), then how long it has been due.
 */
export async function claimNext(database: Database, claim: Claim): Promise<Lease | null> {
  const { kinds, worker, now, until, exceptLong = false } = claim;
  const next = sql<number>`(select id from jobs
    where due_at <= ${now} and kind in (${sql.join(kinds)}) and cancelled_at is null
    ${exceptLong ? sql`and not is_long` : sql``} order by rank, due_at, id limit 1 ${database.dialect.forUpdateOfFree})`;
  const claimed = await database.write((writer) =>
    writer
      .updateTable("jobs")
      .set({
        lease: randomUUID(),
        worker,
        due_at: until,
        attempts: sql`attempts + 1`,
        // A request to run it again came before this attempt.
        again: false,
        last_error: sql`case when lease is null then last_error else ${workerGone} end`,
      })
      .where("id", "=", next)
      .returning(["id", "lease", "kind", "subject", "options", "attempts", "last_error", "owner", "is_long"])
      .executeTakeFirst(),
  );
  return claimed === undefined ? null : (claimed as Lease);
}

/** Whether it was still held, and so is until then: a lease that is over but that nobody took can be renewed. */
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

/** Releases a cancelled job once its worker has stopped: others may begin. */
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

/** Removes the cancelled jobs whose workers went away: their leases are over. */
export async function removeExpiredCancelled(database: Database, now: Timestamp): Promise<void> {
  const expired = await database.reader
    .selectFrom("jobs")
    .select("id")
    .where("cancelled_at", "is not", null)
    .where("due_at", "<=", now)
    .limit(1)
    .executeTakeFirst();
  // Usually no row is found, and a read does not make other writers wait.
  if (expired === undefined) return;
  await database.write((writer) =>
    writer.deleteFrom("jobs").where("cancelled_at", "is not", null).where("due_at", "<=", now).execute(),
  );
}

/**
 * Ends a job that is done or given up: its row goes, or waits once more if it was asked for again. Whether it was
 * still held.
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

/** Has a job that failed wait for another attempt. This one counts, or is as if it had not been. */
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
 * Gives a job back that takes long, behind what others asked for: it goes on with these options, unless it was asked for
 * once more meanwhile. This attempt is as if it had not been. Whether it was still held.
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

/** Gives a job back as if it had never been taken, in its old place in the line. */
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
