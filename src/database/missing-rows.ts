import { sql } from "kysely";
import type { Writer } from "./database.ts";
import type { Dialect, IdentityTable } from "./dialect.ts";

/** The items whose ids have no row in the table. */
export async function withoutRow<Item extends { id: number }>(
  writer: Writer,
  dialect: Dialect,
  table: IdentityTable,
  items: readonly Item[],
): Promise<Item[]> {
  if (items.length === 0) return [];
  const ids = dialect.list(items.map(({ id }) => id));
  const found = await sql<{ id: number }>`select id from ${sql.table(table)}
    where ${dialect.isAmong(sql.ref("id"), sql`${ids}`)}`.execute(writer);
  const known = new Set(found.rows.map(({ id }) => id));
  return items.filter(({ id }) => !known.has(id));
}
