import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  type Updateable,
  sql,
} from "kysely";
import { notFound } from "../errors.ts";
import { Conditions } from "./conditions.ts";
import type { Database, Reader, Writer } from "./database.ts";
import { dialectOf } from "./dialects.ts";
import type { Page } from "./keyset.ts";
import { parameter } from "./prepared-queries.ts";
import type { Tables } from "./tables.ts";

/*
 * Reads and writes rows of one table by the values of their columns: the queries in which nothing but `=` occurs.
 * Stores give each of them a name.
 */

export type Table = keyof Tables;
export type RowOf<T extends Table> = Selectable<Tables[T]>;
/** Values of columns. A row must have all of them; null stands for a column that is empty. */
export type Where<T extends Table> = { readonly [Column in keyof RowOf<T>]?: RowOf<T>[Column] };
type ColumnOf<T extends Table> = keyof RowOf<T> & string;
/** The tables of which a list has pages, in order of their ids. */
type ListedTable = { [T in Table]: RowOf<T> extends { id: number } ? T : never }[Table];

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
): Promise<RowOf<T>[]> {
  const query = having(any(reader).selectFrom<string>(table).selectAll(), where);
  return (await (order === undefined ? query : query.orderBy(order)).execute()) as RowOf<T>[];
}

/** The row with these values, or null. */
export async function rowOf<T extends Table>(
  reader: Pick<Reader, "selectFrom">,
  table: T,
  where: Where<T>,
): Promise<RowOf<T> | null> {
  const row = await having(any(reader).selectFrom<string>(table).selectAll(), where).executeTakeFirst();
  return (row as RowOf<T> | undefined) ?? null;
}

/** Like {@link rowOf}, and locks the row until the transaction ends. */
export async function lockRow<T extends Table>(
  writer: Writer,
  table: T,
  where: Where<T>,
): Promise<RowOf<T> | null> {
  const query = having(any(writer).selectFrom<string>(table).selectAll(), where);
  const row = await query.modifyEnd(dialectOf(writer).forUpdate).executeTakeFirst();
  return (row as RowOf<T> | undefined) ?? null;
}

