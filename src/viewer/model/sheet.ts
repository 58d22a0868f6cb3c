import { signal } from "@preact/signals";
import type { DocumentTable } from "../../contract/document.ts";
import { texts } from "../texts/texts.ts";

/** The maximum number of rows to load. For more, readers download the file. */
export const maxRows = 20_000;

export interface SheetRow {
  /** The number of the row in the sheet, counting from 1. Rows without cells are not counted. */
  number: number;
  cells: readonly string[];
}

export interface Sorting {
  column: number;
  direction: "ascending" | "descending";
}

/**
 * The rows of one sheet, loaded in parts. The first row names the columns. `load` fetches rows from an offset on,
 * counting from 0.
 */
export class Sheet {
  readonly #load: (offset: number) => Promise<DocumentTable>;
  readonly #rows: SheetRow[] = [];
  #sorted: SheetRow[] | null = null;
  #offset = 0;
  #loading: Promise<void> | null = null;
  /** The titles of the columns; empty until the first rows are loaded. */
  header: readonly string[] = [];
  /** The widths of the columns in characters. Only the first rows determine them, so that columns do not move later. */
  widths: readonly number[] = [];
  /** Whether all rows are loaded, or the maximum number. */
  isComplete = false;
  /** Whether the sheet has more rows than the maximum. */
  isCut = false;
  sorting: Sorting | null = null;
  /** Changes whenever any of the above changes. */
  readonly changes = signal(0);

  constructor(load: (offset: number) => Promise<DocumentTable>) {
    this.#load = load;
  }

  get rows(): readonly SheetRow[] {
    return this.#sorted ?? this.#rows;
  }

  /** Loads the next rows. Simultaneous calls share one request. */
  loadMore(): Promise<void> {
    if (this.isComplete) return Promise.resolve();
    this.#loading ??= this.#loadPart().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #loadPart(): Promise<void> {
    const { rows, next } = await this.#load(this.#offset);
    const from = this.#offset;
    this.#offset += rows.length;
    const numbered = rows.map((cells, index) => ({ number: from + index + 1, cells }));
    if (from === 0) {
      const count = Math.max(1, ...rows.map((cells) => cells.length));
      this.header = Array.from({ length: count }, (_, column) => titleOf(column, rows[0]?.[column]));
      this.widths = this.header.map((title, column) => widthOf(title, rows, column));
      numbered.shift();
    }
    this.#rows.push(...numbered);
    this.isCut = next !== null && this.#rows.length >= maxRows;
    this.isComplete = next === null || rows.length === 0 || this.isCut;
    this.#order();
    this.changes.value += 1;
  }

  /** Sorts by a column: ascending, then descending, then in the order of the file. Loads all rows first. */
  async sortBy(column: number): Promise<void> {
    while (!this.isComplete) await this.loadMore();
    const { sorting } = this;
    if (sorting?.column !== column) this.sorting = { column, direction: "ascending" };
    else this.sorting = sorting.direction === "ascending" ? { column, direction: "descending" } : null;
    this.#order();
    this.changes.value += 1;
  }

  #order(): void {
    const { sorting } = this;
    this.#sorted = sorting && this.#rows.toSorted((left, right) => compared(left, right, sorting));
  }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Compares numbers by value and other texts in the reader's language. Empty cells come last in either direction. */
function compared(left: SheetRow, right: SheetRow, { column, direction }: Sorting): number {
  const [one = "", other = ""] = [left.cells[column], right.cells[column]];
  if (one === "" || other === "")
    return Number(one === "") - Number(other === "") || left.number - right.number;
  const [first, second] = [Number(one), Number(other)];
  const areNumbers = !Number.isNaN(first) && !Number.isNaN(second);
  const order = areNumbers ? first - second : collator.compare(one, other);
  return (direction === "ascending" ? order : -order) || left.number - right.number;
}

/** The title of a column: its text in the first row or, if that is empty, its letters, as in a spreadsheet. */
function titleOf(column: number, text = ""): string {
  if (text.trim() !== "") return text;
  const letter = String.fromCharCode(65 + (column % 26));
  return texts.column(
    `${column >= 26 ? String.fromCharCode(64 + Math.min(26, Math.floor(column / 26))) : ""}${letter}`,
  );
}

const [minWidth, maxWidth] = [6, 36];

function widthOf(title: string, rows: readonly (readonly string[])[], column: number): number {
  const longest = Math.max(
    title.length + 3,
    ...rows.slice(0, 200).map((cells) => cells[column]?.length ?? 0),
  );
  return Math.max(minWidth, Math.min(maxWidth, longest + 2));
}
