import type pg from "pg";
import type { ClientConfig, Client, Pool, PoolClient, QueryArrayConfig, QueryConfig, QueryResult } from "pg";
import type { Logger } from "pino";
import { TooSlowError } from "./read-worker.ts";
import { DatabaseUnavailableError, reasonIn } from "./database-unavailable.ts";

export interface PostgresLimits {
  /** The time limit for connecting, and for noticing that a server has vanished. */
  connectSeconds: number;
  /** The time limit for a statement; null for none. */
  statementSeconds: number | null;
  maxConnections: number;
}

/**
 * After a failed attempt to connect, callers fail immediately for this long instead of each waiting for its own
 * attempt.
 */
const failFastMilliseconds = 500;

/** The maximum number of queries on a shared connection: while PostgreSQL runs one, this process handles the others. */
const maxSharing = 8;

/** A query that has run this long may run much longer. No other query is sent after it on its connection. */
const quickMilliseconds = 5;

/** After this long, a shared connection gets no more queries, so that the pool can replace old ones. */
const maxSharedMilliseconds = 60_000;

/** The connections that are left for transactions, however many single queries there are. */
const connectionsForTransactions = 2;

/** A connection on which queries are sent without waiting for the results of those before them. */
interface SharedConnection {
  opening: Promise<PostgresConnection>;
  /** Null until it is open. */
  opened: PostgresConnection | null;
  running: number;
  /** When the oldest query on it began, and when the first one did, in milliseconds. */
  sinceMilliseconds: number;
  firstMilliseconds: number;
}

/**
 * Connections to a PostgreSQL that may disappear at any time: it restarts, crashes, fails over or stops responding.
 * Queries then soon fail with {@link DatabaseUnavailableError}, and succeed again once it is back.
 *
 * - Single queries share connections, because it costs as much to wake a process of PostgreSQL as to run a quick query.
 * - A broken connection is never reused.
 * - While no connection can be opened, all callers share the failure of one attempt: however many queries a request
 *   makes, it waits for only one of them.
 * - A server that vanishes without closing its connections sends nothing, and TCP reports nothing for a quarter of an
 *   hour. So if a query gets no response for some seconds, the pool tries another connection; if that fails too, it
 *   abandons the query.
 */
export class PostgresPool {
  readonly #pool: Pool;
  readonly #newTrial: () => Client;
  readonly #newQuery: typeof pg.Query;
  readonly #limits: PostgresLimits;
  readonly #log: Pick<Logger, "info" | "error">;
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();
  readonly #shared = new Set<SharedConnection>();
  /** The callers that wait for a connection, to be told if there is none. */
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #clients = new Set<Client>();
  #failure: Error | null = null;
  #failFastUntil = 0;
  #check: Promise<boolean> | null = null;

