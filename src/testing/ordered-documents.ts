import { type SortedColumn, sortedColumns } from "../database/audiences/columns.ts";
import type { DocumentsTable } from "../database/tables.ts";

/** The orderings of the list in their simplest form, for tests to compare with. */
export interface Sortable extends Pick<DocumentsTable, SortedColumn> {
  id: number;
  data: Record<string, string[]>;
}

/** What `kinds` has for each column by which lists are sorted; `at` gets its position among them. */
export function forSortedColumns<Value, Made>(
  kinds: Readonly<Record<"time" | "number" | "text", Value>>,
  make: (value: Value, at: number) => Made,
): Record<SortedColumn, Made> {
  const made = Object.entries(sortedColumns).map(([column, kind], at) => {
    const text = column.endsWith("_at") ? kinds.time : kinds.text;
    return [column, make(kind === "number" ? kinds.number : text, at)];
  });
  return Object.fromEntries(made) as Record<SortedColumn, Made>;
}

/** The sort key of a document besides its id; null when it has none. No ordering is the default one. */
export function keyOf(document: Sortable, ordering: string): string | number | null {
  const descending = ordering.startsWith("-");
  const name = descending ? ordering.slice(1) : ordering;
  if (name === "" || name === "id") return null;
  if (!name.startsWith("data_")) return document[name as Exclude<keyof Sortable, "data">];
  const values = document.data[name.slice("data_".length)] ?? [];
  return values.toSorted(byCodePoint).at(descending ? -1 : 0) ?? null;
}

/** Below zero when the first document comes before the other. */
export function compareBy(ordering: string, one: Sortable, other: Sortable): number {
  const [a, b] = [keyOf(one, ordering), keyOf(other, ordering)];
  // Documents without a value come last in both directions.
  if ((a === null) !== (b === null)) return a === null ? 1 : -1;
  const compared = typeof a === "string" && typeof b === "string" ? byCodePoint(a, b) : Number(a) - Number(b);
  return (ordering.startsWith("-") ? -1 : 1) * (compared === 0 ? one.id - other.id : compared);
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
