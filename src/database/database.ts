import { existsSync, mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { DatabaseSync, backup } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  Kysely,
  PostgresDialect,
  type PostgresPool as KyselyPool,
  type RawBuilder,
  type Transaction,
  sql,
} from "kysely";
import type { Logger } from "pino";
import { ReadWorker } from "./read-worker.ts";
import { type StagedRows, withStaged } from "./staged-rows.ts";
import { LocalSemaphores, Semaphore, type Semaphores } from "../semaphore.ts";
import { DatabaseUnavailableError, onceDatabaseAnswers } from "./database-unavailable.ts";
import { existingFile } from "./sqlite/existing-file.ts";
import { FilePresence } from "./sqlite/file-presence.ts";
import { type Dialect, postgresDialect, sqliteDialect } from "./dialect.ts";
import { type Engine, findMigrationsDone, migrate, migrationNames } from "./migrate.ts";
import { PostgresPool } from "./postgres/pool.ts";
import { NodeSqliteDialect, SqliteConnection, bindable, busyTimeoutMilliseconds } from "./node-sqlite.ts";
import { type BoundQuery, PreparedQueries, StatementNames } from "./prepared-queries.ts";
import { newCopyOf, removeLeftCopies } from "./snapshot-copies.ts";
import { addSqliteFunctions } from "./sqlite/sqlite-functions.ts";
import type { Tables } from "./tables.ts";
import { refuseUnfinishedTransfer } from "./transfer/unfinished.ts";

/** The operations of a database that is only read. */
export type Reader = Pick<Kysely<Tables>, "selectFrom" | "fn" | "getExecutor">;
export type Writer = Transaction<Tables>;

export interface Database {
  readonly engine: "sqlite" | "postgres";
  readonly dialect: Dialect;
  readonly reader: Reader;
  /** Runs `work` in one transaction. On SQLite writers run one at a time; readers never wait for them. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** The same, with rows for `insertStaged`. */
  writeStaged<T>(staged: StagedRows, work: (writer: Writer) => Promise<T>): Promise<T>;
  /**
   * Runs `finish` at the end of every transaction of `write`, just before it commits. Call it once, before the first
   * transaction that needs it.
   */
  beforeCommit(finish: (writer: Writer) => Promise<void>): void;
  /** Queries that run on every request: see {@link PreparedQueries}. */
  readonly prepared: PreparedQueries;
  /**
   * Runs a slow query without delaying others, and gives up after the time limit.
   *
   * @throws {TooSlowError}
   * @throws {TooBusyError}
   */
  queryWithTimeout<Row>(query: RawBuilder<Row>, timeLimitSeconds: number): Promise<Row[]>;
  /**
   * Runs `work` on a snapshot of the database, however long it takes and whatever others write meanwhile. On SQLite,
   * the snapshot is a copy of the database, which takes up disk space until `work` ends.
   */
  atOneMoment<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Removes deleted content from SQLite's write-ahead log, which is possible only while no reader is active. On other
   * engines it does nothing.
   *
   * @throws {DatabaseInUseError} if the database was being read all the time.
   */
  clearLog(signal: AbortSignal): Promise<void>;
  /**
   * The version of the contents that a reader would see now: it changes with every commit by any process, and equal
   * versions mean equal contents.
   */
  version(): string | number | Promise<string | number>;
  /**
   * Returns at once.
   *
   * @throws {DatabaseUnavailableError} if it is known that the database is gone.
   */
  checkPresence(): void;
  /** Rejects if the database does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
}

export interface DatabaseSettings {
  dataFolder: string;
  /** A PostgreSQL address; null means SQLite in the data folder. */
  databaseUrl: string | null;
  /** Whether SQLite's file must be there already; by default it is created. */
  mustExist?: boolean;
  /** How long to wait for a PostgreSQL that does not respond; by default not at all. */
  waitSeconds?: number;
  /** The time limit for connecting to PostgreSQL. */
  connectSeconds?: number;
  /**
   * The time limit for a statement in PostgreSQL, except for migrations and for slow queries, which have their own
   * limit.
   */
  statementSeconds?: number;
  /** How long to wait for a connection to PostgreSQL while all are in use; by default as long as it takes. */
  freeConnectionSeconds?: number | null;
  /** The number of processes that serve together, including this one. */
  processes?: number;
  /** Limits that hold for all processes of a server. */
  semaphores?: Semaphores;
}

/** For work that no client waits for: jobs, imports, the commands. */
export const workStatementSeconds = 600;

export interface Opening {
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Ends the wait for a database that does not respond. */
  signal: AbortSignal;
}

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
  if (databaseUrl === null) return openSqlite(settings);
  return openPostgres({ ...settings, databaseUrl }, opening);
}

