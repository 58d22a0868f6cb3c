import { Chance } from "../chance.ts";
import type { Verdict } from "./ledger.ts";
import { orderings } from "./orderings.ts";
import { walk } from "./walker.ts";

export interface Walks {
  url: string;
  standing: readonly number[];
  seconds: number;
  /** Ends the walks early. */
  interrupt: AbortSignal;
}

const walkersAtOnce = 4;
/** The time that a running walk may still take after the end. */
const graceSeconds = 30;

/**
 * Walks every ordering in both directions, repeatedly, until the time is over and each was walked at least once. `hear`
 * is called for every walk; a walk without a verdict was stopped before its end.
 */
export async function sendWalkers(
  { url, standing, seconds, interrupt }: Walks,
  hear: (ordering: string, verdict: Verdict | undefined) => void,
): Promise<void> {
  const hurry = AbortSignal.any([AbortSignal.timeout(seconds * 1000), interrupt]);
  const failed = new AbortController();
  const stop = AbortSignal.any([AbortSignal.timeout((seconds + graceSeconds) * 1000), failed.signal]);
  const routes = orderings.flatMap((ordering) => [
    { ordering, backwards: false },
    { ordering, backwards: true },
  ]);
  let turn = 0;
  const walkOn = async (chance: Chance): Promise<void> => {
    while (!stop.aborted && (!hurry.aborted || (turn < routes.length && !interrupt.aborted))) {
      const route = routes[turn++ % routes.length] as (typeof routes)[number];
      hear(route.ordering.name, await walk({ ...route, url, standing, hurry, stop }, chance));
    }
  };
  const walkers = Array.from({ length: walkersAtOnce }, (_, number) =>
    walkOn(new Chance(Date.now() + number)),
  );
  try {
    await Promise.all(walkers);
  } finally {
    failed.abort();
    await Promise.allSettled(walkers);
  }
}
