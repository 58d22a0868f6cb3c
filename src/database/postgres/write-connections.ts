import { Semaphore } from "../../semaphore.ts";
import type { PostgresConnection } from "./connection.ts";
import type { PostgresPool } from "./pool.ts";
import { allBusy } from "./shared-connections.ts";

/**
 * The connections of transactions that write. They hold only a part of the pool's, because they may hang where reads do
 * not: a commit waits for a standby that is gone, or a row for a lock that is never released. The others wait in order,
 * within the same time limit as for the pool itself.
 *
 * A transaction may read on a second connection while it holds one. It must never wait for another transaction of its
 * process that writes, which may be waiting for a connection itself.
 */
export class WriteConnections {
  readonly #pool: PostgresPool;
  readonly #waitSeconds: number;
  readonly #semaphore: Semaphore;

  constructor(pool: PostgresPool, maxConnections: number, waitSeconds: number) {
    this.#pool = pool;
    this.#waitSeconds = waitSeconds;
    this.#semaphore = new Semaphore(maxConnections);
  }

  /**
   * For Kysely.
   *
   * @throws {DatabaseUnavailableError}
   */
  async connect(): Promise<Pick<PostgresConnection, "query" | "release">> {
    const since = performance.now();
    const release = await this.#permit();
    try {
      const connection = await this.#pool.connect(performance.now() - since);
      return {
        query: (query, values) => connection.query(query, values),
        release: () => {
          connection.release();
          release();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #permit(): Promise<() => void> {
    const waiting = new AbortController();
    const late = setTimeout(() => waiting.abort(allBusy()), this.#waitSeconds * 1000);
    try {
      return await this.#semaphore.acquire([], { signal: waiting.signal });
    } finally {
      clearTimeout(late);
    }
  }
}
