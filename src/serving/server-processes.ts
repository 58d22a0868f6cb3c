import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { availableParallelism } from "node:os";
import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { MetricsParts } from "../metrics/metrics-parts.ts";
import type { CountedRequests } from "../http/request/request-limits.ts";
import { LocalSemaphores, type Semaphores } from "../semaphore.ts";
import { SemaphoreClient, type SemaphoreRequest, type SemaphoreResponse } from "../shared-semaphores.ts";
import { Backoff } from "./backoff.ts";
import {
  MeasuredProcess,
  type MeasurementsMessage,
  type MetricsPageRequest,
  type MetricsPageResponse,
} from "./metrics-messages.ts";
import type { RequestServer } from "./request-server.ts";

const maxDefaultProcesses = 8;
/** What a process may need to end after its last connection is closed. */
const endMilliseconds = 500;
/** If no process serves and one of them has failed this often, the server gives up. */
const maxFailures = 5;

/**
 * On Linux the kernel divides the connections among the processes that listen on the port. Where it does not, the
 * supervisor accepts them and passes them on, which halves the rate of clients that open a connection for each request.
 */
const reusePort = process.platform === "linux";

/** Tells a process to serve. */
export interface ServeOrder {
  kind: "serve";
  config: Config;
  port: number;
  reusePort: boolean;
  /** The descriptor, in the supervisor, of a socket that listens already. Null for the port. */
  socket: number | null;
  processes: number;
}

/** What one process has counted, for all others. */
export interface CountedRequestsMessage {
  kind: "requests counted";
  counted: CountedRequests;
}

/** Another process serves already in the place of one that is replaced. */
interface Stopping {
  kind: "stop";
  isReplaced: boolean;
}

export type SupervisorMessage =
  | ServeOrder
  | CountedRequestsMessage
  | Stopping
  | { kind: "measure" }
  | MetricsPageResponse
  | SemaphoreResponse;

export type ProcessMessage =
  | { kind: "listening"; address: AddressInfo }
  | { kind: "failed"; error: unknown }
  | { kind: "job queued" }
  | CountedRequestsMessage
  | MeasurementsMessage
  | MetricsPageRequest
  | SemaphoreRequest;

/** A slot for one process after another. */
interface Slot {
  worker: Worker | null;
  isListening: boolean;
  timer: NodeJS.Timeout | null;
  readonly backoff: Backoff;
  /** The latest message that the log has about the slot's process. */
  logged: "nothing" | "it has ended" | "it cannot start";
}

/** The number of processes that answer requests. */
export function processCount({ processes }: Config): number {
  return processes ?? Math.min(availableParallelism(), maxDefaultProcesses);
}

/**
 * The processes that answer requests, supervised by this process, which answers none. A process that ends is restarted
 * after a pause. The supervisor holds the state that the processes share: semaphores, locks, and the notification of
 * queued jobs. Everything else that they share is in the database.
 */
export class ServerProcesses {
  readonly semaphores: Semaphores = new LocalSemaphores();
  /** Rejects when the processes keep failing and none serves. */
  readonly failed: Promise<never>;
  readonly #config: Config;
  readonly #log: Logger;
  readonly #slots: readonly Slot[];
  readonly #first = Promise.withResolvers<AddressInfo>();
  readonly #failure = Promise.withResolvers<never>();
  readonly #running = new Set<Worker>();
  #order: ServeOrder | null = null;
  #replacing: Promise<void> = Promise.resolve();
  #onJobQueued: () => void = () => undefined;
  #metrics: MetricsParts | null = null;
  #hasServed = false;
  #isStopped = false;

