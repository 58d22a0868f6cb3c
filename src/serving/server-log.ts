import pino from "pino";
import type { Config } from "../config.ts";

/**
 * The log of a process that serves. Lines are written in blocks, or after a second: a write for each would cost as much as
 * a request. A block is whole lines and no more than what a pipe takes at once, so that the lines of several processes
 * never mix.
 */
export function openServerLog({ logLevel }: Config): { log: pino.Logger; flush: () => void } {
  const block = { minLength: 3072, maxWrite: 4096, periodicFlush: 1000 };
  const destination = pino.destination({ dest: 1, sync: false, ...block });
  return { log: pino({ level: logLevel, base: null }, destination), flush: () => destination.flushSync() };
}
