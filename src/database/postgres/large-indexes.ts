import { setTimeout } from "node:timers/promises";
import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { Opening } from "../database.ts";
import { type LargeIndex, creationOf } from "../migrations/large-index.ts";
import type { Tables } from "../tables.ts";

const lock = sql.lit("3853314791062309108");
const lookEveryMilliseconds = 1000;

/**
 * Builds the indexes that migrations have left out. Others read and write the tables meanwhile. One process builds; the
 * others look again and again whether it has ended, because a statement that waits would keep the build from ending.
 *
 * PostgreSQL leaves an invalid index behind if the build ends early: it is built again. If only the process that asked
 * for a build has ended, PostgreSQL goes on with it, and keeps the lock meanwhile.
 *
 * @throws {DatabaseUnavailableError}
 */
export async function buildLargeIndexes(
  kysely: Kysely<Tables>,
  indexes: readonly LargeIndex[],
  { log, signal }: Pick<Opening, "log"> & Partial<Pick<Opening, "signal">>,
): Promise<void> {
  for (let isLogged = false; (await findUnbuilt(kysely, indexes)).length > 0; isLogged = true) {
    const isDone = await kysely.connection().execute((connection) => buildAlone(connection, indexes, log));
    if (isDone) return;
    if (!isLogged) log.info("Waiting for another process, which builds indexes");
    await setTimeout(lookEveryMilliseconds, undefined, { signal });
  }
}

/** Returns whether this process had the lock, and so has built all indexes. */
async function buildAlone(
  connection: Kysely<Tables>,
  indexes: readonly LargeIndex[],
  log: Opening["log"],
): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_lock(${lock}) as "isOurs"`.execute(
    connection,
  );
  if (rows[0]?.isOurs !== true) return false;
  try {
    for (const { index, isInvalid } of await findUnbuilt(connection, indexes)) {
      log.info({ index: index.name }, "Building an index, while the table can be written");
      if (isInvalid) await sql`drop index concurrently ${sql.ref(index.name)}`.execute(connection);
      await creationOf(index, { isConcurrent: true }).execute(connection);
    }
  } finally {
    await sql`select pg_advisory_unlock(${lock})`.execute(connection);
  }
  return true;
}

async function findUnbuilt(
  executor: QueryExecutorProvider,
  indexes: readonly LargeIndex[],
): Promise<{ index: LargeIndex; isInvalid: boolean }[]> {
  if (indexes.length === 0) return [];
  const { rows } = await sql<{ name: string; isValid: boolean }>`
    select relname as name, indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace
      and relname = any(${indexes.map(({ name }) => name)}::text[])`.execute(executor);
  const there = new Map(rows.map(({ name, isValid }) => [name, isValid]));
  return indexes
    .filter(({ name }) => there.get(name) !== true)
    .map((index) => ({ index, isInvalid: there.has(index.name) }));
}

/** An index that PostgreSQL does not use, because its concurrent build has not ended, or ended early. */
export interface InvalidIndex {
  name: string;
  isBeingBuilt: boolean;
  /** Whether the next start builds it again. */
  isOurs: boolean;
}

export async function findInvalidIndexes(
  executor: QueryExecutorProvider,
  indexes: readonly LargeIndex[],
): Promise<InvalidIndex[]> {
  const { rows } = await sql<Omit<InvalidIndex, "isOurs">>`
    select relname as name,
      exists (select from pg_stat_progress_create_index where index_relid = indexrelid) as "isBeingBuilt"
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and not indisvalid order by relname`.execute(
    executor,
  );
  const ours = new Set(indexes.map(({ name }) => name));
  return rows.map(({ name, isBeingBuilt }) => ({ name, isBeingBuilt, isOurs: ours.has(name) }));
}