/**
 * Opens two connections to one file in WAL mode: one writes, the other reads, and neither waits for the other. An
 * acknowledged write has reached the disk (synchronous = full).
 */
async function openSqlite({
  dataFolder,
  mustExist = false,
  processes = 1,
  semaphores = new LocalSemaphores(),
}: DatabaseSettings): Promise<Database> {
  const file = mustExist ? existingSqliteFileIn(dataFolder) : sqliteFileIn(dataFolder);
  await removeLeftCopies(file);
  const connection = openSqliteFile(mustExist ? existingFile(file) : file);
  const writer = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection) });
  try {
    await refuseUnfinishedTransfer(writer);
    await migrate(writer, sqliteDialect, "sqlite");
    // From here on, only the start of a transaction can find the database busy, and `NodeSqliteDialect` waits then.
    connection.database.exec("pragma busy_timeout = 0");
    const reading = openSqliteFile(existingFile(file));
    // The kernel caches the file for all processes. Random pages of the list cost as much with 2 MB as with 8 MB.
    reading.database.exec("pragma query_only = on; pragma cache_size = -2000");
    const reader = new Kysely<Tables>({ dialect: new NodeSqliteDialect(reading) });
    const presence = new FilePresence(file);
    // Counts the commits of other connections; this one never commits.
    const version = reading.database.prepare("pragma data_version");
    const maxThreads = Math.max(2, processes);
    const readWorker = new ReadWorker(file, semaphores.open("slow queries", maxThreads, maxSlowWaiting));
    return {
      engine: "sqlite",
      dialect: sqliteDialect,
      reader,
      ...writing(writer, () => presence.check()),
      prepared: new PreparedQueries(reader, (query) => {
        presence.check();
        return reading.rows(query.sql, query.parameters);
      }),
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
      checkPresence: () => presence.check(),
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

/** `check` throws if nothing can be written. */
function writing(
  kysely: Kysely<Tables>,
  check: () => void = () => undefined,
): Pick<Database, "write" | "writeStaged" | "beforeCommit"> {
  let finish: ((writer: Writer) => Promise<void>) | null = null;
  const write = <T>(on: Kysely<Tables>, work: (writer: Writer) => Promise<T>): Promise<T> =>
    on.transaction().execute(async (writer) => {
      check();
      const result = await work(writer);
      await finish?.(writer);
      return result;
    });
  return {
    write: (work) => write(kysely, work),
    writeStaged: (staged, work) =>
      kysely
        .connection()
        .execute((connection) => withStaged(connection, staged, () => write(connection, work))),
    beforeCommit: (given) => {
      finish = given;
    },
  };
}
const sqliteName = "quire.sqlite";

function sqliteFileIn(dataFolder: string): string {
  mkdirSync(dataFolder, { recursive: true });
  return path.join(dataFolder, sqliteName);
}

function existingSqliteFileIn(dataFolder: string): string {
  const file = path.join(dataFolder, sqliteName);
  if (existsSync(file)) return file;
  throw new DatabaseUnavailableError(`The database's file, ${file}, is gone`, {
    cause: undefined,
    mayComeBack: true,
  });
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

function openSqliteFile(file: string | URL): SqliteConnection {
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
  return new SqliteConnection(database);
}

/** PostgreSQL keeps the plans of as many slow queries for each connection. */
const maxSlowNames = 100;

/** The maximum number of callers that wait to run a slow query. */
const maxSlowWaiting = 64;

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

/**
 * PostgreSQL accepts 100 connections by default, so eight processes and their background work stay below half of that.
 */
const connectionsOf = (processes: number): number => Math.max(5, Math.min(10, Math.floor(40 / processes)));

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function openPostgres(
  settings: PostgresSettings,
  { log = silent, signal }: Partial<Opening>,
): Promise<Database> {
  const { waitSeconds = 0, statementSeconds = workStatementSeconds, processes = 1 } = settings;
  // No time limit: a migration that rebuilds a large table takes long, and so may waiting for another process that
  // runs it.
  const { kysely: migrating } = await openPool(settings, null, log);
  try {
    const prepare = async (): Promise<void> => {
      await refuseUnfinishedTransfer(migrating);
      await migrate(migrating, postgresDialect, "postgres");
    };
    await onceDatabaseAnswers(prepare, { seconds: waitSeconds, log, signal });
  } finally {
    await migrating.destroy();
  }
  const { pool, kysely } = await openPool(settings, statementSeconds, log);
  // Most connections stay free for other queries. Each process has its own connections, and so its own limit.
  const semaphore = new Semaphore(Math.floor(connectionsOf(processes) * 0.4), maxSlowWaiting);
  // Planning a search takes longer than finding a rare word.
  const slowNames = new StatementNames({ prefix: "slow", maxNames: maxSlowNames });
  const run = ({ sql: text, parameters }: BoundQuery, name: string | null): Promise<unknown[]> => {
    const values = [...parameters];
    return pool.query(name === null ? { text, values } : { name, text, values });
  };
  return {
    engine: "postgres",
    dialect: postgresDialect,
    reader: kysely,
    ...writing(kysely),
    prepared: new PreparedQueries(kysely, run),
    queryWithTimeout: async <Row>(query: RawBuilder<Row>, timeLimitSeconds: number) => {
      const { sql: text, parameters } = query.compile(kysely);
      const name = slowNames.use(text);
      const values = [...parameters];
      const release = await semaphore.acquire();
      const answered = pool.queryWithin<Row>(
        timeLimitSeconds,
        name === null ? { text, values } : { name, text, values },
      );
      return answered.finally(release);
    },
    atOneMoment: (work) =>
      kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
    clearLog: () => Promise.resolve(),
    version: shared(async () => {
      const rows = await pool.queryApart<[string]>({
        name: "quire_version",
        text: "select pg_current_snapshot()::text",
        rowMode: "array",
      });
      return (rows[0] as [string])[0];
    }),
    checkPresence: () => undefined,
    ping: async () => void (await pool.queryApart({ text: "select 1" })),
    close: async () => {
      await kysely.destroy();
      // Kysely does not end a pool that it has never used.
      await pool.end();
    },
  };
}

type PostgresSettings = DatabaseSettings & { databaseUrl: string };

async function openPool(
  {
    databaseUrl,
    connectSeconds = 5,
    freeConnectionSeconds: waitSeconds = null,
    processes = 1,
  }: PostgresSettings,
  statementSeconds: number | null,
  log: Opening["log"],
): Promise<{ pool: PostgresPool; kysely: Kysely<Tables> }> {
  const { default: pg } = await import("pg");
  const maxConnections = connectionsOf(processes);
  const limits = { connectSeconds, statementSeconds, maxConnections, waitSeconds };
  const pool = new PostgresPool(pg, databaseUrl, limits, log);
  return {
    pool,
    kysely: new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as KyselyPool }) }),
  };
}

