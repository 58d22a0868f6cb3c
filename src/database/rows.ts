import type { Insertable, Kysely, Selectable, Updateable } from "kysely";
import type { Reader, Writer } from "./database.ts";
import type { Tables } from "./tables.ts";

/*
 * Reads and writes rows of one table by the values of their columns: the queries in which nothing but `=` occurs.
 * Stores give each of them a name.
 */

type Table = keyof Tables;
type Row<T extends Table> = Selectable<Tables[T]>;
/** Values of columns. A row must have all of them; null stands for a column that is empty. */
type Where<T extends Table> = { readonly [Column in keyof Row<T>]?: Row<T>[Column] };
type ColumnOf<T extends Table> = keyof Row<T> & string;

/** The tables as the query builder sees them whose names only the caller knows. */
type AnyTables = Record<string, Record<string, unknown>>;
const any = (connection: Pick<Reader, "selectFrom"> | Writer) => connection as unknown as Kysely<AnyTables>;

type Conditional<Query> = { where(column: string, operator: "=" | "is", value: unknown): Query };

function having<Query extends Conditional<Query>>(query: Query, where: object): Query {
  let narrowed = query;
  for (const [column, value] of Object.entries(where)) {
    narrowed = narrowed.where(column, value === null ? "is" : "=", value);
  }
  return narrowed;
}

/** Rows without an order that matters, or in that of a column. */
export async function rowsOf<T extends Table>(
  reader: Pick<Reader, "selectFrom">,
  table: T,
  where: Where<T>,
  order?: ColumnOf<T>,
): Promise<Row<T>[]> {
  const query = having(any(reader).selectFrom<string>(table).selectAll(), where);
  return (await (order === undefined ? query : query.orderBy(order)).execute()) as Row<T>[];
}

/** The row with these values, or null. */
export async function rowOf<T extends Table>(
  reader: Pick<Reader, "selectFrom">,
  table: T,
  where: Where<T>,
): Promise<Row<T> | null> {
  const row = await having(any(reader).selectFrom<string>(table).selectAll(), where).executeTakeFirst();
  return (row as Row<T> | undefined) ?? null;
}

/** One column of the row with these values; null if there is no such row. */
export async function valueOf<T extends Table, Column extends ColumnOf<T>>(
  reader: Pick<Reader, "selectFrom">,
  table: T,
  column: Column,
  where: Where<T>,
): Promise<Row<T>[Column] | null> {
  const row = await having(any(reader).selectFrom<string>(table).select(column), where).executeTakeFirst();
  return (row as Row<T> | undefined)?.[column] ?? null;
}

export async function hasRow<T extends Table>(
  reader: Pick<Reader, "selectFrom">,
  table: T,
  where: Where<T>,
): Promise<boolean> {
  const [column = "id"] = Object.keys(where);
  return (
    (await having(any(reader).selectFrom<string>(table).select(column), where).limit(1).execute()).length > 0
  );
}

/** Adds a row, and returns it with what the database has filled in. */
export async function addRow<T extends Table>(
  writer: Writer,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<Row<T>> {
  return (await any(writer)
    .insertInto<string>(table)
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()) as Row<T>;
}

/** Changes the rows with these values. Returns how many there are. */
export async function setRows<T extends Table>(
  writer: Writer,
  table: T,
  where: Where<T>,
  to: Updateable<Tables[T]>,
): Promise<number> {
  const { numUpdatedRows } = await having(
    any(writer).updateTable<string>(table).set(to),
    where,
  ).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Changes the one row with these values, and returns it. */
export async function changeRow<T extends Table>(
  writer: Writer,
  table: T,
  where: Where<T>,
  to: Updateable<Tables[T]>,
): Promise<Row<T>> {
  const query = having(any(writer).updateTable<string>(table).set(to), where);
  return (await query.returningAll().executeTakeFirstOrThrow()) as Row<T>;
}

/** Removes the rows with these values. Returns how many there were. */
export async function removeRows<T extends Table>(
  writer: Writer,
  table: T,
  where: Where<T>,
): Promise<number> {
  const { numDeletedRows } = await having(
    any(writer).deleteFrom<string>(table),
    where,
  ).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
