import type { Release } from "../../semaphore.ts";
import type { SharedPermits } from "../database.ts";
import type { PostgresHints, Session } from "./hints.ts";

interface Held {
  name: string;
  count: number;
  /** The number of the permit, and the session that has its lock; null while it is not counted. */
  lock: { session: Session; permit: number } | null;
}

// Other advisory locks of Quire have fixed keys.
const keySql = "hashtextextended($1 || ' ' || permit, 4180)";
// A session may take a lock again that it has, so those are left out: `case` keeps the order.
const takeSql = `select permit from generate_series(1, $2::integer) as permit
  where case when permit = any ($3::integer[]) then false else pg_try_advisory_lock(${keySql}) end limit 1`;
const releaseSql = `select pg_advisory_unlock(${keySql}) from (select $2::integer as permit) as held`;

/**
 * Permits as advisory locks of the session that listens for hints. They cost no row and no commit, which would make
 * cached responses invalid, and end with the process, however it ends. While there is no session, as during a failover,
 * permits are given without being counted; they are counted once there is one again.
 */
export class PostgresPermits implements SharedPermits {
  readonly #hints: Pick<PostgresHints, "session" | "onSession">;
  readonly #held = new Set<Held>();
  #latest: Promise<unknown> = Promise.resolve();

  constructor(hints: Pick<PostgresHints, "session" | "onSession">) {
    this.#hints = hints;
    hints.onSession(() => void this.#inTurn(() => this.#countAgain()));
  }

  take(name: string, count: number): Promise<Release | null> {
    return this.#inTurn(async () => {
      const held: Held = { name, count, lock: null };
      if (!(await this.#count(held))) return null;
      this.#held.add(held);
      return () => {
        if (this.#held.delete(held)) void this.#inTurn(() => this.#release(held));
      };
    });
  }

  /** One at a time, so that each knows which locks the session has. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#latest.then(work);
    this.#latest = result;
    return result;
  }

  /** Returns false if others have all permits. */
  async #count(held: Held): Promise<boolean> {
    const { session } = this.#hints;
    if (session === null) return true;
    const own = [...this.#held].filter(({ name, lock }) => name === held.name && lock?.session === session);
    const permits = own.map(({ lock }) => lock?.permit);
    const found = await session.ask<{ permit: number }>(takeSql, [held.name, held.count, permits]);
    const [taken] = found ?? [];
    if (taken !== undefined) held.lock = { session, permit: taken.permit };
    return found === null || taken !== undefined;
  }

  async #countAgain(): Promise<void> {
    for (const held of this.#held) if (held.lock?.session !== this.#hints.session) await this.#count(held);
  }

  async #release({ name, lock }: Held): Promise<void> {
    if (lock !== null && lock.session === this.#hints.session)
      await lock.session.ask(releaseSql, [name, lock.permit]);
  }
}