/** A database as it is, without running migrations. */
export interface RawDatabase extends AsyncDisposable {
  readonly engine: Engine;
  readonly dialect: Dialect;
  readonly kysely: Kysely<Tables>;
}

/**
 * Opens a database without migrating it, for commands that run before a migration or replace it. On SQLite, creates the
 * file if it is missing.
 */
export async function openRawDatabase(settings: DatabaseSettings): Promise<RawDatabase> {
  const { dataFolder, databaseUrl } = settings;
  if (databaseUrl !== null) {
    const { kysely } = await openPool({ ...settings, databaseUrl }, null, silent);
    return {
      engine: "postgres",
      dialect: postgresDialect,
      kysely,
      [Symbol.asyncDispose]: () => kysely.destroy(),
    };
  }
  const { database } = openSqliteFile(sqliteFileIn(dataFolder));
  const kysely = new Kysely<Tables>({ dialect: new NodeSqliteDialect(new SqliteConnection(database)) });
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

/** The changes that the next start would make to the schema. `done` is empty for a database that does not exist yet. */
export async function findSchemaState(
  settings: DatabaseSettings,
): Promise<{ done: string[]; pending: string[] }> {
  const isAbsent = settings.databaseUrl === null && !existsSync(path.join(settings.dataFolder, sqliteName));
  if (isAbsent) return { done: [], pending: [...migrationNames] };
  await using database = await openRawDatabase(settings);
  await refuseUnfinishedTransfer(database.kysely);
  const done = await findMigrationsDone(database.kysely);
  return { done, pending: migrationNames.filter((name) => !done.includes(name)) };
}

/**
 * Shares one query among all callers that arrive while another one is running. It starts after the last of them has
 * called, so that no caller gets a result older than its call.
 */
function shared<T>(query: () => Promise<T>): () => Promise<T> {
  let isRunning = false;
  let next: PromiseWithResolvers<T> | null = null;
  const start = (): Promise<T> => {
    isRunning = true;
    const answer = query();
    // The next query begins before the callers of this one go on, so that the database works meanwhile.
    const end = (): void => {
      isRunning = false;
      const waiting = next;
      next = null;
      waiting?.resolve(start());
    };
    answer.then(end, end);
    return answer;
  };
  return () => {
    if (!isRunning) return start();
    next ??= Promise.withResolvers<T>();
    return next.promise;
  };
}
