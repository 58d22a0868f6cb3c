import type { Database } from "../../database/database.ts";
import { DatabaseUnavailableError } from "../../database/database-unavailable.ts";

type Version = string | number;

interface Waiting {
  seen: Version;
  resolve: () => void;
}

const lookEveryMilliseconds = 250;

/**
 * Notices that something has been written, by whatever process. However many wait in this process, the database is
 * asked once for all of them, and not at all while nobody waits.
 */
export class ChangeWatch {
  readonly #database: Pick<Database, "version">;
  readonly #waiting = new Set<Waiting>();
  #isLooking = false;

  constructor(database: Pick<Database, "version">) {
    this.#database = database;
  }

  /**
   * The version of the database: take it before you read, and wait with it afterwards. Empty while the database is
   * unavailable.
   */
  async version(): Promise<Version> {
    try {
      return await this.#database.version();
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) return "";
      throw error;
    }
  }

  /** Resolves when the database has another version than this one, when the client leaves, or at the limit. */
  async changed(
    seen: Version,
    { limitMilliseconds, leaving }: { limitMilliseconds: number; leaving: AbortSignal },
  ): Promise<void> {
    if (leaving.aborted) return;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const resolve = (): void => end();
    const waiting = { seen, resolve };
    leaving.addEventListener("abort", resolve);
    this.#waiting.add(waiting);
    const late = setTimeout(resolve, limitMilliseconds).unref();
    if (!this.#isLooking) this.#lookLater();
    await promise;
    clearTimeout(late);
    leaving.removeEventListener("abort", resolve);
    this.#waiting.delete(waiting);
  }

  #lookLater(): void {
    this.#isLooking = true;
    setTimeout(() => void this.#look(), lookEveryMilliseconds).unref();
  }

  async #look(): Promise<void> {
    // Whoever waits for a database that has been closed finds that out.
    const version = await this.version().catch(() => null);
    for (const { seen, resolve } of this.#waiting) if (seen !== version) resolve();
    this.#isLooking = false;
    if (this.#waiting.size > 0) this.#lookLater();
  }
}
