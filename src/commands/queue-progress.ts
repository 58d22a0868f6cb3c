import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { DatabaseUnavailableError } from "../database/database-unavailable.ts";
import { countJobs } from "../jobs/queue.ts";
import { findLatestProgress } from "../resources/documents/processing/progress-store.ts";
import { Progress, type TextStream } from "./progress.ts";

const lookEveryMilliseconds = 500;

/** Shows a person how a queue empties, whoever does the work: one bar from when it fills until nothing is left. */
export class QueueProgress {
  readonly #database: Database;
  readonly #kinds: readonly string[];
  readonly #stream: TextStream;
  #bar: Progress | null = null;
  #left = 0;
  #total = 0;

  constructor(database: Database, kinds: readonly string[], stream: TextStream) {
    this.#database = database;
    this.#kinds = kinds;
    this.#stream = stream;
  }

  /** Resolves when nothing is left; if it is to go on watching after that, only once the signal fires. */
  async watch(signal: AbortSignal, { goesOn }: { goesOn: boolean }): Promise<void> {
    try {
      while (!signal.aborted) {
        const left = await this.#look(goesOn);
        if (left === 0 && !goesOn) return;
        await wait(lookEveryMilliseconds, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#bar?.finish();
    }
  }

  /** How many are left; null where the database is away. */
  async #look(goesOn: boolean): Promise<number | null> {
    try {
      const left = await countJobs(this.#database.reader, this.#kinds);
      await this.#show(left, goesOn);
      return left;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) return null;
      throw error;
    }
  }

  async #show(left: number, goesOn: boolean): Promise<void> {
    this.#total += Math.max(0, left - this.#left);
    this.#left = left;
    if (left > 0) {
      this.#bar ??= new Progress(this.#stream, { unit: "jobs" });
      this.#bar.update(this.#total - left, await this.#current(), this.#total);
      return;
    }
    // Also where there was nothing: whoever waits for the end is told.
    this.#bar ??= goesOn ? null : new Progress(this.#stream, { unit: "jobs" });
    this.#bar?.finish(`${this.#total} ${this.#total === 1 ? "job" : "jobs"} done`);
    this.#bar = null;
    this.#total = 0;
  }

  async #current(): Promise<string> {
    const latest = await findLatestProgress(this.#database);
    if (latest === null) return "";
    const { title, step, done, total } = latest;
    return total === null ? `${title}: ${step}` : `${title}: ${step}, page ${done} of ${total}`;
  }
}
