import { type QueryExecutorProvider, SqliteAdapter } from "kysely";
import type { Dialect } from "./dialect.ts";
import { postgresDialect } from "./postgres/dialect.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";

/** The dialect of an engine. */
export function dialectFor(engine: Dialect["engine"]): Dialect {
  return engine === "sqlite" ? sqliteDialect : postgresDialect;
}

/** The dialect of a transaction's engine. */
export function dialectOf(executor: QueryExecutorProvider): Dialect {
  return executor.getExecutor().adapter instanceof SqliteAdapter ? sqliteDialect : postgresDialect;
}

/** Whether an error of either engine says that there is no room for the database. */
export function isDatabaseFull(error: unknown): boolean {
  return [sqliteDialect, postgresDialect].some((dialect) => dialect.isFull(error));
}
