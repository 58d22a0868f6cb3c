import type { Logger } from "pino";
import { logUnlessAway } from "../database/database-unavailable.ts";
import { reasonOf } from "../errors.ts";
import { type Clock, systemClock } from "./clock.ts";

/** Work that is repeated: its name, the pause between two runs in seconds, and the function. */
export type ScheduledWork = readonly [name: string, everySeconds: number, run: () => Promise<void>];

/** What this process knows about scheduled work. Times are in milliseconds. */
export interface ScheduledRun {
  readonly name: string;
  readonly everySeconds: number;
  /** When the latest run ended; null before the end of the first one. */
  lastAt: number | null;
  /** Why the latest run failed; null if it succeeded. */
  problem: string | null;
}

/** Lets the process end while it waits. */
const quietClock: Clock = {
  ...systemClock,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Runs scheduled work: everything once at the start, and again when its pause is over, which begins when a run ends. So
 * no work ever runs twice at a time in one process. Work that fails is logged once until it fails for another reason or
 * succeeds, and is tried again after the same pause.
 */
export class ScheduleRunner {
  /** When the runner was started; null before. */
  startedAt: number | null = null;
  readonly #entries: readonly { run: ScheduledRun; work: () => Promise<void> }[];
  readonly #log: Pick<Logger, "debug" | "error">;
  readonly #clock: Clock;
  readonly #underWay = new Set<Promise<void>>();
  readonly #waits = new Map<ScheduledRun, () => void>();
  #isStopped = false;

  constructor(
    schedule: readonly ScheduledWork[],
    log: Pick<Logger, "debug" | "error">,
    clock: Clock = quietClock,
  ) {
    this.#entries = schedule.map(([name, everySeconds, work]) => ({
      run: { name, everySeconds, lastAt: null, problem: null },
      work,
    }));
    this.#log = log;
    this.#clock = clock;
  }

  /** Resolves when everything has run once. Never rejects. */
  async start(): Promise<void> {
    this.startedAt = this.#clock.nowMilliseconds();
    for (const { run, work } of this.#entries) this.#begin(run, work);
    await this.settled();
  }

  /** Begins nothing new. Resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#waits.values()) cancel();
    await this.settled();
  }

  /** Resolves when what runs has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** The latest runs, in the order of the schedule. */
  report(): readonly Readonly<ScheduledRun>[] {
    return this.#entries.map(({ run }) => ({ ...run }));
  }

  #begin(run: ScheduledRun, work: () => Promise<void>): void {
    const underWay = this.#run(run, work).finally(() => {
      this.#underWay.delete(underWay);
      if (this.#isStopped) return;
      const cancel = this.#clock.after(run.everySeconds * 1000, () => this.#begin(run, work));
      this.#waits.set(run, cancel);
    });
    this.#underWay.add(underWay);
  }

  async #run(run: ScheduledRun, work: () => Promise<void>): Promise<void> {
    let problem: string | null = null;
    try {
      await work();
    } catch (error) {
      problem = reasonOf(error);
      if (problem !== run.problem) logUnlessAway(this.#log, error, `Scheduled work failed: ${run.name}`);
    }
    run.problem = problem;
    run.lastAt = this.#clock.nowMilliseconds();
  }
}
