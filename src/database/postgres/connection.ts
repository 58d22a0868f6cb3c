import type pg from "pg";
import type { Client, PoolClient, QueryArrayConfig, QueryConfig, QueryResult } from "pg";
import { DatabaseUnavailableError } from "../database-unavailable.ts";
import { TooSlowError } from "../read-worker.ts";
import { codeOf, isLoss, queryCanceled } from "./failures.ts";

export interface PostgresLimits {
  /** The time limit for connecting, and for noticing that a server has vanished. */
  connectSeconds: number;
  /** The time limit for a statement; null for none. */
  statementSeconds: number | null;
  /** The maximum number of connections, except for that of `queryApart`. */
  maxConnections: number;
  /** How long a query or a transaction may wait for a connection while all are in use; null for no limit. */
  waitSeconds: number | null;
  /** The name by which administrators, and other servers, know the connections. */
  applicationName: string;
  /** Whether the address leads to a pooler that gives each transaction another server: see {@link PooledConnection}. */
  isPooled?: boolean;
}

/**
 * After this long without a response, a query has the server checked for the same time: together, the limit of a
 * connection.
 */
export function checkMilliseconds({ connectSeconds }: PostgresLimits): number {
  return connectSeconds * 500;
}

const copyStart = /^copy .* from stdin$/;

type QueryCallback = (error: Error | null, result: QueryResult) => void;

/** The part of the driver's own connection that sends the rows of COPY. */
interface CopyingConnection {
  sendCopyFromChunk(rows: Buffer): void;
  endCopyFrom(): void;
}

/**
 * If this machine vanishes, PostgreSQL ends its connections within 50 seconds, and with them the locks that they hold.
 * The last setting is for a connection on which something was sent that did not arrive: no keepalive is sent there.
 */
export const vanishingSettings = Object.entries({
  tcp_keepalives_idle: 20,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 50_000,
})
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(", ");

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

  /** Prepares a new connection for use. Returns the facts of its server, the end of a list of columns. */
  async start(facts: string): Promise<Record<string, unknown>> {
    const limit = String((this.#limits.statementSeconds ?? 0) * 1000);
    // Statements run for milliseconds here. Compiling one to machine code usually takes longer than it saves.
    const { rows } = await this.send(
      `select current_setting('quire.connection', true) <> '' as "isShared",
        set_config('quire.connection', 'own', false),
        set_config('statement_timeout', $1, false), set_config('jit', 'off', false),
        ${vanishingSettings}, ${facts}`,
      [limit],
    );
    return rows[0] as Record<string, unknown>;
  }

  /**
   * The only parameter of `copy … from stdin` is a buffer with the rows, in the text format of COPY.
   *
   * @throws {DatabaseUnavailableError}
   * @throws {TooSlowError}
   */
  query(query: string | QueryConfig | QueryArrayConfig, values?: unknown[]): Promise<QueryResult> {
    return this.send(query, values);
  }

  protected send(query: string | QueryConfig | QueryArrayConfig, values?: unknown[]): Promise<QueryResult> {
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
   * The driver gets a callback. With a promise of its own, each result would stay in memory, and keep the next one
   * there, until the whole heap is searched.
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

  /** It will not be reused after its release. Where the primary is has to be asked again. */
  protected lose(error: Error): void {
    this.#client.emit("error", error);
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

/** Returns bigint and numeric as numbers (no id or count here exceeds 2⁵³), everything else as the driver does. */
export function typeParserOf({ types }: typeof pg) {
  return (oid: number, format?: "text" | "binary"): ((value: string) => unknown) =>
    oid === 20 || oid === 1700 ? Number : (types.getTypeParser(oid, format) as (value: string) => unknown);
}
