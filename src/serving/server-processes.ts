import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { availableParallelism } from "node:os";
import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { LocalSemaphores, type Semaphores } from "../semaphore.ts";
import { SemaphoreClient, type SemaphoreRequest, type SemaphoreResponse } from "../shared-semaphores.ts";
import { Backoff } from "./backoff.ts";
import type { RequestServer } from "./request-server.ts";

const maxDefaultProcesses = 8;
/** More than a process needs to close its last connections, and less than container runtimes wait. */
const graceMilliseconds = 9500;
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
  processes: number;
}

export type SupervisorMessage = ServeOrder | { kind: "stop" } | SemaphoreResponse;

export type ProcessMessage =
  | { kind: "listening"; address: AddressInfo }
  | { kind: "failed"; error: unknown }
  | { kind: "job queued" }
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
  #order: ServeOrder | null = null;
  #onJobQueued: () => void = () => undefined;
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
   * Resolves once one process serves. The others follow, on the same port.
   *
   * @throws what keeps the first process from serving
   */
  async listen({ jobs }: Pick<Context, "jobs">): Promise<RequestServer> {
    const { host, port } = this.#config;
    this.#onJobQueued = () => jobs.notify();
    // Otherwise a second server could share the port of the first one unnoticed.
    if (reusePort && port !== 0) await checkFree(host, port);
    const order: ServeOrder = {
      kind: "serve",
      config: this.#config,
      port,
      reusePort,
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
    await Promise.all(this.#slots.map((slot) => this.#stop(slot)));
  }

  async #stop({ worker, timer }: Slot): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    if (worker === null) return;
    const ended = once(worker, "exit");
    post(worker, { kind: "stop" });
    const late = setTimeout(() => worker.process.kill("SIGKILL"), graceMilliseconds);
    await ended;
    clearTimeout(late);
  }

  #start(slot: Slot): void {
    const started = performance.now();
    const worker = cluster.fork();
    const permits = new SemaphoreClient(this.semaphores, (response) => post(worker, response));
    let cause: unknown;
    slot.worker = worker;
    worker.on("message", (message: ProcessMessage) => {
      if (message.kind === "listening") this.#onListening(slot, message.address);
      else if (message.kind === "failed") cause = message.error;
      else if (message.kind === "job queued") this.#onJobQueued();
      else permits.receive(message);
    });
    // A message could not be sent because the process is ending.
    worker.on("error", () => undefined);
    worker.on("exit", (code: number | null, signal: string | null) => {
      permits.end();
      this.#onEnd(slot, cause ?? new Error(endingOf(code, signal)), performance.now() - started);
    });
    if (this.#order !== null) post(worker, this.#order);
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
