import { type SortedColumn, sortedColumns } from "../../src/database/audiences/columns.ts";
import type { DocumentsTable } from "../../src/database/tables.ts";

/** The members of a record that a walk compares. */
export type WalkedRecord = Pick<DocumentsTable, SortedColumn> & {
  id: number;
  data: Record<string, string[]>;
};

/** Data keys: one that many documents have, one that few have, and one that none has. */
export const dataKeys = ["case", "cid", "nobody"] as const;

const columns = ["id", ...(Object.keys(sortedColumns) as SortedColumn[])] as const;

export interface WalkOrdering {
  /** The value of the parameter `ordering`. Empty for the default ordering. */
  name: string;
  /** The value it sorts by besides the id: text, a number, or null for a record that has none. */
  valueOf(record: WalkedRecord): string | number | null;
  /** Negative if the first position comes before the other in this list. */
  compare(one: Position, other: Position): number;
}

export interface Position {
  value: string | number | null;
  id: number;
}

/** Every ordering that the list offers, in both directions. */
export const orderings: readonly WalkOrdering[] = [
  ...columns.flatMap((column) => bothWays(column, (record) => (column === "id" ? null : record[column]))),
  ...dataKeys.flatMap((key) => [
    ordering(`data_${key}`, false, ({ data }) => sortedValues(data[key]).at(0) ?? null),
    ordering(`-data_${key}`, true, ({ data }) => sortedValues(data[key]).at(-1) ?? null),
  ]),
];

function bothWays(name: string, valueOf: WalkOrdering["valueOf"]): WalkOrdering[] {
  return [ordering(name, false, valueOf), ordering(`-${name}`, true, valueOf)];
}

function ordering(name: string, descending: boolean, valueOf: WalkOrdering["valueOf"]): WalkOrdering {
  const sign = descending ? -1 : 1;
  return {
    name,
    valueOf,
    compare(one, other) {
      // Records without a value come last in both directions.
      const without = Number(one.value === null) - Number(other.value === null);
      return without || sign * (compareValues(one.value, other.value) || one.id - other.id);
    },
  };
}

function sortedValues(values: readonly string[] = []): string[] {
  return values.toSorted(compareText);
}

function compareValues(one: Position["value"], other: Position["value"]): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return typeof one === "string" && typeof other === "string" ? compareText(one, other) : 0;
}

/** By code points, as both engines do; a string's own comparison goes by UTF-16. */
function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
