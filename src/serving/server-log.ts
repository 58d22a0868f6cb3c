import pino from "pino";
import type { Config } from "../config.ts";
import { currentTraceId } from "../trace.ts";

/** A pipe takes this many bytes in one piece, so that the lines of several processes never mix. */
const maxSharedBlockBytes = 4096;
/** For an output that no other process writes to: each write costs as much as a request. */
const maxBlockBytes = 65_536;
const maxDelayMilliseconds = 1000;

interface Destination {
  write(text: string): unknown;
  flushSync(): void;
}

/** The log of a server process, which may share its output with other processes. */
export function openServerLog(
  { logLevel }: Config,
  { isShared }: { isShared: boolean },
): { log: pino.Logger; flush: () => void } {
  const maxBytes = isShared ? maxSharedBlockBytes : maxBlockBytes;
  const blocks = new LineBlocks(pino.destination({ dest: 1, sync: false, maxWrite: maxBytes }), maxBytes);
  return { log: pino(logOptions(logLevel), blocks), flush: () => blocks.flushSync() };
}

/** Lines about a request or a job that belongs to a trace name the trace. */
export function logOptions(level: Config["logLevel"]): pino.LoggerOptions {
  return {
    level,
    base: null,
    mixin: () => {
      const traceId = currentTraceId();
      return traceId === null ? {} : { traceId };
    },
  };
}

/**
 * Writes lines in blocks, at the latest after a second. A block consists of whole lines. Only a line that is longer
 * than a block is written in several pieces.
 */
export class LineBlocks {
  readonly #destination: Destination;
  readonly #maxBytes: number;
  #block = "";

  constructor(destination: Destination, maxBytes: number) {
    this.#destination = destination;
    this.#maxBytes = maxBytes;
    setInterval(() => this.#write(), maxDelayMilliseconds).unref();
  }

  /** `line` ends with a line break. */
  write(line: string): void {
    if (this.#block.length + line.length > this.#maxBytes) this.#write();
    this.#block += line;
  }

  /** Writes the lines that are left, and waits until all lines are written. */
  flushSync(): void {
    this.#write();
    this.#destination.flushSync();
  }

  #write(): void {
    const block = this.#block;
    if (block === "") return;
    this.#block = "";
    // Outside ASCII, a character takes several bytes.
    if (Buffer.byteLength(block) <= this.#maxBytes) this.#destination.write(block);
    else for (const line of block.split(/(?<=\n)/)) this.#destination.write(line);
  }
}
