import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Semaphore } from "../semaphore.ts";
import type { ReadWorkerResponse, ReadWorkerRequest } from "./read-worker-thread.ts";

/** It would have taken longer than it may. */
export class TooSlowError extends Error {
  override readonly name = "TooSlowError";
}

const maxThreads = 2;
const maxWaiting = 64;

/**
 * Reads of SQLite that may take long, in threads of their own: there a statement occupies the thread that runs it. A
 * thread that takes too long is given up and counts until it has ended, so there are never more of them.
 */
export class ReadWorker {
  readonly #file: string;
  readonly #idle: Worker[] = [];
  readonly #semaphore = new Semaphore(maxThreads, maxWaiting);
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  async rows(question: ReadWorkerRequest, timeLimitSeconds: number): Promise<Record<string, unknown>[]> {
    const release = await this.#semaphore.acquire();
    const thread = this.#idle.pop() ?? this.#start();
    const answer = await this.#ask(thread, question, timeLimitSeconds).catch((error: unknown) => {
      void thread.terminate().then(release);
      throw error;
    });
    if (this.#isClosed) void thread.terminate();
    else this.#idle.push(thread);
    release();
    if ("error" in answer) throw answer.error;
    return answer.rows;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((thread) => thread.terminate()));
  }

  async #ask(
    thread: Worker,
    question: ReadWorkerRequest,
    timeLimitSeconds: number,
  ): Promise<ReadWorkerResponse> {
    const limit = AbortSignal.timeout(timeLimitSeconds * 1000);
    const answered = once(thread, "message", { signal: limit }) as Promise<[ReadWorkerResponse]>;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(question);
    try {
      return (await answered)[0];
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new TooSlowError(`the query took longer than ${timeLimitSeconds} s`, { cause: error });
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL("./read-worker-thread.ts", import.meta.url), {
      workerData: this.#file,
      env: {},
      execArgv: [],
    });
    thread.unref();
    // A thread that fails says so to whoever waits for its answer.
    thread.on("error", () => undefined);
    return thread;
  }
}
