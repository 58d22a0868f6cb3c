import type { Logger } from "pino";

/** After the last request, jobs go back to the queue and the database is closed. They get this long. */
const secondsAfterRequests = 5;

/** The end of the process at the latest, whatever it waits for. */
export class LastDeadline {
  readonly #seconds: number;
  readonly #log: Pick<Logger, "fatal">;
  readonly #flush: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(stopLimitSeconds: number, log: Pick<Logger, "fatal">, flush: () => void) {
    this.#seconds = stopLimitSeconds + secondsAfterRequests;
    this.#log = log;
    this.#flush = flush;
  }

  /** Call it when stopping begins. A second call changes nothing. */
  begin(): void {
    this.#timer ??= setTimeout(() => {
      this.#log.fatal({ seconds: this.#seconds }, "Stopping took too long, so the process ends as it is");
      this.#flush();
      // oxlint-disable-next-line unicorn/no-process-exit -- something hangs
      process.exit(1);
    }, this.#seconds * 1000).unref();
  }

  /** Call it when everything has stopped. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
