import { sql } from "kysely";
import type { Writer } from "../database.ts";
import { dialectOf } from "../dialects.ts";

/**
 * Runs `work` while these tables have only the indexes that enforce constraints, and then creates the others. For
 * many rows, that takes a fraction of the time that updating the indexes row by row takes. Other transactions must not
 * use the tables meanwhile.
 */
export async function withoutIndexes(
  writer: Writer,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await dialectOf(writer).plainIndexes(tables).execute(writer);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(writer);
  await work();
  for (const { definition } of rows) await sql.raw(definition).execute(writer);
}
