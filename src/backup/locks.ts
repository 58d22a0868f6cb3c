import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { FileStore } from "../files/file-store.ts";
import { isRunning, machineId } from "../running-processes.ts";
import { WrongContentError, limited } from "./hashes.ts";

/*
 * Each run that uses a repository has a lock there: a file with its host and process, which it stores again and again.
 * A lock that was not stored for a while belongs to a run that has ended, and so does one whose process of this machine
 * has ended. A store cannot be asked to create a file unless it exists already, so a run stores its lock first and then
 * looks for others.
 *
 * All times are those of the store's clock.
 */

/** A run that writes excludes others that write. One that reads only keeps others from removing anything. */
export type LockKind = "write" | "read";

interface Holder {
  kind: LockKind;
  /** False while a run still looks for others. */
  is_held: boolean;
  command: string;
  host: string;
  machine: string;
  process: number;
  /** When the process started, in milliseconds since 1970. */
  started: number;
  began_at: string;
}

interface FoundLock extends Holder {
  key: string;
  modifiedAt: Date;
}

export interface LockTimes {
  renewalSeconds: number;
  /** How long a lock counts after it was stored. */
  expirySeconds: number;
  /** How long the earlier one of two runs that begin at the same time waits for the other to withdraw, each time. */
  withdrawalMilliseconds: number;
}

export const defaultTimes: LockTimes = {
  renewalSeconds: 60,
  expirySeconds: 900,
  withdrawalMilliseconds: 500,
};

const folder = "locks";
const maxLockBytes = 16 * 1024;
const withdrawalAttempts = 10;

/** Another run writes to the repository. */
export class LockedError extends Error {
  override readonly name = "LockedError";

  constructor({ command, host, process, began_at }: Holder, { expirySeconds }: LockTimes) {
    super(
      `${command} has been using the repository since ${began_at} (process ${process} of ${host}). ` +
        `Wait until it ends. If that machine is gone, its lock expires within ${expirySeconds / 60} minutes`,
    );
  }
}

/** This run's lock has expired or was removed, so that another run may have changed the repository. */
export class LostLockError extends Error {
  override readonly name = "LostLockError";

  constructor() {
    super(
      "The lock on the repository was lost, because it could not be renewed in time. Run the command again",
    );
  }
}

export class RepositoryLock implements AsyncDisposable {
  readonly #store: FileStore;
  readonly #key = `${folder}/${randomUUID()}.json`;
  readonly #holder: Holder;
  readonly #times: LockTimes;
  readonly #lost = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #renewal: Promise<void> = Promise.resolve();
  #storedAt = performance.now();

  private constructor(store: FileStore, holder: Holder, times: LockTimes) {
    this.#store = store;
    this.#holder = holder;
    this.#times = times;
  }

  /** @throws {LockedError} */
  static async acquire(
    store: FileStore,
    { kind, command, times = defaultTimes }: { kind: LockKind; command: string; times?: LockTimes },
  ): Promise<RepositoryLock> {
    const holder: Holder = {
      kind,
      is_held: kind === "read",
      command,
      host: hostname(),
      machine: machineId(),
      process: process.pid,
      started: Math.round(performance.timeOrigin),
      began_at: new Date().toISOString(),
    };
    const lock = new RepositoryLock(store, holder, times);
    try {
      await lock.#put();
      await lock.#excludeOthers();
    } catch (error) {
      await lock[Symbol.asyncDispose]();
      throw error;
    }
    lock.#timer = setInterval(() => lock.#renewInTurn(), times.renewalSeconds * 1000).unref();
    return lock;
  }

