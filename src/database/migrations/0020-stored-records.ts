import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The records of documents as text, so that a page of the list is the concatenation of a few texts.
 *
 * A text is valid only while its `revision` equals the document's. Every change of a record gives the document a new
 * revision (see 0001-first-tables.ts), so an outdated text is never shown, whichever program made the change.
 *
 * `outdated_records` lists the documents whose text must be written again. Triggers add them, and the transaction that
 * made the change writes their texts before it commits (see resources/documents/record-store.ts). A job writes the
 * texts that a transaction leaves, and those of existing documents.
 */
export async function storedRecords(
  db: Kysely<unknown>,
  { text }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const postgres = engine === "postgres";
  const id = postgres ? sql`bigint` : sql`integer`;
  // No foreign keys: while one transaction deletes a document, another one may write its text without waiting.
  await sql`create table document_records (
    document_id ${id} primary key,
    revision bigint not null,
    format bigint not null,
    digest ${text} not null,
    opening ${text} not null,
    asset_url ${text},
    until_edit_access ${text} not null,
    until_projects ${text} not null,
    projects ${text} not null,
    ending ${text} not null
  )`.execute(db);
  await sql`create table outdated_records (document_id ${id} primary key)`.execute(db);
  for (const trigger of postgres ? postgresTriggers : sqliteTriggers) await sql.raw(trigger).execute(db);
  await sql`insert into outdated_records select id from documents`.execute(db);
  const now = new Date().toISOString().replace("Z", "000Z");
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("store records")}, 0, '{}', ${sql.lit(now)}, ${sql.lit(now)}
    where exists (select 1 from documents)`.execute(db);
}

const sqliteMark = "insert into outdated_records values (new.id) on conflict (document_id) do nothing;";

const sqliteTriggers = [
  `create trigger document_records_of_new after insert on documents begin ${sqliteMark} end`,
  `create trigger document_records_outdated after update of revision on documents begin ${sqliteMark} end`,
  `create trigger document_records_of_deleted after delete on documents begin
    delete from outdated_records where document_id = old.id;
    delete from document_records where document_id = old.id;
  end`,
];

const postgresTriggers = [
  // The row is locked even if it exists: a transaction that is writing the text at this moment ends first, or leaves
  // the text to this one.
  `create function document_records_outdated() returns trigger language plpgsql as $$ begin
    insert into outdated_records values (new.id)
      on conflict (document_id) do update set document_id = excluded.document_id where false;
    return null;
  end $$`,
  `create trigger document_records_outdated after insert or update on documents
    for each row execute function document_records_outdated()`,
  `create function document_records_of_deleted() returns trigger language plpgsql as $$ begin
    delete from outdated_records where document_id = old.id;
    delete from document_records where document_id = old.id;
    return null;
  end $$`,
  `create trigger document_records_of_deleted after delete on documents
    for each row execute function document_records_of_deleted()`,
];
