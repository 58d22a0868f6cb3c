import { AsyncLocalStorage } from "node:async_hooks";
import type { QueryArrayConfig, QueryConfig, QueryResult } from "pg";
import type { StandbyReadCounts, Standbys } from "../database.ts";
import { DatabaseUnavailableError } from "../database-unavailable.ts";
import type { BoundQuery } from "../prepared-queries.ts";
import { isConflict } from "./failures.ts";
import type { PostgresPool } from "./pool.ts";
import type { Position } from "./position.ts";
import type { Standby } from "./standby.ts";

/** The reads of one piece of work: all of them go to the same server, as long as that answers. */
interface Scope {
  /** Null for the primary. */
  target: Promise<Target | null> | null;
  isOver: boolean;
}

interface Target {
  standby: Standby;
  pool: PostgresPool;
}

/** A part of what Kysely expects of a connection. */
interface ReadConnection {
  query(text: string | QueryConfig | QueryArrayConfig, values?: unknown[]): Promise<QueryResult>;
  release(): void;
}

/**
 * Sends the reads of work that allows it to standbys, and all others to the primary.
 *
 * An answer shows every write that was acknowledged before its work began. At the first read, the primary says where
 * its log ends; one question serves all work that begins meanwhile. A standby that has replayed the log up to there has
 * every commit before. If none has, or if the standby fails, the primary answers. So nothing of a caller's view of the
 * database depends on a standby but the time that it takes. An answer may be newer than what the primary shows: a
 * standby shows a commit before the primary does that waits for it.
 */
export class StandbyReads implements Standbys {
  readonly counts: StandbyReadCounts = { standby: 0, behind: 0, away: 0, conflict: 0 };
  readonly #primary: PostgresPool;
  readonly #standbys: readonly Standby[];
  readonly #position: () => Promise<Position>;
  readonly #scopes = new AsyncLocalStorage<Scope>();
  #next = 0;

  /** `position` is where the log of the primary ends: it must be at least as new as the call. */
  constructor(primary: PostgresPool, standbys: readonly Standby[], position: () => Promise<Position>) {
    this.#primary = primary;
    this.#standbys = standbys;
    this.#position = position;
  }

  get total(): number {
    return this.#standbys.length;
  }

  get answering(): number {
    return this.#standbys.filter(({ isAway }) => !isAway).length;
  }

  async during<T>(work: () => T | Promise<T>): Promise<T> {
    const scope: Scope = { target: null, isOver: false };
    try {
      return await this.#scopes.run(scope, work);
    } finally {
      // What the work has begun and left behind reads from the primary.
      scope.isOver = true;
    }
  }

  /** Must be called when the caller writes: what it reads afterwards has to show that. */
  leave(): void {
    const scope = this.#scopes.getStore();
    if (scope !== undefined) scope.isOver = true;
  }

  /** For Kysely: a connection for reads. */
  async connect(): Promise<ReadConnection> {
    const scope = this.#current();
    if (scope === null) return this.#primary.connect();
    return {
      query: (text, values) => this.#ask(scope, (pool) => queryOnce(pool, text, values)),
      release: () => undefined,
    };
  }

  query<Row = unknown>(query: QueryConfig | QueryArrayConfig): Promise<Row[]> {
    return this.#askNow((pool) => pool.query<Row>(query));
  }

  /** For prepared queries. */
  run(query: BoundQuery, name: string | null): Promise<unknown[]> {
    return this.#askNow((pool) => pool.run(query, name));
  }

  queryWithin<Row = unknown>(seconds: number, query: QueryConfig): Promise<Row[]> {
    return this.#askNow((pool) => pool.queryWithin<Row>(seconds, query));
  }

  async end(): Promise<void> {
    await Promise.all(this.#standbys.map((standby) => standby.close()));
  }

  #askNow<T>(ask: (pool: PostgresPool) => Promise<T>): Promise<T> {
    const scope = this.#current();
    return scope === null ? ask(this.#primary) : this.#ask(scope, ask);
  }

  #current(): Scope | null {
    const scope = this.#scopes.getStore();
    return scope === undefined || scope.isOver ? null : scope;
  }

  async #ask<T>(scope: Scope, ask: (pool: PostgresPool) => Promise<T>): Promise<T> {
    scope.target ??= this.#find();
    const target = await scope.target;
    if (target === null) return ask(this.#primary);
    try {
      return await ask(target.pool);
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailableError;
      if (!isAway && !isConflict(error)) throw error;
      this.counts[isAway ? "away" : "conflict"] += 1;
      // Without a cause, all of its connections are busy.
      if (isAway && error.cause !== undefined) target.standby.lose(target.pool, error);
      scope.target = Promise.resolve(null);
      return ask(this.#primary);
    }
  }

  /** The standbys take turns. Null if none can be used. */
  async #find(): Promise<Target | null> {
    if (this.answering === 0) {
      this.counts.away += 1;
      return null;
    }
    const position = await this.#position();
    const first = this.#next++;
    let isBehind = false;
    for (let turn = 0; turn < this.#standbys.length; turn++) {
      const standby = this.#standbys[(first + turn) % this.#standbys.length] as Standby;
      const found = await standby.at(position);
      if (typeof found !== "string") {
        this.counts.standby += 1;
        return { standby, pool: found };
      }
      isBehind ||= found === "behind";
    }
    this.counts[isBehind ? "behind" : "away"] += 1;
    return null;
  }
}

async function queryOnce(
  pool: PostgresPool,
  text: string | QueryConfig | QueryArrayConfig,
  values?: unknown[],
): Promise<QueryResult> {
  const connection = await pool.connect();
  try {
    return await connection.query(text, values);
  } finally {
    connection.release();
  }
}
