import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Presence } from "../database.ts";
import { DatabaseUnavailableError } from "../database-unavailable.ts";
import { SqliteConnection, busyTimeoutMilliseconds } from "./connection.ts";
import { addSqliteFunctions } from "./sqlite-functions.ts";

/** The database's file in a data folder. */
export function sqlitePath(dataFolder: string): string {
  return path.join(dataFolder, "quire.sqlite");
}

/** The same, in a folder that is created if it is missing. */
export function sqliteFileIn(dataFolder: string): string {
  mkdirSync(dataFolder, { recursive: true });
  return sqlitePath(dataFolder);
}

/** The same. @throws {DatabaseUnavailableError} if the file is missing */
export function existingSqliteFileIn(dataFolder: string): string {
  const file = sqlitePath(dataFolder);
  if (existsSync(file)) return file;
  throw new DatabaseUnavailableError(`The database's file, ${file}, is gone`, {
    cause: undefined,
    mayComeBack: true,
  });
}

/** Opens a connection, with the settings that every connection needs. */
export function openSqliteFile(file: string | URL, presence: Presence | null = null): SqliteConnection {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMilliseconds });
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma secure_delete = on;
    pragma cache_size = -8192;
    pragma temp_store = memory;
  `);
  addSqliteFunctions(database);
  return new SqliteConnection(database, presence);
}
