import { Kysely, PostgresDialect, type PostgresPool as KyselyPool, type RawBuilder, sql } from "kysely";
import { Semaphore } from "../../semaphore.ts";
import { postgresAddresses } from "../../value-kinds.ts";
import { DatabaseUnavailableError, onceDatabaseAnswers } from "../database-unavailable.ts";
import {
  type Database,
  type DatabaseSettings,
  type Opening,
  maxSlowWaiting,
  workStatementSeconds,
} from "../database.ts";
import { postgresDialect } from "./dialect.ts";
import { findSchemaState, largeIndexes, migrate, onlyAdds } from "../migrate.ts";
import { PreparedQueries, StatementNames } from "../prepared-queries.ts";
import type { Tables } from "../tables.ts";
import { writing } from "../transactions.ts";
import { refuseUnfinishedTransfer } from "../transfer/unfinished.ts";
import { PostgresHints } from "./hints.ts";
import { buildLargeIndexes } from "./large-indexes.ts";
import { PostgresPermits } from "./permits.ts";
import { PostgresPool } from "./pool.ts";
import { type Position, type VersionRow, positionIn, versionAndPositionSql, versionSql } from "./position.ts";
import { shared } from "./shared-question.ts";
import { Standby, identitySql } from "./standby.ts";
import { StandbyReads } from "./standby-reads.ts";
import { WriteConnections } from "./write-connections.ts";

/** PostgreSQL keeps the plans of as many slow queries for each connection. */
const maxSlowNames = 100;

/**
 * PostgreSQL accepts 100 connections by default, so eight processes and their background work stay below half of that.
 */
const connectionsOf = (processes: number): number => Math.max(5, Math.min(10, Math.floor(40 / processes)));

/**
 * Transactions that write and slow queries together leave one connection at least to all other reads, even while every
 * one of them hangs.
 */
const connectionsForWrites = (max: number): number => Math.floor(max / 2);
const connectionsForSlowQueries = (max: number): number => Math.floor(max * 0.4);

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function openPostgres(
  settings: PostgresSettings,
  { log = silent, signal }: Partial<Opening>,
): Promise<Omit<Database, "closing">> {
  await prepare(settings, log, signal);
  const { statementSeconds = workStatementSeconds, processes = 1 } = settings;
  const { pool, kysely } = await openPool(settings, statementSeconds, log);
  const direct = await openDirect(settings, pool);
  // Each process has its own connections, and so its own limits.
  const maxConnections = connectionsOf(processes);
  const semaphore = new Semaphore(connectionsForSlowQueries(maxConnections), maxSlowWaiting);
  // Planning a search takes longer than finding a rare word.
  const slowNames = new StatementNames({ prefix: "slow", maxNames: maxSlowNames });
  const hints = new PostgresHints(pool, direct);
  // By this connection, a process that migrates sees that this one is there.
  if (direct !== pool) hints.start();
  const isAmongStandbys = (settings.databaseReadUrls ?? null) !== null;
  const askVersion = versionOf(pool, isAmongStandbys ? versionAndPositionSql : versionSql);
  const standbys = isAmongStandbys
    ? await openStandbys(settings, { pool, log, position: async () => positionIn(await askVersion()) })
    : null;
  const reads = standbys ?? pool;
  const reader = standbys === null ? kysely : kyselyOn(standbys);
  return {
    engine: "postgres",
    dialect: postgresDialect,
    reader,
    ...writing(kyselyForWrites(pool, kysely, settings), { begin: () => standbys?.leave() }),
    prepared: new PreparedQueries(kysely, reads),
    queryWithTimeout: async <Row>(query: RawBuilder<Row>, timeLimitSeconds: number) => {
      const { sql: text, parameters } = query.compile(kysely);
      const name = slowNames.use(text);
      const values = [...parameters];
      const release = await semaphore.acquire();
      const answered = reads.queryWithin<Row>(
        timeLimitSeconds,
        name === null ? { text, values } : { name, text, values },
      );
      return answered.finally(release);
    },
    atOneMoment: (work) =>
      kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
    clearLog: () => Promise.resolve(),
    version: async () => (await askVersion())[0],
    standbys,
    presence: null,
    hints,
    permits: new PostgresPermits(hints),
    ping: async () => void (await pool.queryApart({ text: "select 1" })),
    close: async () => {
      await hints.close();
      await standbys?.end();
      await kysely.destroy();
      // Kysely does not end a pool that it has never used.
      await pool.end();
      await direct.end();
    },
  };
}

/** Brings the schema up to date, once the database answers. */
async function prepare(
  settings: PostgresSettings,
  log: Opening["log"],
  signal: AbortSignal | undefined,
): Promise<void> {
  // No time limit: a migration that rebuilds a large table takes long, and so may waiting for another process that
  // runs it.
  const { kysely: migrating } = await openPool(settings, null, log);
  const migrateAll = async (): Promise<void> => {
    await refuseUnfinishedTransfer(migrating);
    await waitForEarlierServers(migrating);
    await migrate(migrating, postgresDialect);
    await buildLargeIndexes(migrating, largeIndexes, { log, ...(signal !== undefined && { signal }) });
    await dropForeignEvents(migrating);
  };
  try {
    await onceDatabaseAnswers(migrateAll, { seconds: settings.waitSeconds ?? 0, log, signal });
  } finally {
    await migrating.destroy();
  }
}

