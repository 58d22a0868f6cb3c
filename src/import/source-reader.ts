import { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../compile-cache.ts";
import { type SourceRecord, readCandidate } from "./read-source.ts";
import { readCandidates } from "./record-source.ts";
import { type RecordsMessage, type SourceMessage, WakeUp } from "./source-messages.ts";

/** Starting a thread takes longer than reading a source of this size. */
const minBytesForThread = 2 * 1024 * 1024;

/** About as much as one transaction writes, so that the thread reads on while the database is written. */
const maxBytesAhead = 24 * 1024 * 1024;

/**
 * Reads and checks the records of a source, and renders them as they are stored. A large source is read by a thread of
 * its own, so that one core reads while another writes the database. Errors of reading the source are thrown after the
 * records before them.
 */
export async function* readSource(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly SourceRecord[]> {
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
    else yield* readInThread(all);
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

async function* readInThread(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly SourceRecord[]> {
  const thread = new SourceThread();
  try {
    void thread.feed(chunks);
    yield* thread.records();
  } finally {
    await thread.end();
  }
}

class SourceThread {
  readonly #thread = new Worker(new URL("./source-thread.ts", import.meta.url), {
    env: threadEnvironment(),
    execArgv: [],
  });
  readonly #received: RecordsMessage[] = [];
  readonly #onMessage = new WakeUp();
  readonly #onTaken = new WakeUp();
  #sentBytes = 0;
  #takenBytes = 0;
  #isOver = false;
  #failure: { error: unknown } | null = null;

  constructor() {
    this.#thread.on("message", (message: RecordsMessage) => {
      this.#received.push(message);
      this.#onMessage.call();
    });
    this.#thread.on("error", (error) => {
      this.#failure = { error };
      this.#isOver = true;
      this.#onMessage.call();
    });
  }

  /** Sends the source to the thread, not too far ahead of it. An error of reading is thrown by `records`. */
  async feed(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        while (this.#sentBytes - this.#takenBytes > maxBytesAhead && !this.#isOver)
          await this.#onTaken.wait();
        if (this.#isOver) return;
        this.#sentBytes += chunk.length;
        this.#send(chunk);
      }
      this.#send("end");
    } catch (error) {
      this.#failure = { error };
      this.#send("error");
    }
  }

  async *records(): AsyncGenerator<readonly SourceRecord[]> {
    for (;;) {
      const message = this.#received.shift();
      if (message !== undefined) {
        this.#takenBytes = message.takenBytes;
        this.#onTaken.call();
        if (message.records === null) break;
        yield JSON.parse(message.records) as SourceRecord[];
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

  #send(message: SourceMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage(message);
  }
}
