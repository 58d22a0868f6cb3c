import type { Timestamp } from "../database/tables.ts";

/** The current time, and timers. */
export interface Clock {
  nowMilliseconds(): number;
  /** Calls back once. The returned function cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  nowMilliseconds: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A time in the database's format. */
export function timestampAt(milliseconds: number): Timestamp {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}
