import type { Timestamp } from "../database/tables.ts";

/** The time, and being called when some of it has passed. */
export interface Clock {
  nowMilliseconds(): number;
  /** Calls back once; what it gives takes that back. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  nowMilliseconds: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A moment as the database has it. */
export function timestampAt(milliseconds: number): Timestamp {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}
