import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { copyLine } from "./copy-line.ts";
import type { Writer } from "./database.ts";
import { dialectOf } from "./dialects.ts";
import type { Tables } from "./tables.ts";

/**
 * The numbers of rows that one statement inserts on SQLite. There are only a few, because each is a separate statement
 * that is compiled once and kept: compiling costs more than inserting. The largest stays below the engine's limit of
 * 32,766 parameters.
 */
const sizes = [256, 32, 4, 1];

/**
 * On PostgreSQL, the rows are one JSON parameter: a thousand parameters cost both client and server more than the JSON.
 */
const rowsOfJson = 256;

/** COPY takes the fewest processor time, but knows no existing rows. */
const rowsOfCopy = 1000;

/** The start and the end of an insert statement, which decide what happens to existing rows. */
export interface Insertion {
  insert: RawBuilder<unknown>;
  /** Null if an existing row is an error. */
  otherwise: RawBuilder<unknown> | null;
}

/** Keeps existing rows unchanged. */
export const unlessThere: Insertion = { insert: sql`insert into`, otherwise: sql`on conflict do nothing` };

/** Updates existing rows. */
export function updating(key: string, columns: readonly string[]): Insertion {
  const changes = columns
    .filter((column) => column !== key)
    .map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`);
  return {
    insert: sql`insert into`,
    otherwise: sql`on conflict (${sql.ref(key)}) do update set ${sql.join(changes)}`,
  };
}

/** Inserts any number of rows in few statements. */
export class BulkInsert<Row extends object> {
  readonly #table: keyof Tables;
  readonly #columns: readonly (keyof Row & string)[];
  readonly #insertion: Insertion;
  readonly #compiled = new Map<number | "json" | "copy", CompiledQuery>();

  constructor(
    table: keyof Tables,
    columns: readonly (keyof Row & string)[],
    insertion: Insertion = unlessThere,
  ) {
    this.#table = table;
    this.#columns = columns;
    this.#insertion = insertion;
  }

  /** On PostgreSQL, the value of a column of an array type is an array. */
  async run(writer: Writer, rows: readonly Row[]): Promise<void> {
    if (dialectOf(writer).engine === "postgres") {
      return this.#insertion.otherwise === null ? this.#copy(writer, rows) : this.#runAsJson(writer, rows);
    }
    let done = 0;
    for (const size of sizes) {
      for (; rows.length - done >= size; done += size) {
        const parameters: unknown[] = [];
        for (let index = done; index < done + size; index++) {
          const row = rows[index] as Row;
          for (const column of this.#columns) parameters.push(row[column]);
        }
        await writer.executeQuery({ ...this.#statement(writer, size), parameters });
      }
    }
  }

  async #runAsJson(writer: Writer, rows: readonly Row[]): Promise<void> {
    for (let start = 0; start < rows.length; start += rowsOfJson) {
      const parameters = [jsonOf(rows.slice(start, start + rowsOfJson))];
      await writer.executeQuery({ ...this.#statement(writer, "json"), parameters });
    }
  }

  async #copy(writer: Writer, rows: readonly Row[]): Promise<void> {
    for (let start = 0; start < rows.length; start += rowsOfCopy) {
      let text = "";
      for (const row of rows.slice(start, start + rowsOfCopy)) text += copyLine(this.#columns, row);
      await writer.executeQuery({ ...this.#statement(writer, "copy"), parameters: [Buffer.from(text)] });
    }
  }

  #statement(writer: Writer, size: number | "json" | "copy"): CompiledQuery {
    const known = this.#compiled.get(size);
    if (known !== undefined) return known;
    const { insert, otherwise } = this.#insertion;
    const columns = sql.join(this.#columns.map((column) => sql.ref(column)));
    const table = sql.table(this.#table);
    const query =
      size === "copy"
        ? sql`copy ${table} (${columns}) from stdin`
        : sql`${insert} ${table} (${columns}) ${this.#rows(size, columns)} ${otherwise ?? sql``}`;
    const statement = query.compile(writer);
    this.#compiled.set(size, statement);
    return statement;
  }

  #rows(size: number | "json", columns: RawBuilder<unknown>): RawBuilder<unknown> {
    if (size === "json") {
      return sql`select ${columns} from json_populate_recordset(null::${sql.table(this.#table)}, ${null}::json)`;
    }
    const placeholders = sql`(${sql.join(this.#columns.map(() => null))})`;
    return sql`values ${sql.join(Array.from({ length: size }, () => placeholders))}`;
  }
}

/** PostgreSQL's JSON rejects lone surrogates: they become replacement characters, as in a separate parameter. */
function jsonOf(rows: readonly object[]): string {
  const json = JSON.stringify(rows);
  if (!json.includes("\\ud")) return json;
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}
