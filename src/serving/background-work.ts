import { Worker } from "node:worker_threads";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { logUnlessAway } from "../database/database-unavailable.ts";
import { hasDueJobs } from "../jobs/queue.ts";
import type { MetricsParts } from "../metrics/metrics-parts.ts";
import type { Measurements } from "../metrics/metrics.ts";
import { Backoff } from "./backoff.ts";

const lookEveryMilliseconds = 1000;

/** The data that the thread starts with. */
export interface BackgroundData {
  config: Config;
  /** A thread that has been idle for this long reports it. */
  idleSeconds: number;
}

/** The messages to the thread. */
export type BackgroundMessage = "look" | "measure" | "stop";
/** The thread's message once it can work. */
export const startedMessage = "started";
/** The thread's message when it has been idle for a while. */
export const idleMessage = "idle";
/** The thread's message with what it has measured. */
export interface MeasuredMessage {
  measurements: Measurements;
}

/**
 * Runs queued jobs in a separate thread, because writing a large document's text takes long enough to delay requests
 * noticeably. The thread starts when there is a job and ends after it has been idle for a while, because it holds some
 * 100 MB. A thread that fails is started again after a pause, and continues once the leases of its jobs have expired.
 */
export class BackgroundWork {
  readonly #context: Pick<Context, "config" | "database" | "jobs" | "log">;
  readonly #idleSeconds: number;
  readonly #metrics: MetricsParts | null;
  #thread: Worker | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #backoff: Pick<Backoff, "next">;
  #isPausing = false;
  /** The thread was told to end because it was idle. */
  #isResting = false;
  /** Whether the log already says that no thread can be started. */
  #isTold = false;
  #isStopped = false;

  constructor(
    context: Pick<Context, "config" | "database" | "jobs" | "log">,
    {
      idleSeconds = 20,
      backoff = new Backoff(),
      metrics = null,
    }: { idleSeconds?: number; backoff?: Pick<Backoff, "next">; metrics?: MetricsParts | null } = {},
  ) {
    this.#metrics = metrics;
    this.#context = context;
    this.#idleSeconds = idleSeconds;
    this.#backoff = backoff;
  }

  get hasThread(): boolean {
    return this.#thread !== null;
  }

  /** On a server that leaves all jobs to others, or that is read-only, the jobs wait. */
  start(): void {
    const { processingWorkers, readOnly } = this.#context.config;
    if (processingWorkers === 0 || readOnly) return;
    this.#context.jobs.onNotify(() => this.#tell("look"));
    void this.#look();
  }

  /** Resolves when the thread has ended. Jobs under way that do not end soon go back to the queue. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    this.#tell("stop");
    await ended;
  }

  /** Polls for jobs until there is a thread, which then polls itself. */
  async #look(): Promise<void> {
    const { database, log } = this.#context;
    try {
      if (await hasDueJobs(database.reader)) this.#tell("look");
    } catch (error) {
      logUnlessAway(log, error, "Looking for jobs failed");
    }
    if (this.#thread !== null || this.#isPausing || this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#look(), lookEveryMilliseconds);
  }

  #tell(message: BackgroundMessage): void {
    if (message === "look" && (this.#isStopped || this.#isPausing || this.#isResting)) return;
    this.#thread ??= this.#begin();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage(message);
  }

  #begin(): Worker {
    const { config, log } = this.#context;
    const workerData: BackgroundData = { config, idleSeconds: this.#idleSeconds };
    const thread = new Worker(new URL("./background-thread.ts", import.meta.url), { workerData });
    const begun = performance.now();
    let hasStarted = false;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    const part = this.#metrics?.add(() => thread.postMessage("measure" satisfies BackgroundMessage)) ?? null;
    thread.on("message", (message: MeasuredMessage | string) => {
      if (typeof message === "object") part?.receive(message.measurements);
      if (message === idleMessage && !this.#isStopped) {
        this.#tell("stop");
        this.#isResting = true;
      }
      if (message !== startedMessage) return;
      hasStarted = true;
      if (this.#isTold) log.info("The thread that processes documents works again");
      this.#isTold = false;
    });
    thread.on("error", (error) => {
      const level = hasStarted || !this.#isTold ? "error" : "debug";
      log[level]({ err: error }, "The thread that processes documents failed");
      if (!hasStarted) this.#isTold = true;
    });
    thread.on("exit", () => {
      if (part !== null) this.#metrics?.end(part);
      this.#thread = null;
      if (this.#isStopped) return;
      if (this.#isResting) {
        this.#isResting = false;
        void this.#look();
        return;
      }
      this.#pause(this.#backoff.next(performance.now() - begun));
    });
    return thread;
  }

  #pause(milliseconds: number): void {
    this.#isPausing = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isPausing = false;
      void this.#look();
    }, milliseconds);
  }
}
