import { readFileSync, readdirSync } from "node:fs";

/*
 * Limits on the time that work may take count processor time, where the system tells it (Linux): on a machine that is
 * busy with other work, a sound file would otherwise seem to take too long. The clock is the outer bound, for work that
 * waits for something that never comes.
 */

/** By the clock, work may take this many times its limit. */
export const clockFactor = 4;

/** In seconds. */
export interface TimeLimit {
  processor: number;
  /** The limit by the clock. */
  clock: number;
}

/** The limit for work that nobody waits for. */
export const unhurried = (seconds: number): TimeLimit => ({
  processor: seconds,
  clock: seconds * clockFactor,
});

/** The limit for work that a person waits for. */
export const byTheClock = (seconds: number): TimeLimit => ({ processor: seconds, clock: seconds });

const minPauseSeconds = 0.05;

export interface RunningLimit {
  isLate: () => boolean;
  /** The processor time since the work began, or the time by the clock if that is all that is known. */
  usedSeconds: () => number;
  lift: () => void;
}

/**
 * Calls `end` when the time is up, unless the limit is lifted before.
 *
 * @param readSeconds the processor time of what does the work, with what it took before; null if it is not known
 * @param freeSeconds how long the work may run before its processor time is counted: where reading that is expensive,
 * it is not read for work that ends at once
 */
export function limitTime(
  { processor, clock }: TimeLimit,
  readSeconds: () => number | null,
  end: () => void,
  freeSeconds = 0,
): RunningLimit {
  const started = performance.now();
  const free = Math.min(freeSeconds, processor / 2);
  let before = free === 0 ? readSeconds() : null;
  let isLate = false;
  const elapsedSeconds = (): number => (performance.now() - started) / 1000;
  const usedSeconds = (): number => {
    const all = before === null ? null : readSeconds();
    return before === null || all === null ? elapsedSeconds() : all - before;
  };
  const check = (): void => {
    const left = Math.min(processor - usedSeconds(), clock - elapsedSeconds());
    isLate = left <= 0;
    if (isLate) end();
    else timer = setTimeout(check, Math.max(left, minPauseSeconds) * 1000);
  };
  const begin = (): void => {
    before = readSeconds();
    timer = setTimeout(check, (processor - free) * 1000);
  };
  let timer = free === 0 ? setTimeout(check, processor * 1000) : setTimeout(begin, free * 1000);
  return { isLate: () => isLate, usedSeconds, lift: () => clearTimeout(timer) };
}

/** Linux counts in hundredths of a second, on every processor. */
const ticksPerSecond = 100;

interface ProcessorTime {
  /** The id of the process group. */
  group: number;
  /** Of the process with all its threads, and of its children that have ended. */
  seconds: number;
}

/** The processor time that a `stat` file of /proc gives; null if it gives none. */
function readStat(path: string): ProcessorTime | null {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch {
    return null;
  }
  // The second field is the name in brackets, which may contain anything.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [, , group = 0] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return Number.isFinite(ticks) ? { group, seconds: ticks / ticksPerSecond } : null;
}

/** The processor time of a process so far; null if the system does not tell. */
export function secondsOfProcess(id: number | undefined): number | null {
  return id === undefined ? null : (readStat(`/proc/${id}/stat`)?.seconds ?? null);
}

/** The processor time of a thread of this process so far; null if the system does not tell. */
export function secondsOfThread(id: number | null): number | null {
  return id === null ? null : (readStat(`/proc/self/task/${id}/stat`)?.seconds ?? null);
}

/** The processor time of the processes that belong to a group; null if the system does not tell. */
export function secondsOfGroup(group: number | undefined): number | null {
  if (group === undefined || readStat(`/proc/${group}/stat`) === null) return null;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(`/proc/${name}/stat`))
    .reduce((sum, time) => (time?.group === group ? sum + time.seconds : sum), 0);
}
