import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { reasonOf } from "../errors.ts";

/** The database cannot be reached, or the connection was lost. A running statement may or may not have taken effect. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  /** Whether the database may return by itself; false if a setting or a permission is wrong. */
  readonly mayComeBack: boolean;

  constructor(message: string, { cause, mayComeBack }: { cause: unknown; mayComeBack: boolean }) {
    super(message, { cause });
    this.mayComeBack = mayComeBack;
  }
}

/** For code that retries by itself: the pool logs once that the database is unavailable, and once that it is back. */
export function logUnlessAway(log: Pick<Logger, "debug" | "error">, error: unknown, message: string): void {
  if (error instanceof DatabaseUnavailableError) log.debug({ reason: reasonIn(error.cause) }, message);
  else log.error({ err: error }, message);
}

const retryMilliseconds = 500;

export interface Patience {
  seconds: number;
  signal: AbortSignal | undefined;
  log: Pick<Logger, "warn">;
}

/** Retries `work` while the database is unavailable, starting or recovering, and logs once that it waits. */
export async function onceDatabaseAnswers<T>(
  work: () => Promise<T>,
  { seconds, signal, log }: Patience,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (let isLogged = false; ; isLogged = true) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof DatabaseUnavailableError && error.mayComeBack;
      if (!isPassing || performance.now() >= deadline) throw error;
      if (!isLogged) log.warn({ reason: reasonIn(error.cause), seconds }, "Waiting for the database");
    }
    await setTimeout(retryMilliseconds, undefined, { signal });
  }
}

/** The reason of an error that may combine several, such as those of a host with several addresses. */
export function reasonIn(error: unknown): string {
  const parts = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return parts.map(reasonOf).join("; ");
}
