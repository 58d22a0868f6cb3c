import { timestampAt } from "../jobs/clock.ts";

/*
 * The rules of the queue for one row at a time, written without a database: what the statements of src/jobs/ do is
 * compared with these. Times are milliseconds, except in rows.
 */

/** A row of the queue, as both engines return it once flags are booleans. */
export interface JobRow {
  id: number;
  kind: string;
  subject: number;
  owner: number | null;
  options: string;
  created_at: string;
  due_at: string;
  attempts: number;
  lease: string | null;
  worker: string | null;
  again: boolean;
  last_error: string | null;
  rank: number;
  is_long: boolean;
  cancelled_at: string | null;
}

export const modelLeaseSeconds = 60;

/** The seconds that a job waits after each failure; after further failures as long as after the last of these. */
const waits = [1, 4, 16, 64, 256];

export function waitAfter(attempts: number): number {
  return waits[Math.min(attempts, waits.length) - 1] ?? 0;
}

/** The round of a job that an owner queues now. */
function roundOf(rows: readonly JobRow[], owner: number | null, now: number): number {
  const waiting = rows.filter(({ lease, due_at }) => lease === null && due_at <= timestampAt(now));
  const leased = rows.filter(({ lease }) => lease !== null);
  const lowest = Math.min(...waiting.map(({ rank }) => rank));
  const served = waiting.length > 0 ? lowest : Math.max(0, ...leased.map(({ rank }) => rank));
  const own = rows.filter((row) => owner !== null && row.owner === owner).map(({ rank }) => rank + 1);
  return Math.max(served, ...own);
}

export interface Request extends Pick<JobRow, "kind" | "subject" | "owner" | "options"> {
  afterSeconds: number;
}

/** The queue after a request. A new row has no id yet. */
export function afterRequest(rows: readonly JobRow[], request: Request, now: number): JobRow[] {
  const { kind, subject, owner, options, afterSeconds } = request;
  const same = rows.find((row) => isNamed(row, request));
  if (same !== undefined) {
    const changed = { ...same, options, again: same.lease !== null };
    return rows.map((row) => (row === same ? changed : row));
  }
  const fresh: JobRow = {
    id: 0,
    kind,
    subject,
    owner,
    options,
    created_at: timestampAt(now),
    due_at: timestampAt(now + afterSeconds * 1000),
    attempts: 0,
    lease: null,
    worker: null,
    again: false,
    last_error: null,
    rank: roundOf(rows, owner, now),
    is_long: false,
    cancelled_at: null,
  };
  return [...rows, fresh];
}

/** The queue after a job was cancelled: a leased job stays, as long as its worker may be at it. */
export function afterCancelling(rows: readonly JobRow[], name: JobRowName, now: number): JobRow[] {
  return afterRemoval(
    rows.map((row) =>
      isNamed(row, name) && row.lease !== null ? { ...row, cancelled_at: timestampAt(now) } : row,
    ),
    name,
  );
}

export function afterRemoval(rows: readonly JobRow[], name: JobRowName): JobRow[] {
  return rows.filter((row) => !isNamed(row, name));
}

export type JobRowName = Pick<JobRow, "kind" | "subject">;

function isNamed(row: JobRow, { kind, subject }: JobRowName): boolean {
  return row.kind === kind && row.subject === subject && row.cancelled_at === null;
}

export interface Wanted {
  kinds: readonly string[];
  exceptLong: boolean;
}

/** Whether a worker that wants such jobs may take this one now. */
export function isClaimable(row: JobRow, { kinds, exceptLong }: Wanted, now: number): boolean {
  const isWanted = kinds.includes(row.kind) && !(exceptLong && row.is_long);
  return isWanted && row.cancelled_at === null && row.due_at <= timestampAt(now);
}

/** The job that such a worker has to take now. */
export function nextOf(rows: readonly JobRow[], wanted: Wanted, now: number): JobRow | undefined {
  const order = (one: JobRow, other: JobRow): number =>
    one.rank - other.rank ||
    (one.due_at < other.due_at ? -1 : one.due_at > other.due_at ? 1 : one.id - other.id);
  return rows.filter((row) => isClaimable(row, wanted, now)).toSorted(order)[0];
}

export function claimed(row: JobRow, by: Pick<JobRow, "lease" | "worker">, now: number): JobRow {
  const gone = "The worker that was at it went away before it was done";
  return {
    ...renewed(row, now),
    ...by,
    attempts: row.attempts + 1,
    again: false,
    last_error: row.lease === null ? row.last_error : gone,
  };
}

export function renewed(row: JobRow, now: number): JobRow {
  return { ...row, due_at: timestampAt(now + modelLeaseSeconds * 1000) };
}

/** Null if the row is removed. */
export function ended(row: JobRow, now: number): JobRow | null {
  if (!row.again) return null;
  const time = timestampAt(now);
  return { ...freed(row), created_at: time, due_at: time, attempts: 0, again: false, last_error: null };
}

export interface Retry {
  dueAt: number;
  reason: string;
  counts: boolean;
}

export function retried(row: JobRow, { dueAt, reason, counts }: Retry): JobRow {
  const attempts = counts ? row.attempts : row.attempts - 1;
  return { ...freed(row), due_at: timestampAt(dueAt), last_error: reason, attempts };
}

export function givenWay(rows: readonly JobRow[], row: JobRow, options: string, now: number): JobRow {
  return {
    ...freed(row),
    due_at: timestampAt(now),
    attempts: row.attempts - 1,
    options: row.again ? row.options : options,
    again: false,
    is_long: true,
    rank: roundOf(rows, row.owner, now),
  };
}

export function released(row: JobRow): JobRow {
  return { ...freed(row), due_at: row.created_at, attempts: row.attempts - 1 };
}

function freed(row: JobRow): JobRow {
  return { ...row, lease: null, worker: null };
}
