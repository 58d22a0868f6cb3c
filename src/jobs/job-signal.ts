/** Notified after a commit that enqueued a job, so that a runner in this process need not poll for it. */
export class JobSignal {
  readonly #listeners = new Set<() => void>();

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener at each notification. */
  onNotify(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
