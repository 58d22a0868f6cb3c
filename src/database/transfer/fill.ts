import { type RawBuilder, sql } from "kysely";
import { fillPaths } from "../audiences/path-statements.ts";
import { BulkInsert } from "../bulk-insert.ts";
import type { DatabaseSettings, RawDatabase, Writer } from "../database.ts";
import { openRawDatabase } from "../open-database.ts";
import type { Dialect } from "../dialect.ts";
import { migrate } from "../migrate.ts";
import { type CopiedRow, type SchemaFacts, hasIdentity } from "./snapshot.ts";
import { OrphanFilter } from "./orphans.ts";
import { type CopiedTable, copiedTables } from "./tables.ts";
import { withoutIndexes } from "./without-indexes.ts";
import {
  endUnfinishedTransfer,
  findUnfinishedTransfer,
  hasTable,
  noteUnfinishedTransfer,
} from "./unfinished.ts";

export class NotEmptyError extends Error {
  override readonly name = "NotEmptyError";
}

/** The source of the rows. */
export interface RowSource {
  facts: SchemaFacts;
  /** The rows of a table, in batches; none for a table that the source's schema lacks. */
  rows: (table: CopiedTable) => AsyncIterable<readonly CopiedRow[]>;
  /** Whether some rows of the table could not be read, once `rows` has ended. */
  lacksRows?: (table: string) => boolean;
  /** Called for each table with rows that were left out because they refer to rows that are missing. */
  onOrphans?: (table: string, count: number) => void;
}

/** A database that is being filled. No Quire opens it until {@link FillingDatabase.complete} has resolved. */
export interface FillingDatabase extends AsyncDisposable {
  /** An earlier run was interrupted. */
  readonly isResumed: boolean;
  /**
   * Copies all rows and then runs `rebuild` for the tables that are derived from them, in one transaction. Afterwards
   * the database is either complete or as empty as before.
   */
  complete(
    source: RowSource,
    rebuild: (writer: Writer, database: RawDatabase) => Promise<void>,
  ): Promise<void>;
}

/**
 * Claims an empty database.
 *
 * @throws {NotEmptyError}
 */
export async function openForFilling(settings: DatabaseSettings, command: string): Promise<FillingDatabase> {
  const database = await openRawDatabase(settings);
  const { kysely } = database;
  try {
    const unfinished = await findUnfinishedTransfer(kysely);
    if (unfinished === null) {
      if ((await hasTable(kysely, "kysely_migration")) || (await hasTable(kysely, "documents"))) {
        throw new NotEmptyError("The database has tables already: name an empty one");
      }
      await noteUnfinishedTransfer(kysely, { command, began_at: new Date().toISOString() });
    } else if (unfinished.command !== command) {
      throw new NotEmptyError(
        `${unfinished.command} has begun to fill the database: finish that, or name an empty one`,
      );
    }
    return {
      isResumed: unfinished !== null,
      complete: (source, rebuild) => fill(database, source, rebuild),
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function fill(
  database: RawDatabase,
  { facts, rows, lacksRows = () => false, onOrphans }: RowSource,
  rebuild: (writer: Writer, database: RawDatabase) => Promise<void>,
): Promise<void> {
  const { kysely, dialect, engine } = database;
  // Outside the transaction, because SQLite ignores these settings inside one.
  for (const statement of dialect.forManyRows) await statement.execute(kysely);
  await kysely.transaction().execute(async (writer) => {
    // The rows have the schema of their source, which may be older than this Quire's.
    await migrate(writer, dialect, facts.migrations);
    const tables: CopiedTable[] = [];
    for (const table of copiedTables) if (await hasTable(writer, table.name)) tables.push(table);
    await withoutTriggers(writer, database, tables, async () => {
      // Migrations may have queued jobs.
      for (const { name } of tables) await sql`delete from ${sql.table(name)}`.execute(writer);
      const filter = new OrphanFilter(writer);
      for (const table of tables) {
        const counted = { orphans: 0 };
        const complete = filter.rowsOf(table.name, rows(table), counted);
        await withoutIndexes(writer, [table.name], () => copy(writer, dialect, table, complete));
        if (counted.orphans > 0) onOrphans?.(table.name, counted.orphans);
        if (counted.orphans > 0 || lacksRows(table.name)) filter.lacks(table.name);
      }
    });
    for (const table of tables.filter(hasIdentity)) {
      const last = facts.lastIds[table.name];
      if (last === undefined) continue;
      for (const statement of dialect.continueAfterId(table.name, last)) await statement.execute(writer);
    }
    for (const statement of dialect.continueRevisions) await statement.execute(writer);
    await migrate(writer, dialect);
    await beginFeed(writer, dialect);
    await fillPaths(writer, engine);
    await rebuild(writer, database);
    await endUnfinishedTransfer(writer);
  });
  for (const statement of dialect.afterManyRows) await statement.execute(kysely);
}

/** Their rows have a position in the feed of events. */
const followers = ["webhooks", "saved_searches"];

/**
 * The feed of events is not copied. So positions in that of the source mean nothing here: the copied followers begin
 * with the first event. Ids of events begin with the present time, because a client may still have a position of the
 * source, and must not find an event of this database at it.
 */
async function beginFeed(writer: Writer, dialect: Dialect): Promise<void> {
  for (const statement of dialect.continueAfterId("events", Date.now())) await statement.execute(writer);
  for (const name of followers)
    await sql`update ${sql.table(name)} set transaction_id = null, event_id = null`.execute(writer);
}

async function copy(
  writer: Writer,
  dialect: Dialect,
  { name }: CopiedTable,
  batches: AsyncIterable<readonly CopiedRow[]>,
): Promise<void> {
  let insert: BulkInsert<CopiedRow> | null = null;
  const wholly = { insert: dialect.insertWhole, otherwise: null };
  for await (const rows of batches) {
    const [first] = rows;
    if (first === undefined) continue;
    insert ??= new BulkInsert(name, Object.keys(first), wholly);
    await insert.run(writer, rows);
  }
}

/** Triggers would repeat work whose results the copied rows already contain, and some forbid the inserts. */
async function withoutTriggers(
  writer: Writer,
  { engine }: RawDatabase,
  tables: readonly CopiedTable[],
  work: () => Promise<void>,
): Promise<void> {
  const run = async (statements: readonly RawBuilder<unknown>[]): Promise<void> => {
    for (const statement of statements) await statement.execute(writer);
  };
  if (engine === "postgres") {
    const switched = (to: "enable" | "disable"): RawBuilder<unknown>[] =>
      tables.map(({ name }) => sql`alter table ${sql.table(name)} ${sql.raw(to)} trigger user`);
    await run(switched("disable"));
    await work();
    await run(switched("enable"));
    return;
  }
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'trigger' order by rowid`.execute(writer);
  await run(rows.map(({ name }) => sql`drop trigger ${sql.id(name)}`));
  await work();
  await run(rows.map((trigger) => sql.raw(trigger.sql)));
}
