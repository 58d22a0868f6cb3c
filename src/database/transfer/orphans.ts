import { sql } from "kysely";
import type { Writer } from "../database.ts";
import { dialectOf } from "../dialects.ts";
import type { CopiedRow } from "./snapshot.ts";

/** A column that refers to a row of another table. */
interface ForeignKey {
  column: string;
  parent: string;
  /** The column of the other table. */
  referred: string;
  /** What happens when the other row is deleted. */
  on_delete: "cascade" | "set null" | "no action";
  is_nullable: boolean | number;
}

/**
 * Keeps rows that refer to missing rows out of a database that is being filled from a source that lacks some. It treats
 * them as if the missing rows had been deleted.
 */
export class OrphanFilter {
  readonly #writer: Writer;
  readonly #lacking = new Set<string>();

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Notes that a table lacks rows. */
  lacks(table: string): void {
    this.#lacking.add(table);
  }

  /** The rows that have what they refer to, and the number of the others so far, in `counted`. */
  async *rowsOf(
    table: string,
    batches: AsyncIterable<readonly CopiedRow[]>,
    counted: { orphans: number },
  ): AsyncGenerator<readonly CopiedRow[]> {
    const keys = this.#lacking.size === 0 ? [] : await this.#foreignKeysOf(table);
    for await (const batch of batches) {
      let rows: readonly CopiedRow[] = batch;
      for (const key of keys) rows = await this.#without(key, rows);
      counted.orphans += batch.length - rows.length;
      yield rows;
    }
  }

  async #without(key: ForeignKey, rows: readonly CopiedRow[]): Promise<readonly CopiedRow[]> {
    const { column, parent, referred } = key;
    const dialect = dialectOf(this.#writer);
    const ids = [...new Set(rows.map((row) => row[column]).filter((id) => typeof id === "number"))];
    if (ids.length === 0) return rows;
    const { rows: found } = await sql<{
      id: number;
    }>`select ${sql.ref(referred)} as id from ${sql.table(parent)}
      where ${dialect.isAmong(sql.ref(referred), sql`${dialect.list(ids)}`)}`.execute(this.#writer);
    const present = new Set(found.map(({ id }) => id));
    const hasParent = (row: CopiedRow): boolean => {
      const id = row[column];
      return typeof id !== "number" || present.has(id);
    };
    const canBeNull = Boolean(key.is_nullable) && key.on_delete !== "cascade";
    if (!canBeNull) return rows.filter(hasParent);
    return rows.map((row) => (hasParent(row) ? row : { ...row, [column]: null }));
  }

  async #foreignKeysOf(table: string): Promise<ForeignKey[]> {
    const { rows } = await dialectOf(this.#writer).foreignKeys(table).execute(this.#writer);
    return (rows as ForeignKey[]).filter(({ parent }) => this.#lacking.has(parent));
  }
}
