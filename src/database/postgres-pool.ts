import type pg from "pg";
import type { ClientConfig, Client, Pool, PoolClient, QueryArrayConfig, QueryConfig, QueryResult } from "pg";
import type { Logger } from "pino";
import { TooSlowError } from "./read-worker.ts";
import { DatabaseUnavailableError, reasonIn } from "./database-unavailable.ts";

export interface PostgresLimits {
  /** How long opening a connection may take, and how long it may take to notice that a server has vanished. */
  connectSeconds: number;
  /** How long one statement may take; null: as long as it likes. */
  statementSeconds: number | null;
}

const maxConnections = 10;

/** After a failed attempt to connect, callers fail at once for this long, instead of each waiting for its own attempt. */
const failFastMilliseconds = 500;

/**
 * The connections to a PostgreSQL that may go away at any time: it restarts, crashes, fails over, or stops answering.
 * Then queries fail with {@link DatabaseUnavailableError}, soon, and succeed again once it is back.
 *
 * - A broken connection is never used again.
 * - While no connection can be opened, all callers share the failure of one attempt: however many queries a request
 *   makes, it waits for no more than one.
 * - A server that vanishes without closing its connections answers nothing, and TCP says nothing for a quarter of an
 *   hour. So a query that has no answer for some seconds has another connection tried; if that fails too, the query
 *   is given up.
 */
export class PostgresPool {
  readonly #pool: Pool;
  readonly #newTrial: () => Client;
  readonly #limits: PostgresLimits;
  readonly #log: Pick<Logger, "info" | "error">;
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();
  /** Those that wait for a connection, and can be told that there is none. */
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
    // The pool's own limit would count waiting in its line too.
    class LimitedClient extends driver.Client {
      constructor(config?: ClientConfig) {
        super({ connectionTimeoutMillis: limits.connectSeconds * 1000, ...config });
        // Without a listener, a connection that breaks ends the process. Its query, or the next one, fails.
        this.on("error", () => undefined);
        this.on("connect", () => clients.add(this));
        this.on("end", () => clients.delete(this));
      }
    }
    /** bigint and numeric as numbers (no id or count of ours is beyond 2⁵³), everything else as the driver does. */
    const typeParser = (oid: number, format?: "text" | "binary"): ((value: string) => unknown) =>
      oid === 20 || oid === 1700
        ? Number
        : (driver.types.getTypeParser(oid, format) as (value: string) => unknown);
    const options = {
      connectionString: databaseUrl,
      application_name: "quire",
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: typeParser },
    };
    this.#newTrial = () =>
      new LimitedClient({ ...options, connectionTimeoutMillis: checkMilliseconds(limits) });
    this.#pool = new driver.Pool({
      ...options,
      Client: LimitedClient,
      max: maxConnections,
      // A statement stays prepared as long as its connection, and clients may ask for lists in thousands of shapes.
      maxLifetimeSeconds: 3600,
    });
    // A connection that breaks while idle is replaced by the pool.
    this.#pool.on("error", () => undefined);
    this.#limits = limits;
    this.#log = log;
  }

  /** @throws {DatabaseUnavailableError} */
  async connect(): Promise<PostgresConnection> {
    for (;;) {
      const client = await this.#client();
      const connection = this.#connections.get(client) ?? (await this.#begin(client));
      if (this.#failure === null || !isSilence(this.#failure)) return connection;
      // It was opened before the server fell silent, and so is most likely as dead.
      connection.discard();
    }
  }

  /**
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  async query<Row = unknown>(query: QueryConfig | QueryArrayConfig): Promise<Row[]> {
    const connection = await this.connect();
    try {
      return (await connection.query(query)).rows as Row[];
    } finally {
      connection.release();
    }
  }

  /** Whether a connection can be opened now: tried once for all that want to know at the same time. */
  isAnswering(): Promise<boolean> {
    if (this.#isFailingFast()) return Promise.resolve(false);
    this.#check ??= this.#tryToConnect().finally(() => {
      this.#check = null;
    });
    return this.#check;
  }

  async end(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
    // A server that does not take notice of the goodbye keeps no process from ending.
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

  /** The first use of a connection. */
  async #begin(client: PoolClient): Promise<PostgresConnection> {
    const connection = new PostgresConnection(client, this.#limits, () => this.isAnswering());
    const limit = String((this.#limits.statementSeconds ?? 0) * 1000);
    try {
      await connection.query("select set_config('statement_timeout', $1, false)", [limit]);
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
      // A refusal is an answer as well: too many connections, say.
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

/** A query without an answer for this long has the server checked, for as long: together, the limit of a connection. */
function checkMilliseconds({ connectSeconds }: PostgresLimits): number {
  return connectSeconds * 500;
}

/** A connection that someone has taken from the pool. As Kysely wants it. */
export class PostgresConnection {
  readonly #client: PoolClient;
  readonly #limits: PostgresLimits;
  readonly #isAnswering: () => Promise<boolean>;
  #isBroken = false;

  constructor(client: PoolClient, limits: PostgresLimits, isAnswering: () => Promise<boolean>) {
    this.#client = client;
    this.#limits = limits;
    this.#isAnswering = isAnswering;
    client.on("error", () => {
      this.#isBroken = true;
    });
  }

  /**
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  async query(query: string | QueryConfig | QueryArrayConfig, values?: unknown[]): Promise<QueryResult> {
    const { connectSeconds, statementSeconds } = this.#limits;
    const lateAt = performance.now() + ((statementSeconds ?? Infinity) + connectSeconds) * 1000;
    let isOver = false;
    const giveUpIfLost = async (): Promise<void> => {
      const isLost = performance.now() > lateAt || !(await this.#isAnswering());
      if (isLost && !isOver) this.#giveUp();
    };
    const watch = setInterval(() => void giveUpIfLost(), checkMilliseconds(this.#limits));
    try {
      return await this.#client.query(query as string, values);
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
      isOver = true;
      clearInterval(watch);
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /** Gives it back, never to be used again. */
  discard(): void {
    this.#isBroken = true;
    this.release();
  }

  /** With a query under way, the driver closes the connection at once; the query fails. */
  #giveUp(): void {
    this.#isBroken = true;
    void (this.#client as PoolClient & Pick<Client, "end">).end();
  }
}

function unreachable(cause: Error | null): DatabaseUnavailableError {
  const mayComeBack = isAway(cause) || codeOf(cause) === tooManyConnections;
  return new DatabaseUnavailableError("PostgreSQL cannot be reached", { cause, mayComeBack });
}

const queryCanceled = "57014";
const tooManyConnections = "53300";

/** The server shuts down, starts, recovers, or has closed the connection. */
const goneStates = /^(57P0[1-5]|08...)$/;
/** A server that was the primary until it failed over: another connection leads to the new one. */
const readOnlyTransaction = "25006";

/** What the system says of a server that is not there, or of a name that leads nowhere yet. */
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
/** What the driver says without a code. */
const goneMessages = /^(Connection terminated|timeout expired)/;

/** Whether a connection could not be opened because nobody answers, or not yet. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === null ? goneMessages.test(error.message) : goneStates.test(code) || goneCodes.has(code);
}

/** Whether the server did not refuse, but said nothing at all. */
function isSilence(error: Error): boolean {
  return error.message.startsWith("timeout expired") || silentCodes.has(codeOf(error) ?? "");
}

/** Whether a query failed because of its connection. */
function isLoss(error: unknown): boolean {
  return isAway(error) || codeOf(error) === readOnlyTransaction;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
