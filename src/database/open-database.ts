import { existsSync } from "node:fs";
import { Kysely } from "kysely";
import type { Database, DatabaseSettings, Opening, RawDatabase } from "./database.ts";
import { postgresDialect } from "./postgres/dialect.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { findSchemaState, largeIndexes, migrationNames } from "./migrate.ts";
import { type InvalidIndex, findInvalidIndexes } from "./postgres/large-indexes.ts";
import { openPool, openPostgres } from "./postgres/open-postgres.ts";
import { NodeSqliteDialect } from "./sqlite/connection.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";
import { openSqliteFile, sqliteFileIn, sqlitePath } from "./sqlite/file.ts";
import type { Tables } from "./tables.ts";
import { refuseUnfinishedTransfer } from "./transfer/unfinished.ts";

/**
 * Opens the database, creates it if it does not exist, and migrates its schema.
 *
 * @throws {DatabaseUnavailableError} if SQLite's file must exist but does not
 */
export async function openDatabase(
  settings: DatabaseSettings,
  opening: Partial<Opening> = {},
): Promise<Database> {
  const { databaseUrl } = settings;
  const database =
    databaseUrl === null
      ? await openSqlite(settings)
      : await openPostgres({ ...settings, databaseUrl }, opening);
  const closing = new AbortController();
  return {
    ...database,
    closing: closing.signal,
    close: () => {
      closing.abort();
      return database.close();
    },
  };
}

/**
 * Opens a database without migrating it, for commands that run before a migration or replace it. On SQLite, creates the
 * file if it is missing.
 */
export async function openRawDatabase(settings: DatabaseSettings): Promise<RawDatabase> {
  const { dataFolder, databaseUrl } = settings;
  if (databaseUrl !== null) {
    const { kysely } = await openPool({ ...settings, databaseUrl }, null);
    return {
      engine: "postgres",
      dialect: postgresDialect,
      kysely,
      [Symbol.asyncDispose]: () => kysely.destroy(),
    };
  }
  const connection = openSqliteFile(sqliteFileIn(dataFolder));
  const { database } = connection;
  const kysely = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection) });
  return {
    engine: "sqlite",
    dialect: sqliteDialect,
    kysely,
    async [Symbol.asyncDispose]() {
      await kysely.destroy();
      if (database.isOpen) database.close();
    },
  };
}

/**
 * The changes that the next start would make to the schema, and the indexes that are not usable. `done` is empty for a
 * database that does not exist yet.
 */
export async function schemaStateOf(
  settings: DatabaseSettings,
): Promise<{ done: string[]; pending: string[]; invalidIndexes: InvalidIndex[] }> {
  const isAbsent = settings.databaseUrl === null && !existsSync(sqlitePath(settings.dataFolder));
  if (isAbsent) return { done: [], pending: [...migrationNames], invalidIndexes: [] };
  await using database = await openRawDatabase(settings);
  await refuseUnfinishedTransfer(database.kysely);
  const isPostgres = database.engine === "postgres";
  const invalidIndexes = isPostgres ? await findInvalidIndexes(database.kysely, largeIndexes) : [];
  return { ...(await findSchemaState(database.kysely)), invalidIndexes };
}