  /** Aborted with a LostLockError if the lock is lost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Renews the lock. @throws {LostLockError} */
  async confirm(): Promise<void> {
    await this.#renewal;
    this.#lost.signal.throwIfAborted();
    await this.#renew();
    const others = await this.#others();
    // Others that do not hold a lock yet are going to withdraw.
    const hasRival = others.some(({ kind, is_held }) => kind === "write" && is_held);
    if (this.#holder.kind === "write" && hasRival) this.#lose();
    this.#lost.signal.throwIfAborted();
  }

  /** A sentence about a run that reads the repository; null if no run does. */
  async findReader(): Promise<string | null> {
    const reader = (await this.#others()).find(({ kind }) => kind === "read");
    if (reader === undefined) return null;
    const { command, host, process: id, began_at } = reader;
    return `${command} has been reading since ${began_at} (process ${id} of ${host})`;
  }

  /** The time at which the lock was last stored. */
  async storedAt(): Promise<Date> {
    return (await this.#list()).own;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
    // If the store fails, the lock expires.
    await this.#store.delete(this.#key).catch(() => undefined);
  }

  /** The earlier one of two runs that begin at the same time waits until the later one has withdrawn. */
  async #excludeOthers(): Promise<void> {
    if (this.#holder.kind === "read") return;
    for (let attempt = 1; ; attempt++) {
      const { own, others } = await this.#list();
      const other = others.find(({ kind }) => kind === "write");
      if (other === undefined) break;
      const isEarlier = other.modifiedAt.getTime() - own.getTime() || (other.key < this.#key ? -1 : 1);
      // A run stores its lock again once it holds it, which makes the lock look later than it is.
      if (other.is_held || isEarlier < 0 || attempt === withdrawalAttempts)
        throw new LockedError(other, this.#times);
      await pause(this.#times.withdrawalMilliseconds);
    }
    this.#holder.is_held = true;
    await this.#put();
  }

  async #others(): Promise<FoundLock[]> {
    return (await this.#list()).others;
  }

  /**
   * When this lock was stored, and the locks of other runs that have not ended. Removes those of runs that have. All
   * times are from one list, because a store may tell the time of a single file less precisely.
   */
  async #list(): Promise<{ own: Date; others: FoundLock[] }> {
    const listed = await Array.fromAsync(this.#store.list(folder));
    const own = listed.find(({ key }) => key === this.#key)?.modifiedAt;
    if (own === undefined) throw this.#lose();
    const others: FoundLock[] = [];
    for (const { key, modifiedAt } of listed) {
      if (key === this.#key) continue;
      const holder = await this.#read(key);
      const ageSeconds = (own.getTime() - modifiedAt.getTime()) / 1000;
      if (ageSeconds > this.#times.expirySeconds || (holder !== null && hasEnded(holder)))
        await this.#store.delete(key);
      else if (holder !== null) others.push({ ...holder, key, modifiedAt });
    }
    return { own, others };
  }

  /** Null if the lock was removed meanwhile, or if it is not one. */
  async #read(key: string): Promise<Holder | null> {
    const bytes = await this.#store.read(key);
    if (bytes === null) return null;
    try {
      return JSON.parse(String(await limited(bytes, { maxBytes: maxLockBytes, name: key }))) as Holder;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof WrongContentError) return null;
      throw error;
    }
  }

  async #put(): Promise<void> {
    const content = Buffer.from(`${JSON.stringify(this.#holder)}\n`);
    await this.#store.put(
      this.#key,
      (async function* bytes() {
        yield content;
      })(),
    );
    this.#storedAt = performance.now();
  }

  #renewInTurn(): void {
    const before = this.#renewal;
    this.#renewal = (async () => {
      await before;
      try {
        await this.#renew();
      } catch {
        // The store may be back before the lock expires.
        if (performance.now() - this.#storedAt > (this.#times.expirySeconds * 1000) / 2) this.#lose();
      }
    })();
  }

  async #renew(): Promise<void> {
    if (this.#holder.kind === "write" && (await this.#store.stat(this.#key)) === null) this.#lose();
    if (!this.#lost.signal.aborted) await this.#put();
  }

  #lose(): LostLockError {
    const error = new LostLockError();
    this.#lost.abort(error);
    return error;
  }
}

/** Whether the process of a lock was one of this machine and has ended. */
function hasEnded({ machine, process: pid, started }: Holder): boolean {
  if (machine !== machineId()) return false;
  if (pid === process.pid) return started !== Math.round(performance.timeOrigin);
  return !isRunning(pid);
}
