import pino from "pino";
import type { Config } from "../config.ts";

/**
 * The log of a server process. Lines are written in blocks, at the latest after a second: writing each line separately
 * would cost as much as a request. A block consists of whole lines and is no larger than a pipe accepts at once, so the
 * lines of several processes never mix.
 */
export function openServerLog({ logLevel }: Config): { log: pino.Logger; flush: () => void } {
  const block = { minLength: 3072, maxWrite: 4096, periodicFlush: 1000 };
  const destination = pino.destination({ dest: 1, sync: false, ...block });
  return { log: pino({ level: logLevel, base: null }, destination), flush: () => destination.flushSync() };
}
