/** More wait already than may. */
export class TooBusyError extends Error {
  override readonly name = "TooBusyError";
}

/** So many at a time: others wait in line, and whoever comes when the line is full is turned away. */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Waits for a turn; what it gives ends the turn.
   *
   * @throws {TooBusyError}
   */
  async take(): Promise<() => void> {
    if (this.#taken >= this.#atOnce) {
      if (this.#waiting.length >= this.#mostWaiting) throw new TooBusyError("too many wait already");
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#taken += 1;
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken -= 1;
      else next();
    };
  }
}
