import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../compile-cache.ts";
import type { Permits } from "../semaphore.ts";
import type { ReadWorkerResponse, ReadWorkerRequest } from "./sqlite/read-worker-thread.ts";

/** The query exceeded its time limit. */
export class TooSlowError extends Error {
  override readonly name = "TooSlowError";
}

/**
 * Runs slow SQLite queries in worker threads, since a statement blocks the thread that runs it. A thread that exceeds
 * the time limit is terminated and holds its permit until it has ended, so there are never more threads than permits.
 */
export class ReadWorker {
  readonly #file: string;
  readonly #idle: Worker[] = [];
  readonly #permits: Permits;
  #isClosed = false;

  constructor(file: string, permits: Permits) {
    this.#file = file;
    this.#permits = permits;
  }

  async rows(query: ReadWorkerRequest, timeLimitSeconds: number): Promise<Record<string, unknown>[]> {
    const release = await this.#permits.acquire();
    const thread = this.#idle.pop() ?? this.#start();
    const answer = await this.#ask(thread, query, timeLimitSeconds).catch((error: unknown) => {
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
    query: ReadWorkerRequest,
    timeLimitSeconds: number,
  ): Promise<ReadWorkerResponse> {
    const limit = AbortSignal.timeout(timeLimitSeconds * 1000);
    const answered = once(thread, "message", { signal: limit }) as Promise<[ReadWorkerResponse]>;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(query);
    try {
      return (await answered)[0];
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new TooSlowError(`the query took longer than ${timeLimitSeconds} s`, { cause: error });
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL("./sqlite/read-worker-thread.ts", import.meta.url), {
      workerData: this.#file,
      env: threadEnvironment(),
      execArgv: [],
    });
    thread.unref();
    // A failing thread reports its error to the caller that waits for its answer.
    thread.on("error", () => undefined);
    return thread;
  }
}
