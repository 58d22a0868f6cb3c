import type { Writer } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { type NewRow, addRows, rowsWithNumbers } from "../database/transfer/added-rows.ts";
import { pagesPerBlock } from "../search/parts.ts";

/** A multiple of the blocks in which words are counted. */
const rowsAtOnce = 4 * pagesPerBlock;

interface PartOptions<Row> {
  /** The table whose rows the rows name, each by an id or null. Rows that name an unknown one are left out. */
  naming?: { table: keyof Tables; idIn: (row: Row) => unknown };
  onAdded?: (rows: readonly Row[]) => Promise<void>;
}

/** Rows of one table from the lists of many documents, which are added in few statements. */
export class PartRows<Row extends NewRow> {
  readonly #writer: Writer;
  readonly #table: keyof Tables;
  readonly #options: PartOptions<Row>;
  #rows: Row[] = [];
  /** How many values were no rows, or named something unknown. */
  leftOut = 0;

  constructor(writer: Writer, table: keyof Tables, options: PartOptions<Row>) {
    this.#writer = writer;
    this.#table = table;
    this.#options = options;
  }

  /** Null counts as left out. */
  async put(row: Row | null): Promise<void> {
    if (row === null) this.leftOut += 1;
    else if (this.#rows.push(row) >= rowsAtOnce) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = await this.#namingKnown(this.#rows);
    this.leftOut += this.#rows.length - rows.length;
    this.#rows = [];
    await addRows(this.#writer, this.#table, rows);
    await this.#options.onAdded?.(rows);
  }

  async #namingKnown(rows: readonly Row[]): Promise<readonly Row[]> {
    const { naming } = this.#options;
    if (naming === undefined) return rows;
    const ids = new Set(rows.map(naming.idIn).filter((id) => id !== null));
    const found = await rowsWithNumbers(this.#writer, naming.table, "id", [...ids] as number[]);
    const here = new Set<unknown>(found.map((row) => row["id"]));
    return rows.filter((row) => {
      const id = naming.idIn(row);
      return id === null || here.has(id);
    });
  }
}
