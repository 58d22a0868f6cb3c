import type pg from "pg";
import type { Client, ClientConfig, Pool, PoolClient, QueryArrayConfig, QueryConfig } from "pg";
import type { BoundQuery } from "../prepared-queries.ts";
import type { Logger } from "pino";
import { postgresAddresses } from "../../value-kinds.ts";
import { DatabaseUnavailableError, reasonIn } from "../database-unavailable.ts";
import { PostgresConnection, type PostgresLimits, checkMilliseconds, typeParserOf } from "./connection.ts";
import { type Admission, primariesAlone } from "./admission.ts";
import { isAway, isSilence, unreachable, withoutPrimary } from "./failures.ts";
import { PooledConnection, refusalOfSharedServer } from "./pooled-connection.ts";
import { Primary } from "./primary.ts";
import { SharedConnections, allBusy, hasRoom } from "./shared-connections.ts";

/** After a failed attempt to connect, callers fail at once for this long, and do not try it themselves. */
const failFastMilliseconds = 500;

/** The connections that are left for transactions, however many single queries there are. */
const connectionsForTransactions = 2;

/**
 * Connections to a PostgreSQL that may disappear at any time: it restarts, crashes, fails over or stops responding.
 * Queries then soon fail with {@link DatabaseUnavailableError}, and succeed again once it is back.
 *
 * - Single queries share connections (shared-connections.ts). The queries that everything waits for have one of their
 *   own.
 * - When all connections are in use, a caller waits for one, but not for ever. Transactions of requests that write hold
 *   only a part of them (write-connections.ts).
 * - A broken connection is never reused, and neither is one to a server that must not be used, such as a standby.
 * - While no connection can be opened, all callers share the failure of one attempt: however many queries a request
 *   makes, it waits for only one of them.
 * - A server that vanishes without closing its connections sends nothing, and TCP reports nothing for a quarter of an
 *   hour. So if a query gets no response for some seconds, the pool tries another connection; if that fails too, it
 *   abandons the query.
 */
export class PostgresPool {
  readonly #pool: Pool;
  readonly #newTrial: () => Client;
  readonly #newClient: () => Client;
  readonly #newQuery: typeof pg.Query;
  readonly #limits: PostgresLimits;
  readonly #log: Pick<Logger, "info" | "error">;
  readonly #admission: Admission;
  /** Null if the address names a single host. */
  readonly #primary: Primary | null;
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();
  readonly #shared: SharedConnections;
  readonly #apartPool: Pool;
  readonly #apart: SharedConnections;
  /** The callers that wait for a connection. Each is told when no connection can be opened. */
  readonly #waiting = new Set<(error: Error) => void>();
  /** All that are connected, each with its address. */
  readonly #clients = new Map<Client, string>();
  #failure: Error | null = null;
  #failFastUntil = 0;
  #check: Promise<boolean> | null = null;

