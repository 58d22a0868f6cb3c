/** Too many callers are already waiting. */
export class TooBusyError extends Error {
  override readonly name = "TooBusyError";
}

/** A user, document or other party that a permit is for, and its limits in the semaphore. */
export interface Share {
  name: string;
  /** How many permits the party may hold at a time. A limit below the number of permits leaves some for others. */
  maxHeld?: number;
  /** How many permits the party may hold or wait for. */
  maxRequests?: number;
}

/** Releases the permit. Calling it again does nothing. */
export type Release = () => void;

export interface AcquireOptions {
  /** If it is aborted before a permit is free, the request leaves the queue. */
  signal?: AbortSignal | undefined;
  /**
   * Called once when another request waits for a share that this one holds, so that the holder can end early. It may be
   * called before `acquire` has resolved.
   */
  onWanted?: (() => void) | undefined;
}

/** A semaphore of this process, or one that the processes of a server share. */
export interface Permits {
  /**
   * Waits for a permit.
   *
   * @throws {TooBusyError}
   */
  acquire(shares?: readonly Share[], options?: AcquireOptions): Promise<Release>;
}

interface Waiting {
  readonly shares: readonly Share[];
  readonly begin: () => void;
}

interface Holder {
  readonly shares: readonly Share[];
  readonly onWanted: () => void;
}

/**
 * A counting semaphore with fair queueing. A free permit goes to the waiting request whose party holds the fewest
 * permits. Requests are compared share by share, the widest first (a user, then a document). Among equals, the party
 * that was served the longest ago comes first. Without shares, requests are served in the order of their arrival.
 */
export class Semaphore implements Permits {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<Waiting>();
  /** The holders that have not yet been told that another request waits for one of their shares. */
  readonly #holders = new Set<Holder>();
  readonly #use = new Map<string, { held: number; requests: number; servedAt: number }>();
  #held = 0;
  #served = 0;

  constructor(permits: number, maxWaiting = Infinity) {
    this.#permits = permits;
    this.#maxWaiting = maxWaiting;
  }

  async acquire(shares: readonly Share[] = [], { signal, onWanted }: AcquireOptions = {}): Promise<Release> {
    signal?.throwIfAborted();
    const isTooMany = shares.some(
      ({ name, maxRequests = Infinity }) => (this.#use.get(name)?.requests ?? 0) >= maxRequests,
    );
    const isFree = this.#held < this.#permits && this.#mayHold(shares);
    const isFull = !isFree && this.#waiting.size >= this.#maxWaiting;
    if (isTooMany || isFull) throw new TooBusyError("too many wait already");
    this.#enter(shares);
    const holder = onWanted === undefined ? null : { shares, onWanted };
    if (isFree) this.#hold(shares, holder);
    else {
      try {
        await this.#wait(shares, holder, signal);
      } catch (error) {
        this.#leave(shares);
        throw error;
      }
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (holder !== null) this.#holders.delete(holder);
      this.#held -= 1;
      for (const { name } of shares) this.#useOf(name).held -= 1;
      this.#leave(shares);
      this.#serve();
    };
  }

  async #wait(
    shares: readonly Share[],
    holder: Holder | null,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#waiting.delete(waiting);
      reject(signal?.reason as Error);
    };
    const begin = (): void => {
      this.#waiting.delete(waiting);
      signal?.removeEventListener("abort", leave);
      this.#hold(shares, holder);
      resolve();
    };
    const waiting: Waiting = { shares, begin };
    this.#waiting.add(waiting);
    this.#tellHolders();
    signal?.addEventListener("abort", leave, { once: true });
    await promise;
  }

  #serve(): void {
    while (this.#held < this.#permits) {
      let next: Waiting | null = null;
      for (const waiting of this.#waiting) {
        if (!this.#mayHold(waiting.shares)) continue;
        if (next === null || this.#comesBefore(waiting.shares, next.shares)) next = waiting;
      }
      if (next === null) return;
      next.begin();
    }
  }

  #mayHold(shares: readonly Share[]): boolean {
    return shares.every(({ name, maxHeld = Infinity }) => (this.#use.get(name)?.held ?? 0) < maxHeld);
  }

  #comesBefore(shares: readonly Share[], others: readonly Share[]): boolean {
    for (const [index, { name }] of shares.entries()) {
      const other = others[index];
      if (other === undefined || other.name === name) continue;
      const [mine, theirs] = [this.#useOf(name), this.#useOf(other.name)];
      if (mine.held !== theirs.held) return mine.held < theirs.held;
      if (mine.servedAt !== theirs.servedAt) return mine.servedAt < theirs.servedAt;
    }
    return false;
  }

  #tellHolders(): void {
    if (this.#holders.size === 0) return;
    const wanted = new Set([...this.#waiting].flatMap(({ shares }) => shares.map(({ name }) => name)));
    for (const holder of this.#holders) {
      if (!holder.shares.some(({ name }) => wanted.has(name))) continue;
      this.#holders.delete(holder);
      holder.onWanted();
    }
  }

  #hold(shares: readonly Share[], holder: Holder | null): void {
    this.#held += 1;
    this.#served += 1;
    for (const { name } of shares) {
      const use = this.#useOf(name);
      use.held += 1;
      use.servedAt = this.#served;
    }
    if (holder === null) return;
    this.#holders.add(holder);
    this.#tellHolders();
  }

  #enter(shares: readonly Share[]): void {
    for (const { name } of shares) this.#useOf(name).requests += 1;
  }

  #leave(shares: readonly Share[]): void {
    for (const { name } of shares) {
      const use = this.#useOf(name);
      use.requests -= 1;
      if (use.requests === 0) this.#use.delete(name);
    }
  }

  #useOf(name: string): { held: number; requests: number; servedAt: number } {
    let use = this.#use.get(name);
    if (use === undefined) {
      use = { held: 0, requests: 0, servedAt: 0 };
      this.#use.set(name, use);
    }
    return use;
  }
}

/** Opens semaphores by name. The same name always opens the same semaphore. */
export interface Semaphores {
  open(name: string, permits: number, maxWaiting?: number): Permits;
}

/** The semaphores of one process. */
export class LocalSemaphores implements Semaphores {
  readonly #opened = new Map<string, Semaphore>();

  open(name: string, permits: number, maxWaiting?: number): Semaphore {
    let semaphore = this.#opened.get(name);
    if (semaphore === undefined) {
      semaphore = new Semaphore(permits, maxWaiting);
      this.#opened.set(name, semaphore);
    }
    return semaphore;
  }
}
