import { sql } from "kysely";
import type { Writer } from "../database/database.ts";
import { dialectOf } from "../database/dialects.ts";
import type { Tables } from "../database/tables.ts";
import { copiedTable, copiedTables } from "../database/transfer/tables.ts";
import type { Draws } from "./full-credentials.ts";

interface Column {
  name: string;
  dataType: string;
  isNullable: boolean;
  isAutoIncrementing: boolean;
}

/**
 * Adds rows to each table that has none, as its columns allow: a new table has rows without being named. A column that
 * refers to another table names one of its rows after another.
 */
export async function addMissingRows(writer: Writer, draws: Draws): Promise<void> {
  const tables = await writer.introspection.getTables();
  for (const { name: table } of copiedTables) {
    const { rows: present } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(writer);
    const { columns = [] } = tables.find(({ name }) => name === table) ?? {};
    if (present.length === 0) await addDrawn(writer, draws, table, columns);
  }
}

async function addDrawn(
  writer: Writer,
  draws: Draws,
  table: keyof Tables,
  columns: readonly Column[],
): Promise<void> {
  const referred = await referredIn(writer, table);
  const { key } = copiedTable(table);
  const mayBeNull = ({ name, isNullable }: Column): boolean => isNullable && !key.includes(name);
  const count = Math.max(1, ...Array.from(referred.values(), ({ length }) => length));
  for (let index = 0; index < count; index++) {
    const row = columns
      .filter(({ name, isAutoIncrementing }) => referred.has(name) || !isAutoIncrementing)
      .map((column) => {
        const ids = referred.get(column.name);
        const value = ids === undefined ? drawn(draws, column, index) : ids[index % ids.length];
        return [column.name, mayBeNull(column) ? draws.maybe(value) : value] as const;
      });
    await writer
      .insertInto(table)
      .values(Object.fromEntries(row))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** What is there to refer to, by column. */
async function referredIn(writer: Writer, table: keyof Tables): Promise<Map<string, unknown[]>> {
  const { rows } = await dialectOf(writer).foreignKeys(table).execute(writer);
  const found = new Map<string, unknown[]>();
  for (const { column, parent, referred } of rows as Record<"column" | "parent" | "referred", string>[]) {
    const { rows: parents } = await sql<{ value: unknown }>`select ${sql.ref(referred)} as value
      from ${sql.table(parent)} order by ${sql.join(keyOf(parent))}`.execute(writer);
    found.set(
      column,
      parents.map(({ value }) => value),
    );
  }
  return found;
}

/** So that columns that refer to one row together name the same one. */
const keyOf = (table: string) => copiedTable(table as keyof Tables).key.map((column) => sql.ref(column));

/** Whole numbers are bigint on both engines, and flags are integers on SQLite. */
function drawn({ texts, moment, flag, number }: Draws, { name, dataType }: Column, index: number): unknown {
  if (dataType === "text") return /(^|_)at$/.test(name) ? moment() : `${index} ${texts()}`;
  return /^(?:int(?:eger)?|bool(?:ean)?)$/i.test(dataType) ? flag() : number();
}
