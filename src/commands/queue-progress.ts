import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { DatabaseUnavailableError } from "../database/database-unavailable.ts";
import { countJobs } from "../jobs/queue.ts";
import { findLatestProgress } from "../resources/documents/processing/progress-store.ts";
import { Progress, type TextStream } from "./progress.ts";

const lookEveryMilliseconds = 500;

/** Shows the progress of a queue, whichever process does the work: one bar from its first job until none is left. */
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

  /** Resolves when no job is left, or with `goesOn` only once the signal fires. */
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

  /** The number of jobs left; null if the database is unavailable. */
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
      this.#bar.update(this.#total - left, await this.#current(), { total: this.#total });
      return;
    }
    // An empty queue gets the message too, if the user waits for its end.
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
