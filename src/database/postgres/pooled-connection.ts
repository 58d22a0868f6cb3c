import type { Client, PoolClient, QueryArrayConfig, QueryConfig, QueryResult } from "pg";
import type pg from "pg";
import { DatabaseUnavailableError } from "../database-unavailable.ts";
import { PostgresConnection, type PostgresLimits } from "./connection.ts";
import { refused, withoutPrimary } from "./failures.ts";

const beginning = /^(?:begin|start transaction)[^;]*/i;
const ending = /^(?:commit|rollback)$/i;
const copyStart = /^copy /i;

/** When the server was started. */
const startedAtSql = "extract(epoch from pg_postmaster_start_time())::text";

/** Whether a name arrives at PostgreSQL as it was sent. A pooler that keeps statements gives them names of its own. */
const namesQuery = {
  name: "quire_names",
  text: `select exists (select from pg_prepared_statements where name = 'quire_names') as "arePassedOn"`,
};

/**
 * A connection to a pooler that gives it another server for each transaction, as PgBouncer does in transaction mode.
 * A setting that one server got does not hold on the next one. So every query is in a transaction, which begins with
 * the settings: a query by itself is sent together with the beginning and the end of one, without waiting in between.
 *
 * The server may be another one meanwhile, while the pooler keeps its clients: a standby, or a former primary that
 * comes back after a failover and still takes itself for the primary. The beginning fails on a server that was started
 * at another time than the first one, or that lets no transaction write, and the connection counts as lost.
 */
export class PooledConnection extends PostgresConnection {
  readonly #settings: string;
  readonly #processId: number | null;
  #isInTransaction = false;
  #keepsNames = false;
  #startedAt: string | null = null;

  constructor(
    client: PoolClient,
    newQuery: typeof pg.Query,
    limits: PostgresLimits,
    isAnswering: () => Promise<boolean>,
  ) {
    super(client, newQuery, limits, isAnswering);
    const milliseconds = (limits.statementSeconds ?? 0) * 1000;
    this.#settings = `set local statement_timeout = ${milliseconds}; set local jit = off`;
    this.#processId = (
      client as PoolClient & Pick<Client & { processID: number | null }, "processID">
    ).processID;
  }

  /** Asks for the facts of its server, and finds out whether prepared statements can be used. */
  override async start(facts: string): Promise<Record<string, unknown>> {
    const { rows } = await this.send(
      `select pg_backend_pid() as "processId", ${startedAtSql} as "startedAt", ${facts}`,
    );
    const [found] = rows as Record<string, unknown>[];
    this.#startedAt = String(found?.["startedAt"]);
    if (found?.["isStandby"] === true) return found;
    this.#keepsNames = found?.["processId"] === this.#processId || (await this.#poolerKeepsNames());
    return found ?? {};
  }

  override async query(
    query: string | QueryConfig | QueryArrayConfig,
    values?: unknown[],
  ): Promise<QueryResult> {
    const text = typeof query === "string" ? query : query.text;
    if (this.#isInTransaction) {
      this.#isInTransaction = !ending.test(text);
      return this.send(this.#named(query), values);
    }
    if (beginning.test(text)) {
      this.#isInTransaction = true;
      return this.#begin(text);
    }
    return this.#alone(this.#named(query), values, !copyStart.test(text));
  }

  /** One query, in a transaction of its own. */
  async #alone(
    query: string | QueryConfig | QueryArrayConfig,
    values: unknown[] | undefined,
    isSentAtOnce: boolean,
  ): Promise<QueryResult> {
    const begun = this.#begin("begin");
    // The rows of COPY follow the answer to it.
    if (!isSentAtOnce) await begun;
    const answered = this.send(query, values);
    if (!isSentAtOnce) await answered.catch(() => undefined);
    // After an error, this is a rollback.
    const ended = this.send("commit");
    const [beginning_, answer, end] = await Promise.allSettled([begun, answered, ended]);
    for (const part of [beginning_, answer, end]) if (part.status === "rejected") throw part.reason;
    return (answer as PromiseFulfilledResult<QueryResult>).value;
  }

  async #begin(text: string): Promise<QueryResult> {
    try {
      return await this.send(text.replace(beginning, (start) => this.#beginningOf(start)));
    } catch (error) {
      this.lose(error as Error);
      if (error instanceof DatabaseUnavailableError) throw error;
      throw new DatabaseUnavailableError("The pooler leads to another server than before", {
        cause: withoutPrimary(["a standby"]),
        mayComeBack: true,
      });
    }
  }

  /** A standby refuses to let a transaction write, even one that then does not. Another server divides by zero. */
  #beginningOf(start: string): string {
    const mayWrite = "set local transaction_read_only = off";
    const isReadOnly = / read only/i.test(start);
    const modes = isReadOnly ? [mayWrite, "set local transaction_read_only = on"] : [mayWrite];
    const isSame = `select 1 / (${startedAtSql} = '${this.#startedAt}')::integer`;
    return [start, ...modes, this.#settings, isSame].join("; ");
  }

  async #poolerKeepsNames(): Promise<boolean> {
    try {
      const { rows } = await this.#alone(namesQuery, undefined, true);
      return (rows as { arePassedOn: boolean }[])[0]?.arePassedOn === false;
    } catch (error) {
      // Another client has prepared a statement of this name on the same server.
      if (error instanceof DatabaseUnavailableError) throw error;
      return false;
    }
  }

  #named(query: string | QueryConfig | QueryArrayConfig): string | QueryConfig | QueryArrayConfig {
    if (this.#keepsNames || typeof query === "string" || query.name === undefined) return query;
    const { name: _, ...unnamed } = query;
    return unnamed;
  }
}

/** Fails for a connection whose server has the mark of another one: each transaction gets another server. */
export function refusalOfSharedServer(facts: Readonly<Record<string, unknown>>): Error | null {
  const { isShared } = facts;
  if (isShared !== true) return null;
  const reason =
    "its address leads to a pooler in transaction mode: QUIRE_DATABASE_DIRECT_URL has to name PostgreSQL itself";
  return Object.assign(refused(reason), { code: "QUIRE_POOLED" });
}
