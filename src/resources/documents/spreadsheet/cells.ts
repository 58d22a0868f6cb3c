import { withFormula, withoutFormula } from "../../../http/text/csv.ts";
import { describingNames } from "../../../contract/describing-fields.ts";
import type { DocumentData } from "../data-field.ts";
import type { DocumentRow } from "../store.ts";

/*
 * The metadata of documents as cells of a spreadsheet. Every text comes back as it was: formulas are kept from running
 * by an apostrophe, which is taken away again, and several values of a key are lines of one cell, or JSON if a value
 * has several lines itself.
 */

/** The columns that can be edited, besides those of data. */
export const textColumns = ["title", ...describingNames] as const;
export type TextColumn = (typeof textColumns)[number];

/** Columns that identify a document and its state; editing them has no effect. */
export const fixedColumns = ["id", "updated_at"] as const;

const dataPrefix = "data:";

export const dataColumn = (key: string): string => `${dataPrefix}${key}`;

/** The key of a column of data; null for another column. */
export const keyOfColumn = (column: string): string | null =>
  column.startsWith(dataPrefix) ? column.slice(dataPrefix.length) : null;

export const isTextColumn = (column: string): column is TextColumn =>
  textColumns.some((name) => name === column);

/** The columns for some documents: every key of data that any of them has. */
export function columnsFor(rows: readonly Pick<DocumentRow, "data">[]): string[] {
  const keys = new Set(rows.flatMap(({ data }) => Object.keys(JSON.parse(data) as DocumentData)));
  return [...fixedColumns, ...textColumns, ...[...keys].toSorted().map(dataColumn)];
}

/** What a document has in a column, as the file shows it. */
export function cellOf(row: DocumentRow, column: string): string {
  if (column === "id") return String(row.id);
  if (column === "updated_at") return row.updated_at;
  const key = keyOfColumn(column);
  if (key !== null) return cellOfValues((JSON.parse(row.data) as DocumentData)[key] ?? []);
  return isTextColumn(column) ? withoutFormula(row[column]) : "";
}

function cellOfValues(values: readonly string[]): string {
  const areLines = values.every((value) => value !== "" && value.trim() === value && !/[\r\n]/.test(value));
  const isPlain = areLines && !(values[0] ?? "").startsWith("[");
  return withoutFormula(isPlain ? values.join("\n") : JSON.stringify(values));
}

/** The text that a cell stands for. */
export const textOfCell = (cell: string): string => withFormula(cell);

/** The values that a cell stands for; none for an empty one. */
export function valuesOfCell(cell: string): string[] {
  const text = withFormula(cell);
  if (text.startsWith("[")) {
    try {
      const values: unknown = JSON.parse(text);
      if (Array.isArray(values) && values.every((value) => typeof value === "string")) return values;
    } catch {
      // It is a text that begins with a bracket.
    }
  }
  return text
    .split(/\r\n|\r|\n/)
    .map((value) => value.trim())
    .filter((value) => value !== "");
}
