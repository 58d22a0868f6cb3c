import Papa from "papaparse";
import { invalidFields } from "../../../errors.ts";
import { fixedColumns, isTextColumn, keyOfColumn } from "./cells.ts";

export const maxSheetLines = 5000;

export interface SheetLine {
  /** The heading is line 1. */
  line: number;
  cells: ReadonlyMap<string, string>;
}

export interface Sheet {
  lines: SheetLine[];
  /** Columns that mean nothing here. */
  ignored: string[];
}

/** Names of columns have none of these, so the heading tells what divides the columns. */
const separators = [",", ";", "\t", "|"];

/** Reads a CSV file with any usual separator. @throws {ApiError} if it is not an exported file */
export function readSheet(csv: string): Sheet {
  const text = csv.replace(/^\uFEFF/, "");
  const [head = ""] = text.split(/[\r\n]/, 1);
  const delimiter = separators.find((separator) => head.includes(separator)) ?? ",";
  const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: "greedy" });
  const [heading = [], ...rows] = data;
  const columns = heading.map((name) => name.trim());
  const repeated = columns.filter((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (!columns.includes("id")) throw refused("It has no column `id`: export the documents first.");
  if (repeated.length > 0) throw refused(`It has two columns \`${repeated[0]}\`.`);
  if (rows.length > maxSheetLines) throw refused(`It has more than ${maxSheetLines} lines.`);
  const lines = rows.map((row, index) => ({
    line: index + 2,
    cells: new Map(columns.map((name, column) => [name, row[column] ?? ""])),
  }));
  return { lines, ignored: columns.filter((name) => name !== "" && !isKnown(name)) };
}

const isKnown = (column: string): boolean =>
  fixedColumns.some((name) => name === column) || isTextColumn(column) || keyOfColumn(column) !== null;

const refused = (reason: string): Error => invalidFields({ csv: [reason] });
