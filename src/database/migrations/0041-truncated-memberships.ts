import { type Kysely, sql } from "kysely";

/**
 * PostgreSQL's `truncate` runs no trigger for each row: without this one, documents would stay visible to, and editable
 * by, the collaborators of projects that they were shared with.
 */
export async function truncatedMemberships(
  db: Kysely<unknown>,
  engine: "sqlite" | "postgres",
): Promise<void> {
  if (engine === "sqlite") return;
  await sql`create or replace function document_records_all_outdated() returns trigger language plpgsql as $$ begin
    update document_records set rest = null where rest is not null;
    delete from document_audiences where audience like 'project:%';
    return null;
  end $$`.execute(db);
}
