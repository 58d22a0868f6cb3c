/** Rung after a commit that enqueued a job, so that a runner in this process need not find out by looking. */
export class JobSignal {
  readonly #listeners = new Set<() => void>();

  ring(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls back at each ring. */
  onNotify(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