  /** The processes start at once and load their modules, but serve only when they are told to. */
  constructor(config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.failed = this.#failure.promise;
    // Without this handler, a rejection that nothing awaits would end the process.
    this.failed.catch(() => undefined);
    this.#first.promise.catch(() => undefined);
    const exec = path.join(import.meta.dirname, "server-process.ts");
    cluster.setupPrimary({ exec, args: [], serialization: "advanced" });
    this.#slots = Array.from({ length: processCount(config) }, () => ({
      worker: null,
      isListening: false,
      timer: null,
      backoff: new Backoff(),
      logged: "nothing",
    }));
    for (const slot of this.#slots) this.#start(slot);
  }

  /**
   * Resolves once one process serves. The others follow, on the same port. Given the descriptor of a socket that
   * listens already, the supervisor accepts its connections and passes them on.
   *
   * @throws what keeps the first process from serving
   */
  async listen(
    { jobs }: Pick<Context, "jobs">,
    { socket, metrics }: { socket: number | null; metrics: MetricsParts | null },
  ): Promise<RequestServer> {
    const { host, port } = this.#config;
    this.#onJobQueued = () => jobs.notify();
    this.#metrics = metrics;
    // Otherwise a second server could share the port of the first one unnoticed.
    if (socket === null && reusePort && port !== 0) await checkFree(host, port);
    const order: ServeOrder = {
      kind: "serve",
      config: this.#config,
      port,
      reusePort: reusePort && socket === null,
      socket,
      processes: this.#slots.length,
    };
    const [first, ...others] = this.#slots;
    if (first?.worker) post(first.worker, order);
    const address = await this.#first.promise;
    this.#hasServed = true;
    // Node passes the connections of one port on to all processes that requested the same port, even port 0.
    this.#order = { ...order, port: reusePort ? address.port : port };
    for (const { worker } of others) if (worker !== null) post(worker, this.#order);
    return { address, close: () => this.close() };
  }

  /** Resolves when all processes have answered the requests that had arrived, and have ended. */
  async close(): Promise<void> {
    this.#isStopped = true;
    for (const { timer } of this.#slots) if (timer !== null) clearTimeout(timer);
    await Promise.all([...this.#running].map((worker) => this.#stop(worker, { isReplaced: false })));
  }

  /**
   * Replaces all processes, one after another: each ends after the one that takes its slot serves. If one cannot start,
   * the others stay as they are. Calls wait for one another.
   */
  replace(): Promise<void> {
    this.#replacing = this.#replacing.then(() => this.#replaceAll());
    return this.#replacing;
  }

  async #replaceAll(): Promise<void> {
    for (const slot of this.#slots) {
      const { worker: former } = slot;
      // Without a process, the slot gets a new one anyway.
      if (this.#isStopped || former === null || !slot.isListening) continue;
      const { worker, listening } = this.#launch(slot);
      if (!(await listening)) {
        if (!this.#isStopped)
          this.#log.error("A new process could not start, so the processes that serve stay as they are");
        return;
      }
      slot.worker = worker;
      // If the former process has ended meanwhile, another one may already be on its way in its place.
      if (slot.timer !== null) clearTimeout(slot.timer);
      slot.isListening = true;
      if (this.#running.has(former)) await this.#stop(former, { isReplaced: true });
    }
    if (!this.#isStopped) this.#log.info("All processes that answer requests have been replaced");
  }

  async #stop(worker: Worker, { isReplaced }: { isReplaced: boolean }): Promise<void> {
    const ended = once(worker, "exit");
    post(worker, { kind: "stop", isReplaced });
    const { stopLimitSeconds, drainSeconds } = this.#config;
    const limit = (stopLimitSeconds + drainSeconds) * 1000 + endMilliseconds;
    const late = setTimeout(() => worker.process.kill("SIGKILL"), limit);
    await ended;
    clearTimeout(late);
  }

  #start(slot: Slot): void {
    slot.timer = null;
    slot.worker = this.#launch(slot).worker;
  }

  /** Starts a process for the slot. `listening` resolves to whether it has come to serve. */
  #launch(slot: Slot): { worker: Worker; listening: Promise<boolean> } {
    const listening = Promise.withResolvers<boolean>();
    const started = performance.now();
    const worker = cluster.fork();
    const permits = new SemaphoreClient(this.semaphores, (response) => post(worker, response));
    const measured = new MeasuredProcess(
      () => this.#metrics,
      (message) => post(worker, message),
    );
    let cause: unknown;
    this.#running.add(worker);
    worker.on("message", (message: ProcessMessage) => {
      if (message.kind === "listening") {
        listening.resolve(true);
        measured.begin();
        if (slot.worker === worker) this.#onListening(slot, message.address);
      } else if (message.kind === "failed") cause = message.error;
      else if (message.kind === "job queued") this.#onJobQueued();
      else if (message.kind === "requests counted") {
        for (const other of this.#running) if (other !== worker) post(other, message);
      } else if (message.kind === "measured" || message.kind === "metrics wanted") measured.receive(message);
      else permits.receive(message);
    });
    // A message could not be sent because the process is ending.
    worker.on("error", () => undefined);
    worker.on("exit", (code: number | null, signal: string | null) => {
      permits.end();
      measured.end();
      this.#running.delete(worker);
      listening.resolve(false);
      if (slot.worker !== worker) return;
      this.#onEnd(slot, cause ?? new Error(endingOf(code, signal)), performance.now() - started);
    });
    if (this.#order !== null) post(worker, this.#order);
    return { worker, listening: listening.promise };
  }

  #onListening(slot: Slot, address: AddressInfo): void {
    slot.isListening = true;
    if (slot.logged !== "nothing")
      this.#log.info({ process: slot.worker?.process.pid }, "The process serves again");
    slot.logged = "nothing";
    this.#first.resolve(address);
  }

  #onEnd(slot: Slot, cause: unknown, ranMilliseconds: number): void {
    const pid = slot.worker?.process.pid;
    const { isListening } = slot;
    slot.worker = null;
    slot.isListening = false;
    if (this.#isStopped) return;
    if (!this.#hasServed) return this.#first.reject(cause);
    const pause = slot.backoff.next(ranMilliseconds);
    const level = slot.logged === "it cannot start" ? "debug" : "error";
    const event = isListening ? "has ended, and is replaced" : "could not start";
    this.#log[level]({ err: cause, process: pid }, `A process that answers requests ${event}`);
    slot.logged = isListening ? "it has ended" : "it cannot start";
    if (slot.backoff.failures >= maxFailures && !this.#slots.some((other) => other.isListening)) {
      return this.#failure.reject(new Error("The processes that answer requests keep failing", { cause }));
    }
    slot.timer = setTimeout(() => this.#start(slot), pause);
  }
}

function post(worker: Worker, message: SupervisorMessage): void {
  // If the process has ended, its end is handled.
  if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => undefined);
}

function endingOf(code: number | null, signal: string | null): string {
  return signal === null || signal === "" ? `It exited with code ${code}` : `It was ended by ${signal}`;
}

/** @throws the system's error, such as EADDRINUSE */
async function checkFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  probe.listen({ host, port });
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}
