import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool as KyselyPool,
  type RawBuilder,
  type Transaction,
  sql,
} from "kysely";
import type { Logger } from "pino";
import { ReadWorker } from "./read-worker.ts";
import { LocalSemaphores, Semaphore, type Semaphores } from "../semaphore.ts";
import { onceDatabaseAnswers } from "./database-unavailable.ts";
import { type Dialect, postgresDialect, sqliteDialect } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { NodeSqliteDialect, SqliteConnection, bindable, busyTimeoutMilliseconds } from "./node-sqlite.ts";
import { PreparedQueries } from "./prepared-queries.ts";
import { addSqliteFunctions } from "./sqlite-functions.ts";
import type { Tables } from "./tables.ts";

/** The operations of a database that is only read. */
export type Reader = Pick<Kysely<Tables>, "selectFrom" | "fn" | "getExecutor">;
export type Writer = Transaction<Tables>;

export interface Database {
  readonly engine: "sqlite" | "postgres";
  readonly dialect: Dialect;
  readonly reader: Reader;
  /** Runs `work` in one transaction. On SQLite writers run one at a time; readers never wait for them. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /**
   * Has every transaction of `write` end with this, just before it commits. Called once, before the first transaction
   * that needs it.
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
   * Removes deleted content from SQLite's write-ahead log, which is possible only while nobody reads. Other engines
   * do nothing.
   *
   * @throws {DatabaseInUseError} if the database was being read all the time.
   */
  clearLog(signal: AbortSignal): Promise<void>;
  /**
   * The version of the contents that a reader would see now: it changes with every commit by any process, and equal
   * versions mean equal contents.
   */
  version(): string | number | Promise<string | number>;
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
  /** How long to wait for a PostgreSQL that does not respond; by default not at all. */
  waitSeconds?: number;
  /** The time limit for connecting to PostgreSQL. */
  connectSeconds?: number;
  /** The time limit for a statement in PostgreSQL, except for migrations and slow queries with a limit of their own. */
  statementSeconds?: number;
  /** How many processes serve together with this one, and this one. */
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

/** Opens the database, creates it if it does not exist, and migrates its schema. */
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
  processes = 1,
  semaphores = new LocalSemaphores(),
}: DatabaseSettings): Promise<Database> {
  mkdirSync(dataFolder, { recursive: true });
  const file = path.join(dataFolder, "quire.sqlite");
  const connection = openSqliteFile(file);
  const writer = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection) });
  try {
    await migrate(writer, sqliteDialect, "sqlite");
    // From here on only the start of a transaction can find the database busy, and it waits by itself.
    connection.database.exec("pragma busy_timeout = 0");
    const reading = openSqliteFile(file);
    reading.database.exec("pragma query_only = on");
    const reader = new Kysely<Tables>({ dialect: new NodeSqliteDialect(reading) });
    // Counts the commits of other connections; this one never commits.
    const version = reading.database.prepare("pragma data_version");
    const maxThreads = Math.max(2, processes);
    const readWorker = new ReadWorker(file, semaphores.open("slow queries", maxThreads, maxSlowWaiting));
    return {
      engine: "sqlite",
      dialect: sqliteDialect,
      reader,
      ...writing(writer),
      prepared: new PreparedQueries((query) => reading.rows(query.sql, query.parameters)),
      queryWithTimeout: async <Row>(query: RawBuilder<Row>, timeLimitSeconds: number) => {
        const { sql: text, parameters } = query.compile(reader);
        const request = { sql: text, parameters: bindable(parameters) };
        return (await readWorker.rows(request, timeLimitSeconds)) as Row[];
      },
      clearLog: (signal) => truncateLog(writer, signal),
      version: () => (version.get() as { data_version: number }).data_version,
      ping: async () => void (await sql`select 1`.execute(reader)),
      close: async () => {
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

function writing(kysely: Kysely<Tables>): Pick<Database, "write" | "beforeCommit"> {
  let finish: ((writer: Writer) => Promise<void>) | null = null;
  return {
    write: (work) =>
      kysely.transaction().execute(async (writer) => {
        const result = await work(writer);
        await finish?.(writer);
        return result;
      }),
    beforeCommit: (given) => {
      finish = given;
    },
  };
}

function openSqliteFile(file: string): SqliteConnection {
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

/** Callers of slow queries that may wait. */
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

/** PostgreSQL accepts 100 connections by default, so eight processes and their background work stay below half of that. */
const connectionsOf = (processes: number): number => Math.max(5, Math.min(10, Math.floor(40 / processes)));

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function openPostgres(
  settings: DatabaseSettings & { databaseUrl: string },
  { log = silent, signal }: Partial<Opening>,
): Promise<Database> {
  const { default: pg } = await import("pg");
  const {
    databaseUrl,
    waitSeconds = 0,
    connectSeconds = 5,
    statementSeconds = workStatementSeconds,
    processes = 1,
  } = settings;
  const maxConnections = connectionsOf(processes);
  const open = (seconds: number | null): { pool: PostgresPool; kysely: Kysely<Tables> } => {
    const pool = new PostgresPool(
      pg,
      databaseUrl,
      { connectSeconds, statementSeconds: seconds, maxConnections },
      log,
    );
    return {
      pool,
      kysely: new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as KyselyPool }) }),
    };
  };
  // No time limit: a migration that rebuilds a large table takes long, and so may waiting for another process that
  // runs it.
  const { kysely: migrating } = open(null);
  try {
    await onceDatabaseAnswers(() => migrate(migrating, postgresDialect, "postgres"), {
      seconds: waitSeconds,
      log,
      signal,
    });
  } finally {
    await migrating.destroy();
  }
  const { pool, kysely } = open(statementSeconds);
  // Most connections stay free for other queries. Each process has its own connections, and so its own limit.
  const semaphore = new Semaphore(Math.floor(maxConnections * 0.4), maxSlowWaiting);
  const run = ({ sql: text, parameters }: CompiledQuery, name: string | null): Promise<unknown[]> => {
    const values = [...parameters];
    return pool.query(name === null ? { text, values } : { name, text, values });
  };
  return {
    engine: "postgres",
    dialect: postgresDialect,
    reader: kysely,
    ...writing(kysely),
    prepared: new PreparedQueries(run),
    queryWithTimeout: async (query, timeLimitSeconds) => {
      const release = await semaphore.acquire();
      const answered = kysely.transaction().execute(async (reading) => {
        await sql`set transaction read only`.execute(reading);
        await sql`select set_config('statement_timeout', ${String(timeLimitSeconds * 1000)}, true)`.execute(
          reading,
        );
        return (await query.execute(reading)).rows;
      });
      return answered.finally(release);
    },
    clearLog: () => Promise.resolve(),
    version: shared(async () => {
      const rows = await pool.query<[string]>({
        name: "quire_version",
        text: "select pg_current_snapshot()::text",
        rowMode: "array",
      });
      return (rows[0] as [string])[0];
    }),
    ping: async () => void (await pool.query({ text: "select 1" })),
    close: async () => {
      await kysely.destroy();
      // Kysely does not end a pool that it has never used.
      await pool.end();
    },
  };
}

/**
 * Shares one query among all callers that arrive while another one is running. It starts after the last of them has
 * called, so that no caller gets a result older than its call.
 */
function shared<T>(query: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    const answer = query();
    const end = (): void => {
      if (running === ended) running = null;
    };
    const ended: Promise<void> = answer.then(end, end);
    running = ended;
    return answer;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(start);
    return next;
  };
}
