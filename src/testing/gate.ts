import type { JobRunner } from "../jobs/runner.ts";

/** Callers wait at the gate until the test opens it: it stops a worker at a named point. */
export class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();
  /** Resolves when a caller has reached the gate. */
  readonly reached = this.#reached.promise;

  open(): void {
    this.#opened.resolve();
  }

  async pass(): Promise<void> {
    this.#reached.resolve();
    await this.#opened.promise;
  }

  /** Resolves when a job has reached the gate. Fails if the job ends before that. */
  async reachedBy(worker: JobRunner): Promise<void> {
    const isReached = await Promise.race([this.reached.then(() => true), worker.drain().then(() => false)]);
    if (!isReached) throw new Error("the work ended before it came to the gate");
  }
}

/** The same object with another method of this name. */
export function withMethod<T extends object, Name extends keyof T>(
  target: T,
  name: Name,
  method: T[Name],
): T {
  return new Proxy(target, {
    get(_, asked) {
      if (asked === name) return method;
      const value: unknown = Reflect.get(target, asked);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