  constructor(
    driver: typeof pg,
    databaseUrl: string,
    limits: PostgresLimits,
    log: Pick<Logger, "info" | "error">,
  ) {
    const clients = this.#clients;
    // The pool's own limit would also count the time in its queue.
    class LimitedClient extends driver.Client {
      constructor(config?: ClientConfig) {
        super({ connectionTimeoutMillis: limits.connectSeconds * 1000, ...config });
        // Without a listener, a broken connection would end the process. Its current or next query fails.
        this.on("error", () => undefined);
        this.on("connect", () => clients.add(this));
        this.on("end", () => clients.delete(this));
      }
    }
    /** Returns bigint and numeric as numbers (no id or count here exceeds 2⁵³), everything else as the driver does. */
    const typeParser = (oid: number, format?: "text" | "binary"): ((value: string) => unknown) =>
      oid === 20 || oid === 1700
        ? Number
        : (driver.types.getTypeParser(oid, format) as (value: string) => unknown);
    const options = {
      connectionString: databaseUrl,
      application_name: "quire",
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      pipeline: true,
      types: { getTypeParser: typeParser },
    };
    this.#newTrial = () =>
      new LimitedClient({ ...options, connectionTimeoutMillis: checkMilliseconds(limits) });
    this.#pool = new driver.Pool({
      ...options,
      Client: LimitedClient,
      max: limits.maxConnections,
      // A statement stays prepared for as long as its connection, and clients may request lists in thousands of
      // shapes.
      maxLifetimeSeconds: 3600,
    });
    // The pool replaces connections that break while idle.
    this.#pool.on("error", () => undefined);
    this.#newQuery = driver.Query;
    this.#limits = limits;
    this.#log = log;
  }

  /** @throws {DatabaseUnavailableError} */
  async connect(): Promise<PostgresConnection> {
    for (;;) {
      const client = await this.#client();
      const connection = this.#connections.get(client) ?? (await this.#begin(client));
      if (this.#failure === null || !isSilence(this.#failure)) return connection;
      // This connection predates the server's silence, so it is probably dead as well.
      connection.discard();
    }
  }

  /**
   * Runs one query on a shared connection.
   *
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  async query<Row = unknown>(query: QueryConfig | QueryArrayConfig): Promise<Row[]> {
    const shared = this.#findShared();
    if (shared.running === 0) shared.sinceMilliseconds = performance.now();
    shared.running += 1;
    try {
      const connection = shared.opened ?? (await shared.opening);
      return (await connection.query(query)).rows as Row[];
    } finally {
      shared.running -= 1;
      shared.sinceMilliseconds = performance.now();
      if (shared.running === 0) setImmediate(() => this.#unshare(shared));
    }
  }

  /** The connection with the fewest queries among those that are not busy, or a new one. */
  #findShared(): SharedConnection {
    const now = performance.now();
    let count = 0;
    let free: SharedConnection | null = null;
    let any: SharedConnection | null = null;
    for (const shared of this.#shared) {
      const { opened, running, sinceMilliseconds, firstMilliseconds } = shared;
      if (opened?.isBroken === true || now - firstMilliseconds > maxSharedMilliseconds) continue;
      count += 1;
      if (running < (any?.running ?? Infinity)) any = shared;
      const isSlow = running > 0 && now - sinceMilliseconds > quickMilliseconds;
      if (!isSlow && running < (free?.running ?? maxSharing)) free = shared;
    }
    const mayOpen = count < this.#limits.maxConnections - connectionsForTransactions;
    return free ?? (mayOpen ? null : any) ?? this.#share();
  }

  #share(): SharedConnection {
    const opening = this.connect();
    const firstMilliseconds = performance.now();
    const shared: SharedConnection = {
      opening,
      opened: null,
      running: 0,
      sinceMilliseconds: firstMilliseconds,
      firstMilliseconds,
    };
    this.#shared.add(shared);
    const open = async (): Promise<void> => {
      try {
        shared.opened = await opening;
      } catch {
        this.#shared.delete(shared);
      }
    };
    void open();
    return shared;
  }

  #unshare(shared: SharedConnection): void {
    if (shared.running > 0 || !this.#shared.delete(shared)) return;
    shared.opened?.release();
  }

  /**
   * Runs one query that only reads, with a time limit of its own.
   *
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  async queryWithin<Row = unknown>(seconds: number, query: QueryConfig): Promise<Row[]> {
    const connection = await this.connect();
    try {
      await connection.query(`begin read only; set local statement_timeout = ${Math.ceil(seconds * 1000)}`);
      const { rows } = await connection.query(query);
      await connection.query("commit");
      return rows as Row[];
    } catch (error) {
      // A broken connection is not reused.
      await connection.query("rollback").catch(() => undefined);
      throw error;
    } finally {
      connection.release();
    }
  }

  /** Whether a connection can be opened now: one attempt for all simultaneous callers. */
  isAnswering(): Promise<boolean> {
    if (this.#isFailingFast()) return Promise.resolve(false);
    this.#check ??= this.#tryToConnect().finally(() => {
      this.#check = null;
    });
    return this.#check;
  }

  async end(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
    // A server that ignores the end of the session must not keep the process running.
    for (const client of this.#clients) (client as unknown as { unref(): void }).unref();
  }

  async #client(): Promise<PoolClient> {
    if (this.#pool.idleCount === 0 && this.#isFailingFast()) throw unreachable(this.#failure);
    const acquired = this.#pool.connect();
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    this.#waiting.add(fail);
    try {
      return await Promise.race([acquired, failed]);
    } catch (error) {
      void acquired.then(
        (late) => late.release(),
        () => undefined,
      );
      throw error instanceof DatabaseUnavailableError ? error : this.#failed(error as Error);
    } finally {
      this.#waiting.delete(fail);
    }
  }

  /** Prepares a new connection for use. */
  async #begin(client: PoolClient): Promise<PostgresConnection> {
    const connection = new PostgresConnection(client, this.#newQuery, this.#limits, () => this.isAnswering());
    const limit = String((this.#limits.statementSeconds ?? 0) * 1000);
    try {
      // Statements run for milliseconds here. Compiling one to machine code usually takes longer than it saves.
      await connection.query(
        "select set_config('statement_timeout', $1, false), set_config('jit', 'off', false)",
        [limit],
      );
    } catch (error) {
      connection.discard();
      throw error;
    }
    this.#connections.set(client, connection);
    if (this.#failure !== null) this.#log.info("The database answers again");
    this.#failure = null;
    return connection;
  }

  async #tryToConnect(): Promise<boolean> {
    const client = this.#newTrial();
    try {
      await client.connect();
      return true;
    } catch (error) {
      // A refusal is a response as well: too many connections, for example.
      if (!isAway(error)) return true;
      this.#failed(error as Error);
      return false;
    } finally {
      void client.end();
    }
  }

  #failed(error: Error): DatabaseUnavailableError {
    if (!isAway(error)) return unreachable(error);
    if (this.#failure === null) {
      this.#log.error({ reason: reasonIn(error) }, "The database cannot be reached");
    }
    this.#failure = error;
    this.#failFastUntil = performance.now() + failFastMilliseconds;
    for (const fail of this.#waiting) fail(unreachable(error));
    this.#waiting.clear();
    return unreachable(error);
  }

  #isFailingFast(): boolean {
    return this.#failure !== null && performance.now() < this.#failFastUntil;
  }
}

/**
 * After this long without a response, a query has the server checked for the same time: together, the limit of a
 * connection.
 */
function checkMilliseconds({ connectSeconds }: PostgresLimits): number {
  return connectSeconds * 500;
}

const copyStart = /^copy .* from stdin$/;

type QueryCallback = (error: Error | null, result: QueryResult) => void;

/** The part of the driver's own connection that sends the rows of COPY. */
interface CopyingConnection {
  sendCopyFromChunk(rows: Buffer): void;
  endCopyFrom(): void;
}

/** A connection acquired from the pool, with the interface that Kysely expects. */
export class PostgresConnection {
  readonly #client: PoolClient;
  readonly #newQuery: typeof pg.Query;
  readonly #limits: PostgresLimits;
  readonly #isAnswering: () => Promise<boolean>;
  #isBroken = false;
  #running = 0;
  /** When the server last sent a result, or got a query while none was running. In milliseconds. */
  #heardMilliseconds = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(
    client: PoolClient,
    newQuery: typeof pg.Query,
    limits: PostgresLimits,
    isAnswering: () => Promise<boolean>,
  ) {
    this.#client = client;
    this.#newQuery = newQuery;
    this.#limits = limits;
    this.#isAnswering = isAnswering;
    client.on("error", () => {
      this.#isBroken = true;
    });
  }

  /**
   * The only parameter of `copy … from stdin` is a buffer with the rows, in the text format of COPY.
   *
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  async query(query: string | QueryConfig | QueryArrayConfig, values?: unknown[]): Promise<QueryResult> {
    const [rows] = values ?? [];
    if (rows instanceof Buffer && typeof query === "string" && copyStart.test(query)) {
      return this.#watched((callback) => this.#copy(query, rows, callback));
    }
    return this.#watched((callback) => this.#client.query(query as string, values as unknown[], callback));
  }

  /** `copy … from stdin`, with rows in its text format. */
  #copy(text: string, rows: Buffer, callback: QueryCallback): void {
    const query = Object.assign(new this.#newQuery({ text }, undefined, callback as never), {
      handleCopyInResponse(connection: CopyingConnection) {
        connection.sendCopyFromChunk(rows);
        connection.endCopyFrom();
      },
    });
    this.#client.query(query);
  }

  /**
   * The driver gets a callback. With a promise of its own, each result would stay in memory, and keep the next one there,
   * until the whole heap is searched.
   */
  async #watched(send: (callback: QueryCallback) => void): Promise<QueryResult> {
    if (this.#running === 0) {
      this.#heardMilliseconds = performance.now();
      this.#watch = setInterval(() => void this.#giveUpIfLost(), checkMilliseconds(this.#limits));
    }
    this.#running += 1;
    try {
      return await new Promise((resolve, reject) => {
        send((error, result) => (error ? reject(error) : resolve(result)));
      });
    } catch (error) {
      this.#isBroken ||= isLoss(error);
      if (this.#isBroken) {
        throw new DatabaseUnavailableError("The connection to PostgreSQL was lost", {
          cause: error,
          mayComeBack: true,
        });
      }
      if (codeOf(error) === queryCanceled) {
        throw new TooSlowError("The query took longer than it may", { cause: error });
      }
      throw error;
    } finally {
      this.#heardMilliseconds = performance.now();
      this.#running -= 1;
      if (this.#running === 0) clearInterval(this.#watch);
    }
  }

  async #giveUpIfLost(): Promise<void> {
    const { connectSeconds, statementSeconds } = this.#limits;
    const heard = this.#heardMilliseconds;
    const silentMilliseconds = performance.now() - heard;
    // The server has answered another query since the last check.
    if (silentMilliseconds < checkMilliseconds(this.#limits) / 2) return;
    const isLate = silentMilliseconds > ((statementSeconds ?? Infinity) + connectSeconds) * 1000;
    const isLost = isLate || !(await this.#isAnswering());
    if (isLost && this.#running > 0 && this.#heardMilliseconds === heard) this.#giveUp();
  }

  /** Whether its queries fail from now on. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /** Releases the connection, never to be reused. */
  discard(): void {
    this.#isBroken = true;
    this.release();
  }

  /** Closes the connection at once. Its queries fail. */
  #giveUp(): void {
    this.#isBroken = true;
    const client = this.#client as PoolClient & Pick<Client, "end" | "connection">;
    // Alone, `end` would wait for the queries.
    void client.end();
    client.connection.stream.destroy();
  }
}

function unreachable(cause: Error | null): DatabaseUnavailableError {
  const mayComeBack = isAway(cause) || codeOf(cause) === tooManyConnections;
  return new DatabaseUnavailableError("PostgreSQL cannot be reached", { cause, mayComeBack });
}

const queryCanceled = "57014";
const tooManyConnections = "53300";

/** The server is shutting down, starting or recovering, or has closed the connection. */
const goneStates = /^(57P0[1-5]|08...)$/;
/** The server was the primary before a failover: another connection leads to the new one. */
const readOnlyTransaction = "25006";

/** System errors for a server that is unreachable, or for a name that does not resolve yet. */
const goneCodes: ReadonlySet<string> = new Set([
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);
const silentCodes: ReadonlySet<string> = new Set(["EHOSTDOWN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);
/** The driver's errors that have no code. */
const goneMessages = /^(Connection terminated|timeout expired)/;

/** Whether a connection failed because the server does not respond, or not yet. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === null ? goneMessages.test(error.message) : goneStates.test(code) || goneCodes.has(code);
}

/** Whether the server sent no response at all, not even a refusal. */
function isSilence(error: Error): boolean {
  return error.message.startsWith("timeout expired") || silentCodes.has(codeOf(error) ?? "");
}

/** Whether a query failed because its connection was lost. */
function isLoss(error: unknown): boolean {
  return isAway(error) || codeOf(error) === readOnlyTransaction;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
