import type { Pool, QueryArrayConfig, QueryConfig } from "pg";
import { DatabaseUnavailableError } from "../database-unavailable.ts";
import type { PostgresConnection } from "./connection.ts";
import { isOutdatedStatement } from "./failures.ts";

export interface Sharing {
  connect(): Promise<PostgresConnection>;
  /** Whether another connection can be had at once. */
  canConnect: () => boolean;
  maxConnections: number;
  /** Whether a connection without queries is kept, because nothing else needs it. */
  keepsIdle: boolean;
  /** How long a query may wait for others; null for no limit. */
  waitSeconds: number | null;
}

/** The maximum number of queries on a connection: while PostgreSQL runs one, this process handles the others. */
const maxQueries = 8;

/** While fewer connections than this are open, each has only one query: nothing stands before the others. */
const spread = 4;

/** A query that has run this long may run much longer. No other query is sent after it on its connection. */
const quickMilliseconds = 5;

/** If a query has run this long, those behind it are sent again on another connection. */
const stuckMilliseconds = 50;

const lookEveryMilliseconds = 10;

/** After this long, a connection gets no more queries, so that the pool can replace old ones. */
const maxSharedMilliseconds = 60_000;

interface SharedConnection {
  opening: Promise<PostgresConnection>;
  /** Null until it is open. */
  opened: PostgresConnection | null;
  /** Its queries, in the order of their answers. */
  running: SharedQuery[];
  /** When the oldest query on it began, and when the first one did, in milliseconds. */
  sinceMilliseconds: number;
  firstMilliseconds: number;
}

interface SharedQuery {
  config: QueryConfig | QueryArrayConfig;
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
  /** Whether the caller has its result or its error. */
  isSettled: boolean;
  /** On how many connections it runs. */
  attempts: number;
  isSentAgain: boolean;
  /** When the caller asked, in milliseconds. */
  sinceMilliseconds: number;
}

/**
 * Connections on which single queries are sent without waiting for the results of those before them, because it costs
 * as much to wake a process of PostgreSQL as to run a quick query. The queries only read: one that is stuck behind a
 * slow one is sent again on another connection, and the first answer counts.
 */
export class SharedConnections {
  readonly #sharing: Sharing;
  readonly #connections = new Set<SharedConnection>();
  /** The queries that wait because every connection is busy. */
  readonly #waiting = new Set<SharedQuery>();
  #timer: NodeJS.Timeout | null = null;
  #isEnded = false;

  constructor(sharing: Sharing) {
    this.#sharing = sharing;
  }

  /**
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  query(config: QueryConfig | QueryArrayConfig): Promise<unknown[]> {
    if (config.name === undefined) return this.#queue(config);
    return this.#queue(config).catch((error: unknown) => {
      if (!isOutdatedStatement(error)) throw error;
      const { name: _, ...unnamed } = config;
      return this.#queue(unnamed);
    });
  }

  #queue(config: QueryConfig | QueryArrayConfig): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const query: SharedQuery = {
        config,
        resolve,
        reject,
        isSettled: false,
        attempts: 0,
        isSentAgain: false,
        sinceMilliseconds: performance.now(),
      };
      const connection = this.#waiting.size === 0 ? this.#find() : null;
      if (connection === null) this.#wait(query);
      else void this.#send(query, connection);
    });
  }

  /** Releases the connections that are kept, and those with queries once these are answered. */
  end(): void {
    this.#isEnded = true;
    for (const connection of this.#connections) this.#release(connection);
  }

  /**
   * The connection with the fewest queries among those that are not busy, or a new one; null if all are busy. Where a
   * query has to be `alone`, every connection with a query is busy.
   */
  #find({ alone = false } = {}): SharedConnection | null {
    const now = performance.now();
    let count = 0;
    let best: SharedConnection | null = null;
    for (const connection of this.#connections) {
      const { opened, running, sinceMilliseconds, firstMilliseconds } = connection;
      if (opened?.isBroken === true || now - firstMilliseconds > maxSharedMilliseconds) {
        this.#release(connection);
        continue;
      }
      count += 1;
      const isSlow = running.length > 0 && now - sinceMilliseconds > quickMilliseconds;
      if (!isSlow && running.length < (best?.running.length ?? maxQueries)) best = connection;
    }
    if (best?.running.length === 0) return best;
    const { maxConnections, canConnect } = this.#sharing;
    const isWanted = alone || best === null || count < spread;
    const mayOpen = count === 0 || (isWanted && count < maxConnections && canConnect());
    if (mayOpen) return this.#open();
    return alone ? null : best;
  }

