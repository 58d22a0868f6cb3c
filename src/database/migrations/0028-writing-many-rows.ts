import { type Kysely, sql } from "kysely";

/**
 * Writing many documents at once. On SQLite, an import inserts the rows of `document_data` itself (`takesDataRows` in
 * dialect.ts). Their foreign key is checked when the transaction ends, so a new document can have no other such rows.
 *
 * On PostgreSQL, a trigger or a foreign key that runs for each row takes more time than the row:
 *
 * - Triggers derive data from new documents once for each statement, instead of once for each row.
 * - The rows of `document_data`, `document_audiences`, `document_words` and `word_counts` are deleted with their
 *   document by a trigger, as on SQLite. The first two are written by triggers of the document itself. Words are only
 *   indexed in transactions that have written the document, or its pages or notes, which have foreign keys.
 * - A document that is added to a project gets a new revision, which rewrites all its index entries. A document
 *   inserted in the same transaction needs no new revision, because no other transaction has seen it: only its record's
 *   text is emptied.
 */
export async function writingManyRows(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  for (const statement of engine === "sqlite" ? sqliteStatements : postgresStatements)
    await sql.raw(statement).execute(db);
}

const derivedTables = ["document_data", "document_audiences", "document_words", "word_counts"];

/** Written as in the list indexes: see 0001-first-tables.ts. */
function isPublic(row: string): string {
  return `(${row}.access = 'public' and ${row}.status in ('success', 'readable'))`;
}

/** See 0002-accounts.ts. */
const isShared = `(not ${isPublic("added")} and added.access <> 'invisible' and added.status <> 'deleted')`;
const sortedBy = ["created_at", "updated_at", "page_count", "title", "source", "status", "user_id"]
  .map((column) => `added.${column}`)
  .join(", ");

const sqliteStatements = [
  "drop trigger documents_data_inserted",
  `create trigger documents_data_inserted after insert on documents
  when new.data <> '{}' and not exists (select 1 from document_data where document_id = new.id) begin
    insert into document_data (document_id, key, lowest, highest, is_public)
      select new.id, entry.key, min(item.value), max(item.value), ${isPublic("new")}
      from json_each(new.data) entry, json_each(entry.value) item group by entry.key;
  end`,
];

const postgresStatements = [
  `create function documents_added() returns trigger language plpgsql as $$ begin
    insert into document_records (document_id) select id from added
      on conflict (document_id) do update set rest = null where document_records.rest is not null;
    insert into document_data (document_id, key, lowest, highest, is_public)
      select added.id, entry.key, min(item.value collate "C"), max(item.value collate "C"), bool_and(${isPublic("added")})
      from added, json_each(added.data::json) entry, json_array_elements_text(entry.value) item
      where added.data <> '{}' group by added.id, entry.key;
    insert into document_audiences
      select 'user:' || added.user_id, added.id, ${sortedBy} from added where ${isShared}
      union all
      select 'organization:' || added.organization_id, added.id, ${sortedBy} from added
        where ${isShared} and added.access = 'organization';
    return null;
  end $$`,
  "drop trigger documents_data_inserted on documents",
  "drop trigger document_audiences_of_new on documents",
  "drop trigger document_records_outdated on documents",
  `create trigger document_records_outdated after update on documents
    for each row execute function document_records_outdated()`,
  `create trigger documents_added after insert on documents referencing new table as added
    for each statement execute function documents_added()`,
  // A session keeps the plan of a query in a function. A plan made while there were few documents would read all of
  // them.
  `create function project_memberships_added() returns trigger language plpgsql set enable_seqscan = off as $$ begin
    insert into document_records (document_id) select distinct document_id from added
      on conflict (document_id) do update set rest = null where document_records.rest is not null;
    update documents set revision = nextval('document_revisions')
      where id in (select document_id from added) and xmin <> pg_current_xact_id()::xid;
    return null;
  end $$`,
  "drop trigger project_memberships_revise on project_memberships",
  `create trigger project_memberships_revise after delete or update of project_id, document_id on project_memberships
    for each row execute function project_memberships_revise()`,
  `create trigger project_memberships_added after insert on project_memberships referencing new table as added
    for each statement execute function project_memberships_added()`,
  "drop trigger document_audiences_of_membership on project_memberships",
  `create trigger document_audiences_of_membership after delete or update of project_id, document_id, edit_access
    on project_memberships for each row execute function document_audiences_of_membership()`,
  `create trigger document_audiences_of_new_membership after insert on project_memberships
    for each row when (new.edit_access) execute function document_audiences_of_membership()`,
  ...derivedTables.map((table) => `alter table ${table} drop constraint ${table}_document_id_fkey`),
  `create function documents_forget() returns trigger language plpgsql as $$ begin
    ${derivedTables.map((table) => `delete from ${table} where document_id = old.id;`).join("\n    ")}
    return null;
  end $$`,
  `create trigger documents_forget after delete on documents
    for each row execute function documents_forget()`,
];
