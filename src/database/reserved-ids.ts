import type { Writer } from "./database.ts";
import type { Dialect, IdentityTable } from "./dialect.ts";

/** Reserves an id for a new row. The id stays unused if the row is never inserted. */
export async function reserveId(writer: Writer, dialect: Dialect, table: IdentityTable): Promise<number> {
  let id: number | undefined;
  for (const statement of dialect.reserveId(table)) id = (await statement.execute(writer)).rows[0]?.id;
  if (id === undefined) throw new Error("The database returned no id");
  return id;
}
