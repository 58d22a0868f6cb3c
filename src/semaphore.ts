/** More wait already than may. */
export class TooBusyError extends Error {
  override readonly name = "TooBusyError";
}

/** So many at a time: others wait in line, and whoever comes when the line is full is turned away. */
export class Semaphore {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #maxPerHolder: number;
  readonly #waiting = new Set<() => void>();
  /** Of each who was named, how many turns they have or wait for. */
  readonly #places = new Map<string, number>();
  #taken = 0;

  /** Nobody who is named has, or waits for, more than `maxPerHolder` turns: so nobody keeps all others out. */
  constructor(atOnce: number, maxWaiting: number, maxPerHolder = Infinity) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
    this.#maxPerHolder = maxPerHolder;
  }

  /**
   * Waits for a turn; what it gives ends the turn. Whoever gives up by the signal before their turn leaves the line.
   *
   * @throws {TooBusyError}
   */
  async take(who?: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const isTooMany = who !== undefined && (this.#places.get(who) ?? 0) >= this.#maxPerHolder;
    const isFull = this.#taken >= this.#atOnce && this.#waiting.size >= this.#maxWaiting;
    if (isTooMany || isFull) throw new TooBusyError("too many wait already");
    this.#count(who, 1);
    if (this.#taken >= this.#atOnce) {
      try {
        await this.#wait(signal);
      } catch (error) {
        this.#count(who, -1);
        throw error;
      }
    } else this.#taken += 1;
    return () => {
      this.#count(who, -1);
      const [next] = this.#waiting;
      if (next === undefined) this.#taken -= 1;
      else next();
    };
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = (): void => {
      this.#waiting.delete(begin);
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = (): void => {
      this.#waiting.delete(begin);
      reject(signal?.reason as Error);
    };
    this.#waiting.add(begin);
    signal?.addEventListener("abort", leave, { once: true });
    await promise;
  }

  #count(who: string | undefined, change: number): void {
    if (who === undefined) return;
    const places = (this.#places.get(who) ?? 0) + change;
    if (places === 0) this.#places.delete(who);
    else this.#places.set(who, places);
  }
}
