import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Writer } from "./database.ts";
import type { Tables } from "./tables.ts";

/**
 * Rows in one statement. Few sizes, since a statement is compiled once for each and kept: compiling costs more than
 * inserting. The largest keeps below the 32,766 and 65,535 values that the engines take.
 */
const sizes = [256, 32, 4, 1];

/** Puts many rows into a table, whatever their number, in few statements. */
export class BulkInsert<Row extends object> {
  readonly #table: keyof Tables;
  readonly #columns: readonly (keyof Row & string)[];
  readonly #otherwise: RawBuilder<unknown>;
  readonly #compiled = new Map<number, CompiledQuery>();

  /** `otherwise` is the statement's end: what becomes of a row that is there already. */
  constructor(
    table: keyof Tables,
    columns: readonly (keyof Row & string)[],
    otherwise: RawBuilder<unknown> = sql`on conflict do nothing`,
  ) {
    this.#table = table;
    this.#columns = columns;
    this.#otherwise = otherwise;
  }

  async run(writer: Writer, rows: readonly Row[]): Promise<void> {
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

  #statement(writer: Writer, size: number): CompiledQuery {
    const known = this.#compiled.get(size);
    if (known !== undefined) return known;
    const places = sql`(${sql.join(this.#columns.map(() => null))})`;
    const statement = sql`insert into ${sql.table(this.#table)}
      (${sql.join(this.#columns.map((column) => sql.ref(column)))})
      values ${sql.join(Array.from({ length: size }, () => places))} ${this.#otherwise}`.compile(writer);
    this.#compiled.set(size, statement);
    return statement;
  }
}

/** The end of a statement that brings a row which is there already up to date. */
export function updating<Row extends object>(
  key: keyof Row & string,
  columns: readonly (keyof Row & string)[],
): RawBuilder<unknown> {
  const changes = columns
    .filter((column) => column !== key)
    .map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`);
  return sql`on conflict (${sql.ref(key)}) do update set ${sql.join(changes)}`;
}
