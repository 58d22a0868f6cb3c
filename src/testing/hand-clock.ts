import type { Clock } from "../jobs/clock.ts";

/** A clock that the test advances, and which runs the callbacks that are due. */
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

  /** Advances the time and runs the callbacks that are due, in order. */
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

  /** Advances the time without running callbacks, as for a suspended process. */
  jump(seconds: number): void {
    this.#milliseconds += seconds * 1000;
  }
}
