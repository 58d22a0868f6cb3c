import {
  type AcquireOptions,
  type Permits,
  type Release,
  type Semaphores,
  type Share,
  TooBusyError,
} from "./semaphore.ts";

/*
 * Semaphores that several processes share. One process holds them and grants permits to the others by message, so that
 * a limit holds for all together and permits are given out fairly among all. When a process ends, its permits are
 * released.
 */

/** A message from a process to the one that holds the semaphores. `id` numbers the requests of a process. */
export type SemaphoreRequest =
  | {
      kind: "acquire permit";
      id: number;
      semaphore: string;
      permits: number;
      maxWaiting: number;
      shares: readonly Share[];
    }
  | { kind: "leave permit"; id: number };

export interface SemaphoreResponse {
  kind: "permit acquired" | "permit refused" | "permit wanted";
  id: number;
}

interface Pending {
  begin(): void;
  refuse(error: Error): void;
  onWanted: (() => void) | undefined;
}

/** The semaphores as seen by a process that does not hold them. */
export class RemoteSemaphores implements Semaphores {
  readonly #send: (request: SemaphoreRequest) => void;
  /** Requests that wait for a permit or hold one. */
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(send: (request: SemaphoreRequest) => void) {
    this.#send = send;
  }

  open(semaphore: string, permits: number, maxWaiting = Infinity): Permits {
    return {
      acquire: (shares = [], options = {}) =>
        this.#acquire({ semaphore, permits, maxWaiting, shares }, options),
    };
  }

  receive({ kind, id }: SemaphoreResponse): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (kind === "permit acquired") pending.begin();
    else if (kind === "permit wanted") pending.onWanted?.();
    else pending.refuse(new TooBusyError("too many wait already"));
  }

  async #acquire(
    request: { semaphore: string; permits: number; maxWaiting: number; shares: readonly Share[] },
    { signal, onWanted }: AcquireOptions,
  ): Promise<Release> {
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<void>();
    this.#pending.set(id, { begin, refuse, onWanted });
    const leave = (): void => {
      // The permit may be on its way already. Its holder then takes it back.
      if (this.#pending.delete(id)) this.#send({ kind: "leave permit", id });
    };
    const leaveQueue = (): void => {
      leave();
      refuse(signal?.reason as Error);
    };
    signal?.addEventListener("abort", leaveQueue, { once: true });
    this.#send({ kind: "acquire permit", id, ...request });
    try {
      await promise;
    } catch (error) {
      this.#pending.delete(id);
      throw error;
    } finally {
      signal?.removeEventListener("abort", leaveQueue);
    }
    return leave;
  }
}

/** Acquires permits on behalf of another process, until that process ends. */
export class SemaphoreClient {
  readonly #semaphores: Semaphores;
  readonly #send: (response: SemaphoreResponse) => void;
  /** By the id of the request: ends its wait, or releases its permit. */
  readonly #leaving = new Map<number, AbortController>();

  constructor(semaphores: Semaphores, send: (response: SemaphoreResponse) => void) {
    this.#semaphores = semaphores;
    this.#send = send;
  }

  receive(request: SemaphoreRequest): void {
    if (request.kind === "acquire permit") void this.#acquire(request);
    else this.#leaving.get(request.id)?.abort();
  }

  /** Releases everything: the process has ended. */
  end(): void {
    for (const leaving of this.#leaving.values()) leaving.abort();
  }

  async #acquire({
    id,
    semaphore,
    permits,
    maxWaiting,
    shares,
  }: SemaphoreRequest & { kind: "acquire permit" }): Promise<void> {
    const leaving = new AbortController();
    const { signal } = leaving;
    this.#leaving.set(id, leaving);
    const onWanted = (): void => this.#send({ kind: "permit wanted", id });
    try {
      const opened = this.#semaphores.open(semaphore, permits, maxWaiting);
      const release = await opened.acquire(shares, { signal, onWanted });
      const end = (): void => {
        this.#leaving.delete(id);
        release();
      };
      if (signal.aborted) return end();
      signal.addEventListener("abort", end, { once: true });
      this.#send({ kind: "permit acquired", id });
    } catch {
      this.#leaving.delete(id);
      if (!signal.aborted) this.#send({ kind: "permit refused", id });
    }
  }
}
