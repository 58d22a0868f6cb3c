import { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../compile-cache.ts";
import { type SourceRecord, readCandidate } from "./read-source.ts";
import { readCandidates } from "./record-source.ts";
import type { BatchOptions, ReadBatch } from "./read-batch.ts";
import { type SourceMessage, type ThreadMessage, WakeUp } from "./source-messages.ts";

/** Starting a thread takes longer than reading a smaller source. */
const minBytesForThread = 1024 * 1024;

/**
 * The values of a record live only until its rows are staged. With V8's default, 48 MB of them collect before they are
 * cleared away, which takes 120 MB in all and more time than clearing them often.
 */
const maxYoungGenerationSizeMb = 8;

/** The thread reads on while the database is written. */
const maxBytesAhead = 8 * 1024 * 1024;

/**
 * Reads and checks the records of a source. A large source is read by a thread of its own, which also makes the records
 * ready to be written, so that one core reads while another writes the database. A batch has to be written before the
 * next item is asked for. Errors of reading the source are thrown after the records before them.
 */
export async function* readSource(
  chunks: AsyncIterable<Uint8Array>,
  options: BatchOptions,
): AsyncGenerator<readonly SourceRecord[] | ReadBatch> {
  const rest = chunks[Symbol.asyncIterator]();
  try {
    const head: Uint8Array[] = [];
    let bytes = 0;
    let isComplete = false;
    let failure: { error: unknown } | null = null;
    while (bytes < minBytesForThread && !isComplete) {
      const { done, value } = await rest.next().catch((error: unknown) => {
        failure = { error };
        return { done: true as const, value: undefined };
      });
      if (done === true) isComplete = true;
      else {
        head.push(value);
        bytes += value.length;
      }
    }
    const all = followedBy(head, isComplete ? null : rest, failure);
    if (isComplete) for await (const candidates of readCandidates(all)) yield candidates.map(readCandidate);
    else yield* readInThread(all, options);
  } finally {
    // The thread may still be waiting for bytes, such as those of a terminal.
    if (chunks instanceof Readable) chunks.destroy();
    else await rest.return?.();
  }
}

async function* followedBy(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array> | null,
  failure: { error: unknown } | null,
): AsyncGenerator<Uint8Array> {
  yield* head;
  if (failure !== null) throw failure.error;
  for (;;) {
    const next = await rest?.next();
    if (next === undefined || next.done === true) return;
    yield next.value;
  }
}

async function* readInThread(
  chunks: AsyncIterable<Uint8Array>,
  options: BatchOptions,
): AsyncGenerator<ReadBatch> {
  const thread = new SourceThread(options);
  try {
    void thread.feed(chunks);
    yield* thread.batches();
  } finally {
    await thread.end();
  }
}

class SourceThread {
  readonly #thread: Worker;
  readonly #received: Exclude<ThreadMessage, number>[] = [];
  readonly #onMessage = new WakeUp();
  readonly #onTaken = new WakeUp();
  #sentBytes = 0;
  #takenBytes = 0;
  #isOver = false;
  #failure: { error: unknown } | null = null;

  constructor(options: BatchOptions) {
    this.#thread = new Worker(new URL("./source-thread.ts", import.meta.url), {
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb },
      workerData: options,
    });
    this.#thread.on("message", (message: ThreadMessage) => {
      if (typeof message === "number") {
        this.#takenBytes = message;
        this.#onTaken.call();
        return;
      }
      this.#received.push(message);
      this.#onMessage.call();
    });
    this.#thread.on("error", (error) => {
      this.#failure = { error };
      this.#isOver = true;
      this.#onMessage.call();
    });
  }

  /** Sends the source to the thread, not too far ahead of it. An error of reading is thrown by `batches`. */
  async feed(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        while (this.#sentBytes - this.#takenBytes > maxBytesAhead && !this.#isOver)
          await this.#onTaken.wait();
        if (this.#isOver) return;
        this.#sentBytes += chunk.length;
        // Sending a part of a buffer would send the whole buffer.
        const copy = new Uint8Array(chunk);
        this.#send(copy, [copy.buffer]);
      }
      this.#send("end");
    } catch (error) {
      this.#failure = { error };
      this.#send("error");
    }
  }

  async *batches(): AsyncGenerator<ReadBatch> {
    for (;;) {
      const message = this.#received.shift();
      if (message !== undefined) {
        if (message === "end") break;
        yield message;
        this.#send("written");
      } else if (this.#isOver) break;
      else await this.#onMessage.wait();
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#onTaken.call();
    await this.#thread.terminate();
  }

  #send(message: SourceMessage, transferred: ArrayBuffer[] = []): void {
    this.#thread.postMessage(message, transferred);
  }
}
