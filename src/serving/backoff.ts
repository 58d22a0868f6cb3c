const firstPauseSeconds = 1;
const maxPauseSeconds = 60;

/**
 * The pauses before something that failed is started again. They double from one second to a minute. After something
 * that ran for longer than a minute, they begin at one second again.
 */
export class Backoff {
  #failures = 0;

  /** Consecutive failures. */
  get failures(): number {
    return this.#failures;
  }

  /** The pause after a failure, in milliseconds. */
  next(ranMilliseconds: number): number {
    this.#failures = ranMilliseconds > maxPauseSeconds * 1000 ? 1 : this.#failures + 1;
    return Math.min(maxPauseSeconds, firstPauseSeconds * 2 ** (this.#failures - 1)) * 1000;
  }
}
