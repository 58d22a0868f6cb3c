import { type Kysely, sql } from "kysely";
import { audienceStatements } from "../audiences/statements.ts";

/**
 * The triggers that keep `document_audiences` come from one list of columns on both engines. On PostgreSQL, the
 * audiences of new documents get a trigger of their own, and `documents_added` keeps the records and the rows of
 * `document_data`.
 */
export async function audienceTriggers(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const statements = [
    ...audienceStatements(engine, columns),
    ...(engine === "postgres" ? [documentsAdded] : []),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const columns = ["created_at", "updated_at", "page_count", "title", "source", "status", "user_id"];

/** As in 0045-importing-records.ts, without the audiences. */
const documentsAdded = `create or replace function documents_added() returns trigger language plpgsql as $$ begin
    if coalesce(current_setting('quire.writes_all', true), '') = 'on' then return null; end if;
    insert into document_records (document_id) select id from added
      on conflict (document_id) do update set rest = null where document_records.rest is not null;
    insert into document_data (document_id, key, lowest, highest, is_public)
      select added.id, entry.key, min(item.value collate "C"), max(item.value collate "C"),
          bool_and(added.access = 'public' and added.status in ('success', 'readable'))
      from added, json_each(added.data::json) entry, json_array_elements_text(entry.value) item
      where added.data <> '{}' group by added.id, entry.key;
    return null;
  end $$`;
