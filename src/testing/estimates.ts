import { sql } from "kysely";
import type { TestApp } from "./test-app.ts";

/** Has PostgreSQL estimate that there are so many documents; -1 if it does not know. SQLite never does. */
export async function estimateDocuments(
  { context: { database } }: Pick<TestApp, "context">,
  rows: number,
): Promise<void> {
  if (database.dialect.engine === "sqlite") return;
  await database.write((writer) =>
    sql`update pg_class set reltuples = ${rows} where oid = 'documents'::regclass`.execute(writer),
  );
}
