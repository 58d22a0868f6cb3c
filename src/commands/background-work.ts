import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Context } from "../context.ts";
import { hasJobs } from "../jobs/queue.ts";

const lookEveryMilliseconds = 1000;

/** What the thread is told. */
export type BackgroundMessage = "look" | "stop";

/**
 * Does what is queued in a thread of its own, since writing a large document's text takes long enough for a reader of
 * the list to notice. The thread is started when there is something to do; one that fails is started anew, and goes on
 * when the leases that it had are over.
 */
export class BackgroundWork {
  readonly #context: Pick<Context, "config" | "database" | "jobs" | "log">;
  #thread: Worker | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(context: Pick<Context, "config" | "database" | "jobs" | "log">) {
    this.#context = context;
  }

  start(): void {
    this.#context.jobs.heard(() => this.#tell("look"));
    void this.#look();
  }

  /** Resolves when the thread has ended; what was under way is given back, if it does not end soon. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const thread = this.#thread;
    if (thread === null) return;
    const ended = once(thread, "exit");
    this.#tell("stop");
    await ended;
  }

  /** Until the thread is there, which then looks by itself. */
  async #look(): Promise<void> {
    const { database, log } = this.#context;
    try {
      if (await hasJobs(database.reader)) this.#tell("look");
    } catch (error) {
      log.error({ err: error }, "Looking for jobs failed");
    }
    if (this.#thread !== null || this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#look(), lookEveryMilliseconds);
  }

  #tell(message: BackgroundMessage): void {
    if (message === "look" && this.#isStopped) return;
    this.#thread ??= this.#begin();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage(message);
  }

  #begin(): Worker {
    const { config, log } = this.#context;
    const thread = new Worker(new URL("./background-thread.ts", import.meta.url), { workerData: config });
    thread.on("error", (error) => log.error({ err: error }, "The thread that processes documents failed"));
    thread.on("exit", () => {
      this.#thread = null;
      if (!this.#isStopped) void this.#look();
    });
    return thread;
  }
}
