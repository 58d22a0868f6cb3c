import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CompiledQuery, Kysely, PostgresDialect, type RawBuilder, type Transaction, sql } from "kysely";
import { AsideReader, TooSlowError } from "./aside-reader.ts";
import { Semaphore } from "../semaphore.ts";
import { type Dialect, postgresDialect, sqliteDialect } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import { NodeSqliteDialect, SqliteConnection, bindable, busyTimeoutMilliseconds } from "./node-sqlite.ts";
import { PreparedQueries } from "./prepared-queries.ts";
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
  aside<Row>(query: RawBuilder<Row>, timeLimitSeconds: number): Promise<Row[]>;
  /** What a reader would see now: it changes with every commit, by whatever process, and equal ones are equal contents. */
  version(): string | number | Promise<string | number>;
  /** Fails when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  dataFolder: string;
  /** A PostgreSQL address; null means SQLite in the data folder. */
  databaseUrl: string | null;
}

/** Opens the database, makes it where there is none, and brings its schema up to date. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  return settings.databaseUrl === null ? openSqlite(settings.dataFolder) : openPostgres(settings.databaseUrl);
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
    const asideReader = new AsideReader(file);
    return {
      engine: "sqlite",
      dialect: sqliteDialect,
      reader,
      write: (work) => writer.transaction().execute(work),
      prepared: new PreparedQueries((query) => reading.rows(query.sql, query.parameters)),
      aside: async <Row>(query: RawBuilder<Row>, timeLimitSeconds: number) => {
        const { sql: text, parameters } = query.compile(reader);
        const question = { sql: text, parameters: bindable(parameters) };
        return (await asideReader.rows(question, timeLimitSeconds)) as Row[];
      },
      version: () => (version.get() as { data_version: number }).data_version,
      ping: async () => void (await sql`select 1`.execute(reader)),
      close: async () => {
        await asideReader.close();
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
  database.function("fold", { deterministic: true }, (text) =>
    typeof text === "string" ? text.toLowerCase() : text,
  );
  return new SqliteConnection(database);
}

async function openPostgres(databaseUrl: string): Promise<Database> {
  const { default: pg } = await import("pg");
  /** bigint and numeric as numbers (no id or count of ours is beyond 2⁵³), everything else as the driver does. */
  const typeParser = (oid: number, format?: "text" | "binary"): ((value: string) => unknown) =>
    oid === 20 || oid === 1700 ? Number : (pg.types.getTypeParser(oid, format) as (value: string) => unknown);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    // A statement stays prepared as long as its connection, and clients may ask for lists in thousands of shapes.
    maxLifetimeSeconds: 3600,
    application_name: "quire",
    types: { getTypeParser: typeParser },
  });
  // A connection that breaks while idle is replaced by the pool; its next user learns of a database that is gone.
  pool.on("error", () => undefined);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(kysely, postgresDialect, "postgres");
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  // Most connections are for the others.
  const semaphore = new Semaphore(4, 64);
  const run = async ({ sql: text, parameters }: CompiledQuery, name: string | null): Promise<unknown[]> => {
    const values = [...parameters];
    return (await pool.query(name === null ? { text, values } : { name, text, values })).rows;
  };
  return {
    engine: "postgres",
    dialect: postgresDialect,
    reader: kysely,
    write: (work) => kysely.transaction().execute(work),
    prepared: new PreparedQueries(run),
    aside: async (query, timeLimitSeconds) => {
      const release = await semaphore.acquire();
      const answered = kysely.transaction().execute(async (reading) => {
        await sql`set transaction read only`.execute(reading);
        await sql`select set_config('statement_timeout', ${String(timeLimitSeconds * 1000)}, true)`.execute(
          reading,
        );
        try {
          return (await query.execute(reading)).rows;
        } catch (error) {
          if (!isCancelled(error)) throw error;
          throw new TooSlowError(`the query took longer than ${timeLimitSeconds} s`, { cause: error });
        }
      });
      return answered.finally(release);
    },
    version: shared(async () => {
      const { rows } = await pool.query<[string]>({
        name: "quire_version",
        text: "select pg_current_snapshot()::text",
        rowMode: "array",
      });
      return (rows[0] as [string])[0];
    }),
    ping: async () => void (await pool.query("select 1")),
    close: () => kysely.destroy(),
  };
}

/** `query_canceled`. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57014";
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
