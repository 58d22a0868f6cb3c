import { type Kysely, sql } from "kysely";

/**
 * Imports of many records.
 *
 * A transaction that inserts new documents may announce that it writes everything that follows from them itself: their
 * stored records, the rows of `document_data`, and their memberships with `is_public` (`Dialect.writesAll`). Triggers
 * then leave these documents alone. They take longer than the rows. The announcement is a row of `complete_writes` on
 * SQLite, and a setting of the transaction on PostgreSQL. It is withdrawn in the same transaction, so no other
 * transaction ever sees it.
 *
 * `unindexed_documents` has the documents whose words are not in the index yet. The job that indexes documents removes
 * them from it. Until now, that job indexed all documents.
 */
export async function importingRecords(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const id = engine === "postgres" ? sql`bigint` : sql`integer`;
  // No foreign key: the job drops the rows of deleted documents.
  await sql`create table unindexed_documents (document_id ${id} primary key)`.execute(db);
  await sql`insert into unindexed_documents select id from documents
    where exists (select 1 from jobs where kind = 'index documents')`.execute(db);
  for (const statement of engine === "postgres" ? postgresStatements : sqliteStatements)
    await sql.raw(statement).execute(db);
}

/** Written as in the list indexes: see 0001-first-tables.ts. */
function isPublic(row: string): string {
  return `(${row}.access = 'public' and ${row}.status in ('success', 'readable'))`;
}

const isUsual = "not exists (select 1 from complete_writes)";

const sqliteStatements = [
  "create table complete_writes (id integer primary key)",
  "drop trigger documents_data_inserted",
  `create trigger documents_data_inserted after insert on documents when new.data <> '{}' and ${isUsual} begin
    insert into document_data (document_id, key, lowest, highest, is_public)
      select new.id, entry.key, min(item.value), max(item.value), ${isPublic("new")}
      from json_each(new.data) entry, json_each(entry.value) item group by entry.key;
  end`,
  "drop trigger document_records_of_new",
  `create trigger document_records_of_new after insert on documents when ${isUsual} begin
    insert into document_records (document_id) values (new.id)
      on conflict (document_id) do update set rest = null where document_records.rest is not null;
  end`,
  "drop trigger project_memberships_inserted",
  `create trigger project_memberships_inserted after insert on project_memberships when ${isUsual} begin
    update project_memberships set is_public = (select ${isPublic("documents")} from documents where id = new.document_id)
      where document_id = new.document_id and project_id = new.project_id;
    update documents set revision = random() & 9007199254740991 where id = new.document_id;
  end`,
];

/** See 0002-accounts.ts. */
const isShared = `(not ${isPublic("added")} and added.access <> 'invisible' and added.status <> 'deleted')`;
const sortedBy = ["created_at", "updated_at", "page_count", "title", "source", "status", "user_id"]
  .map((column) => `added.${column}`)
  .join(", ");

const isComplete = "coalesce(current_setting('quire.writes_all', true), '') = 'on'";

const postgresStatements = [
  `create or replace function documents_added() returns trigger language plpgsql as $$ begin
    if not ${isComplete} then
      insert into document_records (document_id) select id from added
        on conflict (document_id) do update set rest = null where document_records.rest is not null;
      insert into document_data (document_id, key, lowest, highest, is_public)
        select added.id, entry.key, min(item.value collate "C"), max(item.value collate "C"), bool_and(${isPublic("added")})
        from added, json_each(added.data::json) entry, json_array_elements_text(entry.value) item
        where added.data <> '{}' group by added.id, entry.key;
    end if;
    insert into document_audiences
      select 'user:' || added.user_id, added.id, ${sortedBy} from added where ${isShared}
      union all
      select 'organization:' || added.organization_id, added.id, ${sortedBy} from added
        where ${isShared} and added.access = 'organization';
    return null;
  end $$`,
  "drop trigger project_memberships_publish on project_memberships",
  `create trigger project_memberships_publish before insert on project_memberships
    for each row when (not ${isComplete}) execute function project_memberships_publish()`,
  `create trigger project_memberships_publish_moved before update of project_id, document_id on project_memberships
    for each row execute function project_memberships_publish()`,
  `create or replace function project_memberships_added() returns trigger
  language plpgsql set enable_seqscan = off as $$ begin
    if ${isComplete} then return null; end if;
    insert into document_records (document_id) select distinct document_id from added
      on conflict (document_id) do update set rest = null where document_records.rest is not null;
    update documents set revision = nextval('document_revisions')
      where id in (select document_id from added) and xmin <> pg_current_xact_id()::xid;
    return null;
  end $$`,
];
