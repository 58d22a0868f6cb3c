import type { Job } from "../../../jobs/running-job.ts";

/** A long job yields to others after this number of pages, or after `secondsInTurn`. */
const pagesInTurn = 16;
const secondsInTurn = 30;

/** What a job does before it gives way to others. */
export class Turn {
  readonly #job: Pick<Job, "isLong" | "isAwaited">;
  readonly #spentBefore: number;
  readonly #started = performance.now();
  #begun = this.#started;
  #pages = 0;

  constructor(job: Pick<Job, "isLong" | "isAwaited" | "options">) {
    this.#job = job;
    this.#spentBefore = Number(job.options["spent"] ?? 0);
  }

  /** How long the job has worked, in all of its turns. */
  get spentMilliseconds(): number {
    return this.#spentBefore + performance.now() - this.#started;
  }

  /** Notes that pages have been drawn and recognised. */
  count(pages: number): void {
    this.#pages += pages;
  }

  /** Whether the job has to give way now. A job that nobody waits for begins its next turn at once. */
  async isOver(): Promise<boolean> {
    const isLate = performance.now() - this.#begun > secondsInTurn * 1000;
    if (!isLate && this.#pages < pagesInTurn) return false;
    if (!this.#job.isLong) return isLate;
    [this.#begun, this.#pages] = [performance.now(), 0];
    return this.#job.isAwaited();
  }
}
