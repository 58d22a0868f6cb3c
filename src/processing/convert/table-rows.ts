import { readFileSync } from "node:fs";
import Papa from "papaparse";
import { decodeText } from "../text-encoding.ts";
import type { TableRange, TableRows } from "./conversion.ts";
import { openWorkbook, readSheet } from "../office/workbook-text.ts";
import { ZipEntries } from "../unpack/zip-entries.ts";

/** In UTF-16 code units: the limits for all rows of one answer, and for one cell. */
const maxCharacters = 2_000_000;
const maxCell = 32_767;

/** Some rows of a CSV file or of a sheet of a workbook (XLSX). Rows without cells do not count. */
export async function tableRows(from: string, extension: string, range: TableRange): Promise<TableRows> {
  return extension === "csv" ? rowsOfCsv(from, range) : rowsOfWorkbook(from, range);
}

function rowsOfCsv(from: string, range: TableRange): TableRows {
  if (range.sheet !== 0) return { sheets: [], rows: [], hasMore: false };
  const rows = new Rows(range);
  // The parser guesses the separator: a comma, a semicolon, a tab or a bar.
  Papa.parse<string[]>(decodeText(readFileSync(from)), {
    skipEmptyLines: true,
    step: ({ data }, parser) => {
      if (!rows.add(data)) parser.abort();
    },
  });
  return rows.result([""]);
}

async function rowsOfWorkbook(from: string, range: TableRange): Promise<TableRows> {
  const zip = await ZipEntries.open(from);
  try {
    const workbook = await openWorkbook(zip);
    const sheet = workbook.sheets[range.sheet];
    if (sheet === undefined) return { sheets: [], rows: [], hasMore: false };
    const rows = new Rows(range);
    await readSheet(zip, sheet.path, workbook, (cells) => rows.add(cells));
    return rows.result(workbook.sheets.map(({ name }) => name));
  } finally {
    zip.close();
  }
}

/** Keeps the rows of a range. */
class Rows {
  readonly #range: TableRange;
  readonly #kept: string[][] = [];
  #skipped = 0;
  #characters = 0;
  #hasMore = false;

  constructor(range: TableRange) {
    this.#range = range;
  }

  /** Returns whether it needs the next row. */
  add(cells: readonly string[]): boolean {
    if (this.#skipped < this.#range.offset) {
      this.#skipped += 1;
      return true;
    }
    const row = cells.map((cell) => cell.slice(0, maxCell).toWellFormed());
    this.#characters += row.reduce((sum, cell) => sum + cell.length + 1, 0);
    const isTooLong = this.#characters > maxCharacters && this.#kept.length > 0;
    if (this.#kept.length === this.#range.limit || isTooLong) {
      this.#hasMore = true;
      return false;
    }
    this.#kept.push(row);
    return true;
  }

  result(sheets: string[]): TableRows {
    return { sheets, rows: this.#kept, hasMore: this.#hasMore };
  }
}