/** One column of the row with these values; null if there is no such row. */
export async function valueOf<T extends Table, Column extends ColumnOf<T>>(
  reader: Pick<Reader, "selectFrom">,
  table: T,
  column: Column,
  where: Where<T>,
): Promise<RowOf<T>[Column] | null> {
  const row = await having(any(reader).selectFrom<string>(table).select(column), where).executeTakeFirst();
  return (row as RowOf<T> | undefined)?.[column] ?? null;
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

/** How many rows have these values, and meet the condition. */
export async function countRows<T extends Table>(
  reader: Pick<Reader, "selectFrom">,
  table: T,
  where: Where<T>,
  condition: RawBuilder<SqlBool> = sql`1 = 1`,
): Promise<number> {
  const count = sql<number>`count(*)`.as("count");
  const query = having(any(reader).selectFrom<string>(table).select(count), where).where(condition);
  return (await query.executeTakeFirstOrThrow()).count;
}

type Cursor = Parameters<Conditions["page"]>[2];
type PageOptions = Parameters<Conditions["page"]>[4];

/** One page of the rows with these values, the oldest first. */
export async function pageOf<T extends ListedTable>(
  database: Database,
  table: T,
  where: Where<T>,
  cursor: Cursor,
  limit: number,
  options?: PageOptions,
): Promise<Page<RowOf<T>>> {
  const rows = new Conditions(database.dialect, table);
  for (const [column, value] of Object.entries(where)) rows.equals(column, value);
  return rows.page<RowOf<T> & { id: number }>(database, allColumns(table), cursor, limit, options);
}

const allColumns = (table: Table) => sql`${sql.table(table)}.*`;

/** Adds a row, and returns it with what the database has filled in. */
export async function addRow<T extends Table>(
  writer: Writer,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<RowOf<T>> {
  return (await any(writer)
    .insertInto<string>(table)
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()) as RowOf<T>;
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
): Promise<RowOf<T>> {
  const query = having(any(writer).updateTable<string>(table).set(to), where);
  return (await query.returningAll().executeTakeFirstOrThrow()) as RowOf<T>;
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

/** Writes the rows of one table, for those who have checked that they may. */
export interface TableRows<T extends ListedTable> {
  add(writer: Writer, row: Insertable<Tables[T]>): Promise<RowOf<T>>;
  change(writer: Writer, row: { readonly id: number }, to: Updateable<Tables[T]>): Promise<RowOf<T>>;
  remove(writer: Writer, row: { readonly id: number }): Promise<unknown>;
  count(reader: Pick<Reader, "selectFrom">, where: Where<T>): Promise<number>;
}

export const tableRows = <T extends ListedTable>(table: T): TableRows<T> => ({
  add: (writer, row) => addRow(writer, table, row),
  change: (writer, { id }, to) => changeRow(writer, table, { id } as Where<T>, to),
  remove: (writer, { id }) => removeRows(writer, table, { id } as Where<T>),
  count: (reader, where) => countRows(reader, table, where),
});

/** The rows of a table that a viewer may see. Any other row is not found (404), like one that does not exist. */
export interface VisibleRows<T extends ListedTable, Viewer> extends TableRows<T> {
  get(database: Pick<Database, "reader">, viewer: Viewer, where: Where<T>): Promise<RowOf<T>>;
  /** Like `get`, and locks the row until the transaction ends. */
  lock(writer: Writer, viewer: Viewer, where: Where<T>): Promise<RowOf<T>>;
  /** The condition for a list, to which filters may be added. */
  listed(database: Pick<Database, "dialect">, viewer: Viewer): Conditions;
  /** One page of them, the oldest first. */
  page(
    database: Database,
    viewer: Viewer,
    cursor: Cursor,
    limit: number,
    options?: PageOptions,
  ): Promise<Page<RowOf<T>>>;
}

/** The rule that says which rows a viewer sees: as a check of one row, and as a condition of a list. */
export interface Visibility<Row, Viewer> {
  row: (viewer: Viewer, row: Row) => boolean;
  list: (rows: Conditions, viewer: Viewer) => Conditions;
}

export function visibleRows<T extends ListedTable, Viewer>(
  table: T,
  rule: Visibility<RowOf<T>, Viewer>,
): VisibleRows<T, Viewer> {
  const visible = (viewer: Viewer, row: RowOf<T> | null): RowOf<T> => {
    if (row === null || !rule.row(viewer, row)) throw notFound();
    return row;
  };
  const listed = ({ dialect }: Pick<Database, "dialect">, viewer: Viewer): Conditions =>
    rule.list(new Conditions(dialect, table), viewer);
  return {
    ...tableRows(table),
    get: async ({ reader }, viewer, where) => visible(viewer, await rowOf(reader, table, where)),
    lock: async (writer, viewer, where) => visible(viewer, await lockRow(writer, table, where)),
    listed,
    page: (database, viewer, cursor, limit, options) =>
      listed(database, viewer).page<RowOf<T> & { id: number }>(
        database,
        allColumns(table),
        cursor,
        limit,
        options,
      ),
  };
}

/** All rows of a table, which administrators see. */
export const allRows = <T extends ListedTable>(table: T): VisibleRows<T, unknown> =>
  visibleRows<T, unknown>(table, { row: () => true, list: (rows) => rows });

/** A viewer; anonymous ones have no id. */
interface Owner {
  readonly kind: string;
  readonly id?: number;
}

/** The tables whose rows have an owner. */
type OwnedTable = { [T in Table]: RowOf<T> extends { id: number; user_id: number } ? T : never }[Table];

/** The rows of a table that only their owners see. Administrators have no access to those of other users. */
export const ownRows = <T extends OwnedTable>(table: T): VisibleRows<T, Owner> =>
  visibleRows<T, Owner>(table, {
    row: ({ id }, row) => (row as { user_id: number }).user_id === id,
    list: (rows, { id = -1 }) =>
      rows.always("own", sql`${sql.ref(`${table}.user_id`)} = ${parameter("viewer")}`).with({ viewer: id }),
  });
