import type { Clock } from "../jobs/clock.ts";

/** A clock that is moved by hand, and calls back on its way. */
export class HandClock implements Clock {
  #milliseconds = Date.parse("2026-01-01T00:00:00Z");
  readonly #due = new Map<object, { at: number; callback: () => void }>();

  nowMilliseconds(): number {
    return this.#milliseconds;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const key = {};
    this.#due.set(key, { at: this.#milliseconds + milliseconds, callback });
    return () => void this.#due.delete(key);
  }

  /** Time passes for everyone who waits, in order. */
  pass(seconds: number): void {
    const end = this.#milliseconds + seconds * 1000;
    for (;;) {
      const next = [...this.#due].toSorted(([, a], [, b]) => a.at - b.at)[0];
      if (next === undefined || next[1].at > end) break;
      this.#due.delete(next[0]);
      this.#milliseconds = next[1].at;
      next[1].callback();
    }
    this.#milliseconds = end;
  }

  /** Lets time pass without firing timers, as for a process that was stopped. */
  jump(seconds: number): void {
    this.#milliseconds += seconds * 1000;
  }
}
