import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The results of processing a document, and their receipts. Page texts are in the database, not in files, so that a
 * document that is processed again changes from the old text to the new one in one commit, and its text is deleted
 * with it.
 */
export async function processing(
  db: Kysely<unknown>,
  { text, identity }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await sql`create table document_pages (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    text ${text} not null,
    primary key (document_id, page)
  ) ${engine === "postgres" ? sql`` : sql`without rowid`}`.execute(db);

  await sql`create table document_receipts (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    step ${text} not null,
    outcome ${text} not null check (outcome in ('done', 'failed')),
    at ${text} not null,
    milliseconds bigint not null,
    details ${text} not null
  )`.execute(db);
  await sql`create index document_receipts_by_document on document_receipts (document_id, id)`.execute(db);
}
