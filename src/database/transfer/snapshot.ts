import { type RawBuilder, sql } from "kysely";
import type { Reader } from "../database.ts";
import { dialectOf } from "../dialects.ts";
import { findMigrationsDone, refuseUnknownMigrations } from "../migrate.ts";
import type { CopiedTable } from "./tables.ts";

/** The values of a row, by the names of its columns. Flags are 0 and 1, as SQLite stores them. */
export type CopiedRow = Record<string, number | string | null>;

/** The facts that a copy of a database needs in addition to the rows. */
export interface SchemaFacts {
  /** The migrations that have run. */
  migrations: string[];
  /**
   * The highest id that each table has or has ever assigned. Tables that never had a row are left out. An id is never
   * assigned again, even if its row is deleted.
   */
  lastIds: Record<string, number>;
}

/**
 * @throws {NewerDatabaseError}
 * @throws {OlderDatabaseError}
 */
export async function findSchemaFacts(reader: Reader, tables: readonly CopiedTable[]): Promise<SchemaFacts> {
  const lastIds: Record<string, number> = {};
  for (const { name } of tables.filter(hasIdentity)) {
    const { rows: assigned } = await dialectOf(reader).lastId(name).execute(reader);
    // Rows may have been inserted with their own ids.
    const highest = sql<{ id: number | null }>`select max(id) as id from ${sql.table(name)}`;
    const { rows: existing } = await highest.execute(reader);
    const id = Math.max(assigned[0]?.id ?? 0, existing[0]?.id ?? 0);
    if (id > 0) lastIds[name] = id;
  }
  const migrations = await findMigrationsDone(reader);
  // A copy of the tables that this Quire knows would lack what a newer one has added.
  refuseUnknownMigrations(migrations);
  return { migrations, lastIds };
}

/** Their ids are random, or the one that there may be. */
const withGivenIds: ReadonlySet<string> = new Set(["refresh_tokens", "site_branding"]);

/** Whether the database assigns the ids of a table. Refresh tokens are inserted with their own ids. */
export function hasIdentity({ name, key }: CopiedTable): boolean {
  return key.length === 1 && key[0] === "id" && !withGivenIds.has(name);
}

export async function countRows(reader: Reader, { name }: CopiedTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
    reader,
  );
  return rows[0]?.count ?? 0;
}

const rowsAtOnce = 200;

/**
 * All rows of a table in the order of its key, in batches; with `where`, only rows that have the given values in some
 * columns. The contents must not change meanwhile.
 */
export async function* rowsOf(
  reader: Reader,
  { name, key }: CopiedTable,
  where: Readonly<Record<string, number>> = {},
): AsyncGenerator<CopiedRow[]> {
  const columns = columnsOf(key);
  const values = Object.entries(where).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  let last: CopiedRow | undefined;
  do {
    const conditions = last === undefined ? values : [...values, isAfter(key, last)];
    const filter = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const rows = await rowsIn(
      reader,
      sql`${sql.table(name)} ${filter} order by ${columns} limit ${sql.lit(rowsAtOnce)}`,
    );
    if (rows.length > 0) yield rows;
    last = rows.length === rowsAtOnce ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

function columnsOf(key: readonly string[]): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql.ref(column)));
}

function isAfter(key: readonly string[], row: CopiedRow): RawBuilder<unknown> {
  return sql`(${columnsOf(key)}) > (${sql.join(key.map((column) => row[column]))})`;
}

async function rowsIn(reader: Reader, source: RawBuilder<unknown>): Promise<CopiedRow[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${source}`.execute(reader);
  return rows.map(plainRow);
}

function plainRow(row: Record<string, unknown>): CopiedRow {
  for (const [column, value] of Object.entries(row))
    if (typeof value === "boolean") row[column] = Number(value);
  return row as CopiedRow;
}
