import { BoundedMap } from "../../bounded-map.ts";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Presence } from "../database.ts";
import { maxBusyPauseMilliseconds } from "./dialect.ts";
import type { BoundQuery } from "../prepared-queries.ts";

const preparedStatements = 256;

/** How long a writer waits for another process's transaction. */
export const busyTimeoutMilliseconds = 10_000;

interface PreparedStatement {
  statement: StatementSync;
  columns: string[];
}

/** SQLite rolls back a schema change like any other change, so a migration that fails leaves nothing half-applied. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * A Kysely dialect for one `node:sqlite` connection. Statements run synchronously on the calling thread; a
 * transaction holds the connection until it ends, and others wait in a queue.
 */
export class NodeSqliteDialect implements Dialect {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#connection);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Caches prepared statements: preparing costs more than running most of them. */
export class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  readonly #presence: Presence | null;
  readonly #prepared = new BoundedMap<string, PreparedStatement>(preparedStatements);

  /** `presence` is checked before each query of {@link PreparedQueries}. */
  constructor(database: DatabaseSync, presence: Presence | null = null) {
    this.database = database;
    this.#presence = presence;
  }

  run({ sql, parameters }: BoundQuery): Record<string, unknown>[] {
    this.#presence?.check();
    return this.rows(sql, parameters);
  }

  rows(sql: string, parameters: readonly unknown[]): Record<string, unknown>[] {
    const { statement, columns } = this.#prepare(sql);
    // Building objects of few columns from arrays here costs half as much as having node:sqlite build them.
    return (statement.all(...bindable(parameters)) as unknown as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index];
      return row;
    });
  }

  // oxlint-disable-next-line typescript/require-await -- Kysely asks for a promise; SQLite has the answer at once
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, columns } = this.#prepare(query.sql);
    if (columns.length > 0) return { rows: this.rows(query.sql, query.parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...bindable(query.parameters));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("An open statement would hold back every later read of its connection: read in pages.");
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    this.#release = resolve;
    return this.#connection;
  }

  // oxlint-disable-next-line typescript/require-await -- as above
  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // A transaction that will write declares it at the start: a reader that becomes a writer later can fail as "busy"
    // however long it waits, because its snapshot is no longer the newest.
    const begin = CompiledQuery.raw("begin immediate");
    const deadline = Date.now() + busyTimeoutMilliseconds;
    for (
      let pauseMilliseconds = 1;
      ;
      pauseMilliseconds = Math.min(2 * pauseMilliseconds, maxBusyPauseMilliseconds)
    ) {
      try {
        await connection.executeQuery(begin);
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
      }
      // Another process or thread is writing. SQLite's own wait would block the whole thread.
      await setTimeout(pauseMilliseconds);
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.database.isTransaction) await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  // oxlint-disable-next-line typescript/require-await -- as above
  async destroy(): Promise<void> {
    this.#connection.database.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

/** SQLite has no booleans. */
export function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => (typeof value === "boolean" ? Number(value) : (value as SQLInputValue)));
}
