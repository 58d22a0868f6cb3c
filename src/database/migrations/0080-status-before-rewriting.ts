import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** The status that a document gets back if the work that rewrites its file is cancelled or fails. */
export async function statusBeforeRewriting(
  db: Kysely<unknown>,
  { text }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await sql`alter table document_rewrites add column status_before ${text} not null default 'error'`.execute(
    db,
  );
  // So far only the plans of replacements had it.
  const planned = engine === "sqlite" ? sql`plan ->> '$.statusBefore'` : sql`plan::json ->> 'statusBefore'`;
  await sql`update document_rewrites set status_before = ${planned} where kind = 'replace'`.execute(db);
}
