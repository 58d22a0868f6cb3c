import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Writer } from "./database.ts";
import type { Tables } from "./tables.ts";

/**
 * The numbers of rows in one statement. There are few of them, since each one is a separate statement that is
 * compiled once and kept: compiling costs more than inserting. The largest stays below the engines' limits of 32,766
 * and 65,535 parameters.
 */
const sizes = [256, 32, 4, 1];

/** The start and the end of an insert statement, which decide what happens to existing rows. */
export interface Insertion {
  insert: RawBuilder<unknown>;
  otherwise: RawBuilder<unknown>;
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
  readonly #compiled = new Map<number, CompiledQuery>();

  constructor(
    table: keyof Tables,
    columns: readonly (keyof Row & string)[],
    insertion: Insertion = unlessThere,
  ) {
    this.#table = table;
    this.#columns = columns;
    this.#insertion = insertion;
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
    const { insert, otherwise } = this.#insertion;
    const placeholders = sql`(${sql.join(this.#columns.map(() => null))})`;
    const statement = sql`${insert} ${sql.table(this.#table)}
      (${sql.join(this.#columns.map((column) => sql.ref(column)))})
      values ${sql.join(Array.from({ length: size }, () => placeholders))} ${otherwise}`.compile(writer);
    this.#compiled.set(size, statement);
    return statement;
  }
}