/** One question to the primary for all that ask meanwhile. */
function versionOf(pool: PostgresPool, columns: string): () => Promise<VersionRow> {
  return shared(async () => {
    const text = `select ${columns}`;
    const [row] = await pool.queryApart<VersionRow>({ name: "quire_version", text, rowMode: "array" });
    return row as VersionRow;
  });
}

/**
 * Throws while servers of an earlier version are connected and a pending migration takes from them what they need. A
 * server connects under its name after it has migrated, so those that are connected know nothing of what is pending.
 *
 * @throws {DatabaseUnavailableError}
 */
async function waitForEarlierServers(kysely: Kysely<Tables>): Promise<void> {
  const { done, pending } = await findSchemaState(kysely);
  const changing = pending.filter((name) => !onlyAdds(name));
  if (done.length === 0 || changing.length === 0) return;
  const { rows } = await sql<{ host: string }>`
    select distinct coalesce(host(client_addr), 'this machine') as host from pg_stat_activity
    where datname = current_database() and application_name = ${serverName} order by host`.execute(kysely);
  if (rows.length === 0) return;
  const hosts = rows.map(({ host }) => host).join(", ");
  const message =
    `Servers or commands of an earlier version are connected (from ${hosts}), ` +
    `and cannot go on after ${changing[0]}: stop them first`;
  throw new DatabaseUnavailableError(message, { cause: new Error(message), mayComeBack: true });
}

/**
 * Drops the events whose transactions have not been yet: a database that was restored with pg_restore counts its
 * transactions from another number, and readers would not see an event until it has caught up.
 */
async function dropForeignEvents(kysely: Kysely<Tables>): Promise<void> {
  await sql`delete from events
    where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(kysely);
}

type PostgresSettings = DatabaseSettings & { databaseUrl: string };

/** The name under which servers are connected; other work on the database has another. */
const serverName = "quire";
const otherName = "quire (migrating or copying)";
/** A pooler keeps connections under this name when the processes that used them have ended. */
const pooledName = "quire (pooled)";

/** Opens the pool of a server, or, without a time limit, that of a migration or of a copy. */
export async function openPool(
  {
    databaseUrl,
    databaseDirectUrl = null,
    connectSeconds = 5,
    freeConnectionSeconds: waitSeconds = null,
    processes = 1,
  }: PostgresSettings,
  statementSeconds: number | null,
  log: Opening["log"] = silent,
): Promise<{ pool: PostgresPool; kysely: Kysely<Tables> }> {
  const { default: pg } = await import("pg");
  const maxConnections = connectionsOf(processes);
  const isMigrating = statementSeconds === null;
  const isPooled = databaseDirectUrl !== null && !isMigrating;
  const applicationName = isMigrating ? otherName : isPooled ? pooledName : serverName;
  const limits = { connectSeconds, statementSeconds, maxConnections, waitSeconds, applicationName, isPooled };
  const url = isMigrating ? (databaseDirectUrl ?? databaseUrl) : databaseUrl;
  const pool = new PostgresPool(pg, url, limits, log);
  return { pool, kysely: kyselyOn(pool) };
}

/** Where connections of their own are opened: past the pooler, if there is one. */
async function openDirect(settings: PostgresSettings, pool: PostgresPool): Promise<PostgresPool> {
  const { databaseDirectUrl = null, connectSeconds = 5 } = settings;
  if (databaseDirectUrl === null) return pool;
  const { default: pg } = await import("pg");
  const limits = { connectSeconds, statementSeconds: null, maxConnections: 1, waitSeconds: null };
  return new PostgresPool(pg, databaseDirectUrl, { ...limits, applicationName: serverName }, silent);
}

/**
 * Nobody waits for what a process reads that works without a limit for connections, and the leases of its jobs must be
 * renewed whatever other jobs write: its writes may hold all of them.
 */
function kyselyForWrites(
  pool: PostgresPool,
  kysely: Kysely<Tables>,
  { freeConnectionSeconds = null, processes = 1 }: PostgresSettings,
): Kysely<Tables> {
  if (freeConnectionSeconds === null) return kysely;
  const max = connectionsForWrites(connectionsOf(processes));
  return kyselyOn(new WriteConnections(pool, max, freeConnectionSeconds));
}

function kyselyOn(pool: PostgresPool | StandbyReads | WriteConnections): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as KyselyPool }) });
}

/** A standby that has vanished must not delay readers for as long as a primary may, which nothing can stand in for. */
const standbyConnectSeconds = 1;

async function openStandbys(
  { databaseReadUrls, statementSeconds = workStatementSeconds, processes = 1 }: PostgresSettings,
  { pool, log, position }: { pool: PostgresPool; log: Opening["log"]; position: () => Promise<Position> },
): Promise<StandbyReads> {
  const { default: driver } = await import("pg");
  const limits = {
    connectSeconds: standbyConnectSeconds,
    statementSeconds,
    maxConnections: connectionsOf(processes),
    waitSeconds: standbyConnectSeconds,
    applicationName: `${serverName} (reading)`,
  };
  const identity = async (): Promise<string> => {
    const [row] = await pool.queryApart<{ identity: string }>({ text: `select ${identitySql}` });
    return (row as { identity: string }).identity;
  };
  const standbys = postgresAddresses(databaseReadUrls ?? "").map(
    (address) => new Standby({ driver, address, limits, log, identity }),
  );
  return new StandbyReads(pool, standbys, position);
}
