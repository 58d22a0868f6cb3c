import type { Kysely, RawBuilder, Transaction } from "kysely";
import type { Logger } from "pino";
import type { Release, Semaphores } from "../semaphore.ts";
import type { Dialect } from "./dialect.ts";
import type { Engine } from "./migrate.ts";
import type { PreparedQueries } from "./prepared-queries.ts";
import type { StagingContents } from "./staging-table.ts";
import type { Tables } from "./tables.ts";

/** The operations of a database that is only read. */
export type Reader = Pick<Kysely<Tables>, "selectFrom" | "fn" | "getExecutor">;
export type Writer = Transaction<Tables>;
export type SlowQuery<Row> = RawBuilder<Row>;

export interface Database {
  readonly engine: "sqlite" | "postgres";
  readonly dialect: Dialect;
  readonly reader: Reader;
  /** Runs `work` in one transaction. On SQLite writers run one at a time; readers never wait for them. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** The same, with rows for `insertStaged`. */
  writeStaged<T>(staged: StagingContents, work: (writer: Writer) => Promise<T>): Promise<T>;
  /**
   * Runs `finish` at the end of every transaction of `write`, just before it commits. Call it once, before the first
   * transaction that needs it.
   */
  beforeCommit(finish: (writer: Writer) => Promise<void>): void;
  /** Calls back after every commit of `write` in this process. */
  afterCommit(listener: () => void): void;
  /** Queries that run on every request: see {@link PreparedQueries}. */
  readonly prepared: PreparedQueries;
  /**
   * Runs a slow query without delaying others, and gives up after the time limit.
   *
   * @throws {TooSlowError}
   * @throws {TooBusyError}
   */
  queryWithTimeout<Row>(query: SlowQuery<Row>, timeLimitSeconds: number): Promise<Row[]>;
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
  /** Null on SQLite, which is in this machine and quickly asked. */
  readonly hints: Hints | null;
  /** Null on SQLite: one server has the database, and its semaphores count for all of its processes. */
  readonly permits: SharedPermits | null;
  /** Null unless standbys may answer reads. */
  readonly standbys: Standbys | null;
  /** Null if every query notices by itself that the database is gone. */
  readonly presence: Presence | null;
  /** Rejects if the database does not respond. */
  ping(): Promise<void>;
  /** Fires when the database is about to be closed. What is asked afterwards fails. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/** What hints are about: a job was queued, a document has a time of publication, or the branding changed. */
export type HintTopic = "jobs" | "publications" | "branding";

/**
 * Hints of one process to all others on the same database, so that they need not ask it several times a second. A hint
 * may be lost, so each listener also polls slowly.
 */
export interface Hints {
  /** Whether hints of other processes arrive at present. Otherwise, ask as often as if there were none. */
  readonly areHeard: boolean;
  /** Call it after the commit. Never fails. */
  send(topic: HintTopic): void;
  /** Calls back at each hint, and when hints may have been missed. */
  onHint(topic: HintTopic, listener: () => void): void;
}

/** Permits that all servers on the database count together. They are released when the process that has them ends. */
export interface SharedPermits {
  /** Takes one of so many permits of a name; null if others have all of them. */
  take(name: string, count: number): Promise<Release | null>;
}

export interface Standbys {
  /**
   * Runs `work`, whose reads may go to a standby. They show every write that was acknowledged before. What `work` reads
   * after a write of its own, and what it leaves running, comes from the primary.
   */
  during<T>(work: () => T | Promise<T>): Promise<T>;
  readonly counts: Readonly<StandbyReadCounts>;
  readonly total: number;
  /** How many of them answer at present. */
  readonly answering: number;
}

/**
 * How often work began at a `standby`, or at the primary because every standby was `behind` or `away`; and how often it
 * changed to the primary because a standby went `away` or gave up a query in a `conflict` with what it had to replay.
 */
export type StandbyReadCounts = Record<"standby" | "behind" | "away" | "conflict", number>;

export interface Presence {
  /**
   * Returns at once.
   *
   * @throws {DatabaseUnavailableError} if it is known that the database is gone.
   */
  check(): void;
}

export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
}

export interface DatabaseSettings {
  dataFolder: string;
  /** A PostgreSQL address; null means SQLite in the data folder. */
  databaseUrl: string | null;
  /** If `databaseUrl` leads to a pooler in transaction mode, the address of PostgreSQL itself. */
  databaseDirectUrl?: string | null;
  /** The address of its standbys, if these may answer reads. */
  databaseReadUrls?: string | null;
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

/** The maximum number of callers that wait to run a slow query. */
export const maxSlowWaiting = 64;

/** A database as it is, without running migrations. */
export interface RawDatabase extends AsyncDisposable {
  readonly engine: Engine;
  readonly dialect: Dialect;
  readonly kysely: Kysely<Tables>;
}
