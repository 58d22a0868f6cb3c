import type { Logger } from "pino";
import { reasonOf } from "../errors.ts";

const intervalMilliseconds = 10_000;

/**
 * Whether the store of the files answers, for health checks: it is asked in the background, and at most every ten
 * seconds, however many ask. A store that stops answering, or answers again, is logged once.
 */
export class WatchedFiles {
  readonly #files: { ping(): Promise<void> };
  readonly #log: Pick<Logger, "error" | "info">;
  readonly #nowMilliseconds: () => number;
  #answers: boolean | null = null;
  #askedAt = -Infinity;
  #asking: Promise<void> | null = null;

  constructor(
    files: { ping(): Promise<void> },
    log: Pick<Logger, "error" | "info">,
    nowMilliseconds: () => number = () => performance.now(),
  ) {
    this.#files = files;
    this.#log = log;
    this.#nowMilliseconds = nowMilliseconds;
  }

  /** Whether it answered when it was asked last. Only the first question waits for the answer, or for `late`. */
  async answer(late: Promise<never>): Promise<boolean> {
    const now = this.#nowMilliseconds();
    if (this.#asking === null && now - this.#askedAt >= intervalMilliseconds) {
      this.#askedAt = now;
      this.#asking = this.#ask().finally(() => (this.#asking = null));
    }
    if (this.#answers === null) await Promise.race([this.#asking, late]).catch(() => undefined);
    return this.#answers ?? false;
  }

  async #ask(): Promise<void> {
    const before = this.#answers;
    try {
      await this.#files.ping();
      this.#answers = true;
      if (before === false) this.#log.info("The files can be reached again");
    } catch (error) {
      this.#answers = false;
      if (before !== false) this.#log.error({ reason: reasonOf(error) }, "The files cannot be reached");
    }
  }
}
