import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The records of documents as text, one row for each document: `rest` is null while the record is outdated. This table
 * replaces the tables of 0020-stored-records.ts.
 *
 * A stored text is always current: any change of a record empties its text in the same transaction, so a reader need
 * not compare it with the document. This holds for every program that writes, in whatever way:
 *
 * - Every change of a document's row, of its projects or of their privacy gives the document another revision (see
 *   0001-first-tables.ts), and a trigger then empties the text. The triggers here cover the ways around 0001: rows of
 *   projects that SQLite replaces, or deletes while a program has its foreign keys off, and PostgreSQL's `truncate`.
 * - The trigger inserts the row, or updates it if it exists. So it always locks the row, even if its own snapshot is
 *   too old to show it: while one transaction empties a text, no other one writes it.
 * - A transaction that stores texts locks their rows before it reads the documents (see
 *   resources/documents/record-store.ts). A change that it does not see yet empties the text afterwards.
 */
export async function recordTexts(
  db: Kysely<unknown>,
  { text, boolean }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const postgres = engine === "postgres";
  const id = postgres ? sql`bigint` : sql`integer`;
  for (const statement of postgres ? postgresBefore : sqliteBefore) await sql.raw(statement).execute(db);
  await sql`drop table document_records`.execute(db);
  await sql`drop table outdated_records`.execute(db);
  // No foreign keys: while one transaction deletes a document, another one may write its text without waiting.
  await sql`create table document_records (
    document_id ${id} primary key,
    format integer,
    digest ${text},
    opening ${text},
    has_own_files ${boolean},
    edit_at integer,
    projects_at integer,
    projects ${text},
    rest ${text}
  )`.execute(db);
  await sql`create index document_records_outdated on document_records (document_id)
    where rest is null`.execute(db);
  for (const trigger of postgres ? postgresTriggers : sqliteTriggers) await sql.raw(trigger).execute(db);
  await sql`insert into document_records (document_id) select id from documents`.execute(db);
  const now = new Date().toISOString().replace("Z", "000Z");
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("store records")}, 0, '{}', ${sql.lit(now)}, ${sql.lit(now)}
    where exists (select 1 from documents)
    on conflict (kind, subject) where cancelled_at is null do nothing`.execute(db);
}

const sqliteBefore = [
  "drop trigger document_records_of_new",
  "drop trigger document_records_outdated",
  "drop trigger document_records_of_deleted",
];

const postgresBefore = [
  "drop trigger document_records_outdated on documents",
  "drop trigger document_records_of_deleted on documents",
  "drop function document_records_outdated()",
  "drop function document_records_of_deleted()",
];

const emptied = `insert into document_records (document_id) values (new.id)
  on conflict (document_id) do update set rest = null where document_records.rest is not null;`;

const newRevisions = (project: string): string => `update documents set revision = random() & 9007199254740991
  where id in (select document_id from project_memberships where project_id = ${project});`;

const sqliteTriggers = [
  `create trigger document_records_of_new after insert on documents begin ${emptied} end`,
  `create trigger document_records_outdated after update of revision on documents begin ${emptied} end`,
  `create trigger document_records_of_deleted after delete on documents begin
    delete from document_records where document_id = old.id;
  end`,
  // At these moments a project has members only if it is replaced, or if the foreign keys are off.
  `create trigger projects_inserted after insert on projects begin ${newRevisions("new.id")} end`,
  `create trigger projects_deleted after delete on projects begin ${newRevisions("old.id")} end`,
  `create trigger projects_renumbered after update of id on projects when new.id <> old.id begin
    ${newRevisions("old.id")}
    ${newRevisions("new.id")}
  end`,
];

const postgresTriggers = [
  `create function document_records_outdated() returns trigger language plpgsql as $$ begin
    ${emptied}
    return null;
  end $$`,
  `create trigger document_records_outdated after insert or update on documents
    for each row execute function document_records_outdated()`,
  `create function document_records_of_deleted() returns trigger language plpgsql as $$ begin
    delete from document_records where document_id = old.id;
    return null;
  end $$`,
  `create trigger document_records_of_deleted after delete on documents
    for each row execute function document_records_of_deleted()`,
  `create function document_records_all_outdated() returns trigger language plpgsql as $$ begin
    update document_records set rest = null where rest is not null;
    return null;
  end $$`,
  `create trigger document_records_all_outdated after truncate on project_memberships
    for each statement execute function document_records_all_outdated()`,
];
