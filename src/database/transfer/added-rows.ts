import { type RawBuilder, sql } from "kysely";
import { BulkInsert } from "../bulk-insert.ts";
import type { Reader, Writer } from "../database.ts";
import { dialectOf } from "../dialects.ts";
import type { Tables } from "../tables.ts";
import type { CopiedRow } from "./snapshot.ts";

/** The values of a row. */
export type NewRow = Readonly<Record<string, number | string | boolean | null>>;

/** The statements that {@link addRows} has compiled. */
const inserts = new Map<string, BulkInsert<NewRow>>();

/** Adds rows that all have the same columns, in few statements. Existing rows stay unchanged. */
export async function addRows(writer: Writer, table: keyof Tables, rows: readonly NewRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const name = `${table} ${columns.join(" ")}`;
  const insert = inserts.get(name) ?? new BulkInsert<NewRow>(table, columns);
  inserts.set(name, insert);
  await insert.run(writer, rows);
}

/** The rows with one of these numbers in a column. */
export async function rowsWithNumbers(
  reader: Pick<Reader, "getExecutor">,
  table: keyof Tables,
  column: string,
  numbers: readonly number[],
): Promise<CopiedRow[]> {
  const dialect = dialectOf(reader);
  return rowsWhere(reader, table, dialect.isAmong(sql.ref(column), sql`${dialect.list(numbers)}`));
}

/**
 * The rows with one of these texts in a column. With `ignoringCase`, the texts must be in lower case; the column need
 * not be.
 */
export async function rowsWithTexts(
  reader: Pick<Reader, "getExecutor">,
  table: keyof Tables,
  column: string,
  texts: readonly string[],
  { ignoringCase = false }: { ignoringCase?: boolean } = {},
): Promise<CopiedRow[]> {
  const dialect = dialectOf(reader);
  const value = ignoringCase ? sql`lower(${sql.ref(column)})` : sql.ref(column);
  return rowsWhere(reader, table, dialect.isAmongTexts(value, sql`${dialect.list(texts)}`));
}

async function rowsWhere(
  reader: Pick<Reader, "getExecutor">,
  table: keyof Tables,
  condition: RawBuilder<boolean>,
): Promise<CopiedRow[]> {
  const { rows } = await sql<CopiedRow>`select * from ${sql.table(table)} where ${condition}`.execute(reader);
  return rows;
}

/** Makes the database assign ids above those that were inserted with rows. */
export async function continueAfterOwnIds(
  writer: Writer,
  tables: readonly Parameters<ReturnType<typeof dialectOf>["afterOwnIds"]>[0][],
): Promise<void> {
  for (const table of tables) await dialectOf(writer).afterOwnIds(table)?.execute(writer);
}
