import { type SortedColumn, sortedColumns } from "../../../database/audiences/columns.ts";
import { type Cursor, type CursorOrdering, decodeCursor } from "../../../http/request/cursor.ts";

const columns = ["id", ...(Object.keys(sortedColumns) as SortedColumn[])] as const;

export type OrderedColumn = "id" | SortedColumn;

/** The sort key of a list. The id breaks ties, in the same direction. */
export interface Ordering {
  /** The client's spelling, which cursors contain. Null for the default, ascending id. */
  name: string | null;
  by: { column: OrderedColumn } | { dataKey: string };
  descending: boolean;
}

export const defaultOrdering: Ordering = { name: null, by: { column: "id" }, descending: false };

/** The orderings that a list offers, besides ordering by a data key. */
export const orderingNames: readonly string[] = columns.flatMap((column) => [column, `-${column}`]);

/** Reads an `ordering` parameter. As in DocumentCloud, an unknown ordering is ignored. */
export function readOrdering(text: string | undefined): Ordering {
  if (text === undefined) return defaultOrdering;
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  const column = columns.find((known) => known === name);
  if (column === "id" && !descending) return defaultOrdering;
  if (column !== undefined) return { name: text, by: { column }, descending };
  const dataKey = /^data_([A-Za-z0-9_-]{1,50})$/.exec(name)?.[1];
  return dataKey === undefined ? defaultOrdering : { name: text, by: { dataKey }, descending };
}

/** Reads a `cursor` parameter. Throws "Invalid cursor" (404), also if its key does not fit the ordering. */
export function readCursor(encoded: string | undefined, ordering: Ordering): Cursor {
  return decodeCursor(encoded, orderingInCursors(ordering));
}

/** The ordering as cursors name it; null for the default one. */
export function orderingInCursors({ name, by }: Ordering): CursorOrdering | null {
  if (name === null) return null;
  if ("dataKey" in by) return { name, mayHave: (value) => value === null || typeof value === "string" };
  if (by.column === "id") return { name, mayHave: (value) => value === null };
  const type = sortedColumns[by.column];
  return { name, mayHave: (value) => typeof value === type };
}
