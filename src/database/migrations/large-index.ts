import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";

/** An index of a table that may have millions of rows. It is never unique. */
export interface LargeIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the name of the table: `(user_id, id)`, or `(due_at) where due_at is not null`. */
  readonly entries: RawBuilder<unknown>;
}

/** Creates the index in a migration. If its table has rows, PostgreSQL builds it later, outside of the transaction. */
export async function addLargeIndex(
  db: QueryExecutorProvider,
  engine: "sqlite" | "postgres",
  index: LargeIndex,
): Promise<void> {
  if (engine === "postgres") {
    const { rows } = await sql`select 1 from ${sql.table(index.table)} limit 1`.execute(db);
    if (rows.length > 0) return;
  }
  await creationOf(index).execute(db);
}

export function creationOf(
  { name, table, entries }: LargeIndex,
  { isConcurrent = false } = {},
): RawBuilder<unknown> {
  const create = sql.raw(isConcurrent ? "create index concurrently" : "create index");
  return sql`${create} ${sql.ref(name)} on ${sql.table(table)} ${entries}`;
}
