import type { Reader } from "../database/database.ts";
import { type Clock, timestampAt } from "../jobs/clock.ts";
import { findNextDue, isAnyWaiting } from "../jobs/lease.ts";
import { countJobs, hasDueJobs, hasJobs, isCancelled, listJobs } from "../jobs/queue.ts";
import { kinds, wants } from "./job-changes.ts";
import type { JobRow } from "./job-model.ts";

/** What the queue tells its clients and workers about itself. */
interface Answers {
  /** For each of `wants`. */
  ofKinds: { nextDue: string | null; count: number; hasAny: boolean; isCancelled: boolean }[];
  hasDue: boolean;
  isAnyWaiting: boolean;
  states: [subject: number, state: string][][];
}

export async function answersOf(reader: Reader, clock: Clock): Promise<Answers> {
  const ofKinds: Answers["ofKinds"] = [];
  for (const { kinds: some, exceptLong } of wants)
    ofKinds.push({
      nextDue: await findNextDue(reader, some, { exceptLong }),
      count: await countJobs(reader, some),
      hasAny: await hasJobs(reader, { kinds: some }),
      isCancelled: await isCancelled(reader, { kinds: some }, clock),
    });
  const states: Answers["states"] = [];
  for (const kind of kinds) {
    const jobs = await listJobs(reader, { kind }, clock);
    states.push(jobs.map(({ subject, state }) => [subject, state]));
  }
  return {
    ofKinds,
    hasDue: await hasDueJobs(reader, clock, kinds),
    isAnyWaiting: await isAnyWaiting(reader, kinds, timestampAt(clock.nowMilliseconds())),
    states,
  };
}

/** What it should tell them. */
export function answersFor(rows: readonly JobRow[], clock: Clock): Answers {
  const now = timestampAt(clock.nowMilliseconds());
  const isDue = ({ due_at }: JobRow): boolean => due_at <= now;
  const queued = rows.filter(({ cancelled_at }) => cancelled_at === null);
  const cancelled = rows.filter((row) => row.cancelled_at !== null && !isDue(row));
  const stateOf = (row: JobRow): string =>
    row.lease === null ? "waiting" : isDue(row) ? "abandoned" : "leased";
  const byTime = queued.toSorted((one, other) =>
    one.due_at === other.due_at ? one.id - other.id : one.due_at < other.due_at ? -1 : 1,
  );
  return {
    ofKinds: wants.map(({ kinds: some, exceptLong }) => {
      const wanted = byTime.filter(({ kind }) => some.includes(kind));
      return {
        nextDue: wanted.find(({ is_long }) => !(exceptLong && is_long))?.due_at ?? null,
        count: wanted.length,
        hasAny: wanted.length > 0,
        isCancelled: cancelled.some(({ kind }) => some.includes(kind)),
      };
    }),
    hasDue: rows.some(isDue),
    isAnyWaiting: rows.some((row) => row.lease === null && isDue(row)),
    states: kinds.map((kind) =>
      byTime.filter((row) => row.kind === kind).map((row) => [row.subject, stateOf(row)]),
    ),
  };
}
