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
import { Semaphore } from "../semaphore.ts";
import { onceDatabaseAnswers } from "./database-unavailable.ts";
import { type Dialect, postgresDialect, sqliteDialect } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { NodeSqliteDialect, SqliteConnection, bindable, busyTimeoutMilliseconds } from "./node-sqlite.ts";
import { PreparedQueries } from "./prepared-queries.ts";
import { addSqliteFunctions } from "./sqlite-functions.ts";
import type { Tables } from "./tables.ts";

/** What may be done with a database that is only read. */
export type Reader = Pick<Kysely<Tables>, "selectFrom" | "fn" | "getExecutor">;
export type Writer = Transaction<Tables>;

export interface Database {
  readonly engine: "sqlite" | "postgres";
  readonly dialect: Dialect;
  readonly reader: Reader;
  /** Runs `work` whole or not at all. On SQLite writers take turns; readers never wait for them. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** Queries that run on every request: see {@link PreparedQueries}. */
  readonly prepared: PreparedQueries;
  /**
   * Runs a query that may take long without keeping others waiting, and gives it up after that time.
   *
   * @throws {TooSlowError}
   * @throws {TooBusyError}
   */
  queryWithTimeout<Row>(query: RawBuilder<Row>, timeLimitSeconds: number): Promise<Row[]>;
  /**
   * Removes what was deleted from all that the database keeps beside itself (SQLite's write-ahead file), which it can only
   * do while nobody reads.
   *
   * @throws {DatabaseInUseError} where someone has been reading all the time.
   */
  clearLog(signal: AbortSignal): Promise<void>;
  /** What a reader would see now: it changes with every commit, by whatever process, and equal ones are equal contents. */
  version(): string | number | Promise<string | number>;
  /** Fails when the database does not answer. */
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
  /** How long a PostgreSQL that does not answer is waited for; without it, not at all. */
  waitSeconds?: number;
  /** How long opening a connection to PostgreSQL may take. */
  connectSeconds?: number;
  /** How long one statement may take in PostgreSQL, unless it is a step of a migration or runs aside. */
  statementSeconds?: number;
}

/** For work that nobody waits for at the other end of a connection: jobs, imports, the commands. */
export const workStatementSeconds = 600;

export interface Opening {
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Ends the wait for a database that does not answer. */
  signal: AbortSignal;
}

/** Opens the database, makes it where there is none, and brings its schema up to date. */
export async function openDatabase(
  settings: DatabaseSettings,
  opening: Partial<Opening> = {},
): Promise<Database> {
  const { dataFolder, databaseUrl } = settings;
  if (databaseUrl === null) return openSqlite(dataFolder);
  return openPostgres({ ...settings, databaseUrl }, opening);
}

/**
 * Two connections to one file in WAL mode: one writes, the other reads, and neither waits for the other. An
 * acknowledged write has reached the disk (synchronous = full).
 */
async function openSqlite(dataFolder: string): Promise<Database> {
  mkdirSync(dataFolder, { recursive: true });
  const file = path.join(dataFolder, "quire.sqlite");
  const writing = openSqliteFile(file);
  const writer = new Kysely<Tables>({ dialect: new NodeSqliteDialect(writing) });
  try {
    await migrate(writer, sqliteDialect, "sqlite");
    // From here on only the beginning of a transaction can find the database busy, and waits by itself.
    writing.database.exec("pragma busy_timeout = 0");
    const reading = openSqliteFile(file);
    reading.database.exec("pragma query_only = on");
    const reader = new Kysely<Tables>({ dialect: new NodeSqliteDialect(reading) });
    // Counts what other connections commit, and this one commits nothing.
    const version = reading.database.prepare("pragma data_version");
    const readWorker = new ReadWorker(file);
    return {
      engine: "sqlite",
      dialect: sqliteDialect,
      reader,
      write: (work) => writer.transaction().execute(work),
      prepared: new PreparedQueries((query) => reading.rows(query.sql, query.parameters)),
      queryWithTimeout: async <Row>(query: RawBuilder<Row>, timeLimitSeconds: number) => {
        const { sql: text, parameters } = query.compile(reader);
        const question = { sql: text, parameters: bindable(parameters) };
        return (await readWorker.rows(question, timeLimitSeconds)) as Row[];
      },
      clearLog: (signal) => truncateLog(writer, signal),
      version: () => (version.get() as { data_version: number }).data_version,
      ping: async () => void (await sql`select 1`.execute(reader)),
      close: async () => {
        await readWorker.close();
        await reader.destroy();
        await writer.destroy();
        // Kysely closes no connection that it was not asked to use.
        if (reading.database.isOpen) reading.database.close();
      },
    };
  } catch (error) {
    await writer.destroy();
    throw error;
  }
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

const maxReadSeconds = 60;

/** Readers are in the way only while a query of theirs runs, so it is tried again and again. */
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
  } = settings;
  const open = (seconds: number | null): { pool: PostgresPool; kysely: Kysely<Tables> } => {
    const pool = new PostgresPool(pg, databaseUrl, { connectSeconds, statementSeconds: seconds }, log);
    return {
      pool,
      kysely: new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as KyselyPool }) }),
    };
  };
  // A step that rebuilds a large table takes its time, and so does waiting for another process that is at it.
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
  // Most connections are for the others.
  const semaphore = new Semaphore(4, 64);
  const run = ({ sql: text, parameters }: CompiledQuery, name: string | null): Promise<unknown[]> => {
    const values = [...parameters];
    return pool.query(name === null ? { text, values } : { name, text, values });
  };
  return {
    engine: "postgres",
    dialect: postgresDialect,
    reader: kysely,
    write: (work) => kysely.transaction().execute(work),
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
      // Kysely ends no pool that it has not used.
      await pool.end();
    },
  };
}

/**
 * One question for all who ask while another is under way; it is put after the last of them asked, so that each
 * hears nothing older than his asking.
 */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    const answer = ask();
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
