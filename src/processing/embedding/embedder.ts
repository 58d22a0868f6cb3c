import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../../compile-cache.ts";

/*
 * Turns texts into vectors that are near each other where the texts mean the same, by the model in a folder that the
 * settings name. A thread loads the model when it is first needed, and ends when it has not been needed for a while.
 */

/** A text to be turned into a vector. Some models tell what is asked from what may answer it. */
export interface EmbeddingRequest {
  text: string;
  as: "query" | "passage";
}

/** A vector of length 1, and the name of the model: vectors of two models cannot be compared. */
export interface Embedded {
  model: string;
  vector: Float32Array;
}

type Answer = { id: number } & (Embedded | { problem: string });

const idleSeconds = 600;

class EmbeddingThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: Embedded | { problem: string }) => void>();
  #next = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(folder: string, ended: () => void) {
    this.#worker = new Worker(new URL("./embedding-thread.ts", import.meta.url), {
      env: threadEnvironment(),
      execArgv: [],
      workerData: folder,
    });
    this.#worker.on("message", ({ id, ...answer }: Answer) => this.#settle(id, answer));
    this.#worker.on("error", ({ message }) => this.#settleAll(message));
    this.#worker.on("exit", () => {
      ended();
      this.#settleAll("The thread has ended");
    });
    this.#worker.unref();
  }

  async embed(request: EmbeddingRequest): Promise<Embedded> {
    clearTimeout(this.#idle);
    const id = this.#next++;
    const { promise, resolve } = Promise.withResolvers<Embedded | { problem: string }>();
    this.#waiting.set(id, resolve);
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage({ id, ...request });
    const answer = await promise;
    if ("problem" in answer) throw new EmbeddingError(answer.problem);
    return answer;
  }

  #settle(id: number, answer: Embedded | { problem: string }): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    this.#worker.unref();
    this.#idle = setTimeout(() => void this.#worker.terminate(), idleSeconds * 1000).unref();
  }

  #settleAll(problem: string): void {
    for (const id of this.#waiting.keys()) this.#settle(id, { problem });
  }
}

/** The model cannot be used: a file or a package is missing, or it is of another kind. */
export class EmbeddingError extends Error {
  override readonly name = "EmbeddingError";
}

const threads = new Map<string, EmbeddingThread>();

/**
 * The vector of a text, by the model in the folder.
 *
 * @throws {EmbeddingError}
 */
export async function embed(folder: string, request: EmbeddingRequest): Promise<Embedded> {
  let thread = threads.get(folder);
  if (thread === undefined) {
    const started = new EmbeddingThread(folder, () => {
      if (threads.get(folder) === started) threads.delete(folder);
    });
    threads.set(folder, started);
    thread = started;
  }
  return thread.embed(request);
}