  constructor(
    driver: typeof pg,
    databaseUrl: string,
    limits: PostgresLimits,
    log: Pick<Logger, "info" | "error">,
    admission: Admission = primariesAlone,
  ) {
    const clients = this.#clients;
    const addresses = postgresAddresses(databaseUrl);
    const milliseconds = checkMilliseconds(limits);
    const primary: Primary | null =
      addresses.length === 1
        ? null
        : new Primary(addresses, {
            newClient: (address, limit) => new LimitedClient({ connectionTimeoutMillis: limit }, address),
            answerMilliseconds: milliseconds,
            onMove: (host) => this.#leaveFormer(host),
          });
    this.#primary = primary;
    // The pool's own limit would also count the time in its queue.
    class LimitedClient extends driver.Client {
      constructor(config?: ClientConfig, connectionString: string = primary?.address ?? databaseUrl) {
        super({ connectionTimeoutMillis: limits.connectSeconds * 1000, ...config, connectionString });
        // Without a listener, a broken connection would end the process. Its current or next query fails.
        this.on("error", () => primary?.forget(connectionString));
        this.on("connect", () => clients.set(this, connectionString));
        this.on("end", () => clients.delete(this));
      }
    }
    const options = {
      application_name: limits.applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      pipeline: true,
      types: { getTypeParser: typeParserOf(driver) },
    };
    const soon = { connectionTimeoutMillis: milliseconds, query_timeout: milliseconds };
    this.#newTrial = () => new LimitedClient({ ...options, ...soon });
    this.#newClient = () => new LimitedClient(options);
    const newPool = (max: number): Pool => {
      // A statement stays prepared for as long as its connection, and clients may request lists in thousands of shapes.
      const pool = new driver.Pool({ ...options, Client: LimitedClient, max, maxLifetimeSeconds: 3600 });
      // The pool replaces connections that break while idle.
      pool.on("error", () => undefined);
      return pool;
    };
    const { maxConnections, waitSeconds } = limits;
    this.#pool = newPool(maxConnections);
    this.#shared = new SharedConnections({
      connect: () => this.connect(),
      canConnect: () => hasRoom(this.#pool),
      maxConnections: maxConnections - connectionsForTransactions,
      keepsIdle: false,
      waitSeconds,
    });
    this.#apartPool = newPool(1);
    this.#apart = new SharedConnections({
      connect: () => this.#connectIn(this.#apartPool),
      canConnect: () => hasRoom(this.#apartPool),
      maxConnections: 1,
      keepsIdle: true,
      waitSeconds,
    });
    this.#newQuery = driver.Query;
    this.#limits = limits;
    this.#log = log;
    this.#admission = admission;
  }

  /** @throws {DatabaseUnavailableError} The time that the caller has waited already counts for the limit. */
  connect(waitedMilliseconds = 0): Promise<PostgresConnection> {
    return this.#connectIn(this.#pool, waitedMilliseconds);
  }

  async #connectIn(pool: Pool, waitedMilliseconds = 0): Promise<PostgresConnection> {
    for (;;) {
      const client = await this.#clientOf(pool, waitedMilliseconds);
      const isCurrent = this.#isOfPrimary(client);
      const connection = isCurrent ? (this.#connections.get(client) ?? (await this.#begin(client))) : null;
      const isFromBefore = this.#failure !== null && isSilence(this.#failure);
      if (connection !== null && !isFromBefore && this.#isOfPrimary(client)) return connection;
      // It predates the server's silence. Or a pooler has let it wait for a former primary, which has come back.
      client.release(true);
    }
  }

  #isOfPrimary(client: Client): boolean {
    return this.#primary === null || this.#clients.get(client) === this.#primary.address;
  }

  /** Closes the connections to the former primary, even if it still answers. */
  #leaveFormer(host: string): void {
    this.#log.info({ host }, "Another host is the primary of the database now");
    const former = [...this.#clients.keys()].filter((client) => !this.#isOfPrimary(client));
    for (const { connection } of former) connection.stream.destroy(withoutPrimary(["a former one"]));
  }

  /**
   * Runs one query that only reads, on a shared connection.
   *
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  async query<Row = unknown>(query: QueryConfig | QueryArrayConfig): Promise<Row[]> {
    return (await this.#shared.query(query)) as Row[];
  }

  /** The same for {@link PreparedQueries}. PostgreSQL keeps a statement with a name prepared. */
  run({ sql, parameters }: BoundQuery, name: string | null): Promise<unknown[]> {
    const values = [...parameters];
    return this.#shared.query(name === null ? { text: sql, values } : { name, text: sql, values });
  }

  /**
   * Like `query`, for a query that is always quick, on a connection where no other query can delay it.
   *
   * @throws {DatabaseUnavailableError}
   */
  async queryApart<Row = unknown>(query: QueryConfig | QueryArrayConfig): Promise<Row[]> {
    return (await this.#apart.query(query)) as Row[];
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

  /** A connection of its own, for hints: the caller opens and ends it. */
  async newClient(): Promise<Client> {
    if (this.#primary?.isKnown === false) await this.#primary.find();
    return this.#newClient();
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
    this.#apart.end();
    const pools = [this.#pool, this.#apartPool].filter((pool) => !pool.ending);
    await Promise.all(pools.map((pool) => pool.end()));
    // A server that ignores the end of the session must not keep the process running.
    for (const client of this.#clients.keys()) (client as unknown as { unref(): void }).unref();
  }

  async #clientOf(pool: Pool, waitedMilliseconds: number): Promise<PoolClient> {
    if (pool.idleCount === 0 && this.#isFailingFast()) throw unreachable(this.#failure);
    const { waitSeconds } = this.#limits;
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    const isWaiting = waitSeconds !== null && !hasRoom(pool);
    const leftMilliseconds = Math.max(0, (waitSeconds ?? 0) * 1000 - waitedMilliseconds);
    const late = isWaiting ? setTimeout(() => fail(allBusy()), leftMilliseconds) : undefined;
    const acquired =
      this.#primary?.isKnown === false ? this.#primary.find().then(() => pool.connect()) : pool.connect();
    this.#waiting.add(fail);
    try {
      return await Promise.race([acquired, failed]);
    } catch (error) {
      void acquired.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error instanceof DatabaseUnavailableError ? error : this.#failed(error as Error);
    } finally {
      clearTimeout(late);
      this.#waiting.delete(fail);
    }
  }

  /** Prepares a new connection for use. */
  async #begin(client: PoolClient): Promise<PostgresConnection> {
    const Connection = this.#limits.isPooled === true ? PooledConnection : PostgresConnection;
    const connection = new Connection(client, this.#newQuery, this.#limits, () => this.isAnswering());
    const refusalOf = this.#admission.asking();
    try {
      const facts = await connection.start(this.#admission.facts);
      const refusal = refusalOfSharedServer(facts) ?? refusalOf(facts);
      if (refusal !== null) throw this.#failed(refusal);
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
      // A pooler accepts connections even while it reaches no server.
      if (this.#limits.isPooled === true) await client.query("select 1");
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
    this.#primary?.forget();
    this.#failFastUntil = performance.now() + failFastMilliseconds;
    for (const fail of this.#waiting) fail(unreachable(error));
    this.#waiting.clear();
    return unreachable(error);
  }

  #isFailingFast(): boolean {
    return this.#failure !== null && performance.now() < this.#failFastUntil;
  }
}