  #open(): SharedConnection {
    const opening = this.#sharing.connect();
    const firstMilliseconds = performance.now();
    const connection: SharedConnection = {
      opening,
      opened: null,
      running: [],
      sinceMilliseconds: firstMilliseconds,
      firstMilliseconds,
    };
    this.#connections.add(connection);
    const open = async (): Promise<void> => {
      try {
        connection.opened = await opening;
      } catch {
        this.#connections.delete(connection);
      }
    };
    void open();
    return connection;
  }

  async #send(query: SharedQuery, connection: SharedConnection): Promise<void> {
    const { running } = connection;
    if (running.length === 0) connection.sinceMilliseconds = performance.now();
    else this.#watch();
    running.push(query);
    query.attempts += 1;
    try {
      const opened = connection.opened ?? (await connection.opening);
      if (!query.isSettled) {
        const { rows } = await opened.query(query.config);
        query.isSettled = true;
        query.resolve(rows as unknown[]);
      }
    } catch (error) {
      // If the connection broke, the query may still run on another one.
      if (query.attempts === 1 || !(error instanceof DatabaseUnavailableError)) {
        query.isSettled = true;
        query.reject(error);
      }
    }
    query.attempts -= 1;
    running.splice(running.indexOf(query), 1);
    connection.sinceMilliseconds = performance.now();
    if (this.#waiting.size > 0) this.#sendWaiting();
    const isKept = this.#sharing.keepsIdle && !this.#isEnded;
    if (running.length === 0 && !isKept) setImmediate(() => this.#release(connection));
  }

  /** Releases the connection if it has no queries. */
  #release(connection: SharedConnection): void {
    if (connection.running.length > 0 || !this.#connections.delete(connection)) return;
    connection.opened?.release();
  }

  #wait(query: SharedQuery): void {
    this.#waiting.add(query);
    this.#watch();
  }

  #sendWaiting(): void {
    for (const query of this.#waiting) {
      const connection = this.#find();
      if (connection === null) return;
      this.#waiting.delete(query);
      void this.#send(query, connection);
    }
  }

  /** Looks after queries that wait or stand behind others, for as long as there are any. */
  #watch(): void {
    this.#timer ??= setInterval(() => {
      // After the answers that have arrived are read: this process may have been busy itself.
      setImmediate(() => this.#look());
    }, lookEveryMilliseconds);
  }

  #look(): void {
    this.#sendWaiting();
    for (const query of this.#waiting) if (this.#giveUpIfLate(query)) this.#waiting.delete(query);
    const stacked = [...this.#connections].filter(({ running }) => running.length > 1);
    for (const { running, sinceMilliseconds } of stacked) {
      if (performance.now() - sinceMilliseconds > stuckMilliseconds) this.#sendAgain(running.slice(1));
    }
    if (stacked.length > 0 || this.#waiting.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #sendAgain(queries: readonly SharedQuery[]): void {
    for (const query of queries) {
      if (query.isSentAgain || query.isSettled) continue;
      // The one before it may be slow as well.
      const connection = this.#find({ alone: true });
      if (connection === null) this.#giveUpIfLate(query);
      else {
        query.isSentAgain = true;
        void this.#send(query, connection);
      }
    }
  }

  /** Whether the query has waited longer than it may. */
  #giveUpIfLate(query: SharedQuery): boolean {
    const { waitSeconds } = this.#sharing;
    if (waitSeconds === null || performance.now() - query.sinceMilliseconds < waitSeconds * 1000)
      return false;
    query.isSettled = true;
    query.reject(allBusy());
    return true;
  }
}

/** The error of a caller for whom no connection became free in time. */
export function allBusy(): DatabaseUnavailableError {
  return new DatabaseUnavailableError("No connection to PostgreSQL became free in time", {
    cause: undefined,
    mayComeBack: true,
  });
}

/** Whether a pool has a connection that is free, or may open one. */
export function hasRoom(pool: Pool): boolean {
  return pool.idleCount > 0 || pool.totalCount < pool.options.max;
}
