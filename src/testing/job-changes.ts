import { isDeepStrictEqual } from "node:util";
import { timestampAt } from "../jobs/clock.ts";
import {
  type JobRow,
  type Wanted,
  claimed,
  ended,
  givenWay,
  isClaimable,
  nextOf,
  released,
  renewed,
  retried,
} from "./job-model.ts";
import { type Attempt, type KindOfWork, type Transaction, kindsOfWork } from "./simulated-worker.ts";

export const kinds = Object.keys(kindsOfWork) as KindOfWork[];

/** What a worker may want, depending on what it is running. */
export const wants: readonly Wanted[] = [["read" as const], ["send" as const], kinds].flatMap((some) => [
  { kinds: some, exceptLong: false },
  { kinds: some, exceptLong: true },
]);

/** The queue before some transactions of workers. */
export interface Before {
  rows: readonly JobRow[];
  byLease: ReadonlyMap<string, Attempt>;
  now: number;
}

/** The changes that the transactions may not have made, a sentence each. */
export function faultsIn(
  before: Before,
  transactions: readonly Transaction[],
  rows: readonly JobRow[],
): string[] {
  const added = rows.filter(({ id }) => before.rows.every((row) => row.id !== id));
  const changed = before.rows.flatMap((row) => {
    const after = rows.find(({ id }) => id === row.id) ?? null;
    const isRight = reachable(before, row, after, transactions).some((one) => isDeepStrictEqual(one, after));
    return isRight ? [] : [`${JSON.stringify(row)} became ${JSON.stringify(after)}`];
  });
  const [only, ...others] = transactions;
  const isHeld = ({ attempt }: { attempt: Attempt }): boolean =>
    before.rows.some(({ lease, cancelled_at }) => lease === attempt.row.lease && cancelled_at === null);
  const refusals: string[] = [];
  if (only !== undefined && only.effect !== null && others.length === 0) {
    const [isDone, mayBeDone] = [only.isCommitted, isHeld(only.effect)];
    if (isDone && !mayBeDone) refusals.push(`"${only.effect.step}" was committed without the lease`);
    if (mayBeDone && !isDone) refusals.push(`"${only.effect.step}" was refused with the lease`);
  }
  return [...added.map((row) => `A worker added ${JSON.stringify(row)}`), ...changed, ...refusals];
}

/** What these transactions, in some order, may make of a row that they made `after`; null if they remove it. */
function reachable(
  before: Before,
  row: JobRow,
  after: JobRow | null,
  transactions: readonly Transaction[],
  areSeveral = transactions.length > 1,
): (JobRow | null)[] {
  const next = transactions.flatMap((transaction, index) =>
    possible(before, row, after, transaction, areSeveral).flatMap((one) =>
      one === null ? [null] : reachable(before, one, after, transactions.toSpliced(index, 1), areSeveral),
    ),
  );
  return [row, ...next];
}

function possible(
  { rows, byLease, now }: Before,
  row: JobRow,
  after: JobRow | null,
  { worker, askedAt, effect }: Transaction,
  areSeveral: boolean,
): (JobRow | null)[] {
  const attempt = row.lease === null ? undefined : byLease.get(row.lease);
  const isOwn = attempt !== undefined && attempt.worker === worker;
  if (effect !== null) {
    if (attempt !== effect.attempt || row.cancelled_at !== null) return [];
    if (effect.step === "hold") return [renewed(row, now)];
    if (effect.step === "complete") return [ended(row, now)];
    const back = givenWay(rows, row, effect.options, now);
    // Which round is being served depends on what the others are doing at the same time.
    return [areSeveral && after !== null ? { ...back, rank: after.rank } : back];
  }
  if (row.cancelled_at !== null) {
    const isOver = row.due_at <= timestampAt(askedAt) || (isOwn && attempt.outcome !== null);
    return isOver ? [null] : [];
  }
  const found: (JobRow | null)[] = [];
  // With several at once, each skips what the others are taking.
  const isTurn = (wanted: Wanted): boolean =>
    areSeveral ? isClaimable(row, wanted, askedAt) : nextOf(rows, wanted, askedAt) === row;
  const lease = after?.lease ?? null;
  if (lease !== null && !byLease.has(lease) && wants.some(isTurn))
    found.push(claimed(row, { lease, worker: worker.name }, askedAt));
  if (!isOwn) return found;
  found.push(renewed(row, askedAt));
  if (worker.isStopping || attempt.outcome?.step === "release") found.push(released(row));
  if (attempt.outcome?.step === "end") found.push(ended(row, now));
  if (attempt.outcome?.step === "retry") found.push(retried(row, attempt.outcome.retry));
  return found;
}
