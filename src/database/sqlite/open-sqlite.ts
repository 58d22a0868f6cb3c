import { rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { DatabaseSync, backup } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Kysely, type RawBuilder, sql } from "kysely";
import { LocalSemaphores } from "../../semaphore.ts";
import {
  type Database,
  DatabaseInUseError,
  type DatabaseSettings,
  type Reader,
  maxSlowWaiting,
} from "../database.ts";
import { sqliteDialect } from "./dialect.ts";
import { migrate } from "../migrate.ts";
import { PreparedQueries } from "../prepared-queries.ts";
import { ReadWorker } from "../read-worker.ts";
import type { Tables } from "../tables.ts";
import { writing } from "../transactions.ts";
import { refuseUnfinishedTransfer } from "../transfer/unfinished.ts";
import { NodeSqliteDialect, SqliteConnection, bindable, busyTimeoutMilliseconds } from "./connection.ts";
import { existingFile } from "./existing-file.ts";
import { FilePresence } from "./file-presence.ts";
import { existingSqliteFileIn, openSqliteFile, sqliteFileIn } from "./file.ts";
import { addSqliteFunctions } from "./sqlite-functions.ts";
import { newCopyOf, removeLeftCopies } from "./snapshot-copies.ts";

/**
 * Opens two connections to one file in WAL mode: one writes, the other reads, and neither waits for the other. An
 * acknowledged write has reached the disk (synchronous = full).
 */
export async function openSqlite({
  dataFolder,
  mustExist = false,
  processes = 1,
  semaphores = new LocalSemaphores(),
}: DatabaseSettings): Promise<Omit<Database, "closing">> {
  const file = mustExist ? existingSqliteFileIn(dataFolder) : sqliteFileIn(dataFolder);
  await removeLeftCopies(file);
  const connection = openSqliteFile(mustExist ? existingFile(file) : file);
  const writer = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection) });
  try {
    await refuseUnfinishedTransfer(writer);
    await migrate(writer, sqliteDialect);
    // From here on, only the start of a transaction can find the database busy, and `NodeSqliteDialect` waits then.
    connection.database.exec("pragma busy_timeout = 0");
    const presence = new FilePresence(file);
    const reading = openSqliteFile(existingFile(file), presence);
    // The kernel caches the file for all processes. Random pages of the list cost as much with 2 MB as with 8 MB.
    reading.database.exec("pragma query_only = on; pragma cache_size = -2000");
    const reader = new Kysely<Tables>({ dialect: new NodeSqliteDialect(reading) });
    // Counts the commits of other connections; this one never commits.
    const version = reading.database.prepare("pragma data_version");
    const maxThreads = Math.max(2, processes);
    const readWorker = new ReadWorker(file, semaphores.open("slow queries", maxThreads, maxSlowWaiting));
    return {
      engine: "sqlite",
      dialect: sqliteDialect,
      reader,
      ...writing(writer, { check: () => presence.check() }),
      prepared: new PreparedQueries(reader, reading),
      queryWithTimeout: async <Row>(query: RawBuilder<Row>, timeLimitSeconds: number) => {
        const { sql: text, parameters } = query.compile(reader);
        const request = { sql: text, parameters: bindable(parameters) };
        return (await readWorker.rows(request, timeLimitSeconds)) as Row[];
      },
      atOneMoment: (work) => onSqliteCopy(file, work),
      clearLog: (signal) => truncateLog(writer, signal),
      version: () => {
        presence.check();
        return (version.get() as { data_version: number }).data_version;
      },
      standbys: null,
      presence,
      hints: null,
      permits: null,
      ping: async () => {
        presence.check();
        await sql`select 1`.execute(reader);
      },
      close: async () => {
        presence.close();
        await readWorker.close();
        await reader.destroy();
        await writer.destroy();
        // Kysely does not close a connection that it has never used.
        if (reading.database.isOpen) reading.database.close();
      },
    };
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}

/**
 * Copies in one step: a copy in several steps starts again whenever another connection writes meanwhile. A read
 * transaction would need no copy, but would keep redacted words in the write-ahead log as long as it lasts ({@link
 * truncateLog}).
 */
async function onSqliteCopy<T>(file: string, work: (reader: Reader) => Promise<T>): Promise<T> {
  const copy = newCopyOf(file);
  const source = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMilliseconds });
  let database: DatabaseSync;
  try {
    // The copy is as private as the database, even in a folder that others may read.
    await (await open(copy, "wx", 0o600)).close();
    await backup(source, copy, { rate: 2 ** 31 - 1 });
    database = new DatabaseSync(new URL(`${pathToFileURL(copy).href}?immutable=1`), { readOnly: true });
  } finally {
    source.close();
    // The open connection keeps the file's content, and nothing remains if this process is killed.
    rmSync(copy, { force: true });
  }
  addSqliteFunctions(database);
  const reader = new Kysely<Tables>({ dialect: new NodeSqliteDialect(new SqliteConnection(database)) });
  try {
    return await work(reader);
  } finally {
    await reader.destroy();
    if (database.isOpen) database.close();
  }
}

const maxReadSeconds = 60;

/** Readers block the checkpoint only while a query runs, so it is retried. */
async function truncateLog(writer: Kysely<Tables>, signal: AbortSignal): Promise<void> {
  const until = performance.now() + maxReadSeconds * 1000;
  for (let pause = 2; ; pause = Math.min(pause * 2, 250)) {
    signal.throwIfAborted();
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(writer);
    if (rows[0]?.busy === 0) return;
    if (performance.now() > until) throw new DatabaseInUseError("the database was being read all the time");
    await setTimeout(pause, undefined, { signal });
  }
}
