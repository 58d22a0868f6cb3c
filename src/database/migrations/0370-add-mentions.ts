import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * What the recognisers have found in the texts of pages: e-mail addresses, account numbers and so on
 * (resources/documents/pages/mention-store.ts). Triggers remove the mentions of a page in the transaction that changes
 * or removes its text, and note in `unread_mentions` from which page on a document is still to be read. Servers of an
 * earlier version write texts without mentions: their documents are noted in the same way.
 */
export async function mentions(
  db: Kysely<unknown>,
  { text }: Pick<Dialect, "text">,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await sql`create table mentions (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    start bigint not null,
    kind ${text} not null,
    value ${text} not null,
    written ${text} not null,
    primary key (document_id, page, start)
  )`.execute(db);
  await sql`create index mentions_by_value on mentions (kind, value, document_id)`.execute(db);
  await sql`create index mentions_by_document on mentions (document_id, kind, value)`.execute(db);
  const id = engine === "sqlite" ? sql`integer` : sql`bigint`;
  await sql`create table unread_mentions (
    document_id ${id} primary key references documents (id) on delete cascade,
    from_page bigint not null
  )`.execute(db);
  for (const statement of engine === "sqlite" ? sqliteTriggers : postgresTriggers)
    await sql.raw(statement).execute(db);
  await sql`insert into unread_mentions (document_id, from_page)
    select distinct document_id, 0 from document_pages`.execute(db);
  const now = sql.lit(new Date().toISOString().replace("Z", "000Z"));
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("find mentions")}, 0, '{}', ${now}, ${now}
    where exists (select 1 from unread_mentions)`.execute(db);
}

const noteNew = `insert into unread_mentions (document_id, from_page) values (new.document_id, new.page)
    on conflict (document_id) do update set from_page = excluded.from_page
      where excluded.from_page < unread_mentions.from_page;`;
const removeOld = "delete from mentions where document_id = old.document_id and page = old.page;";

const sqliteTriggers = [
  `create trigger mentions_of_new_pages after insert on document_pages begin ${noteNew} end`,
  `create trigger mentions_of_changed_pages after update of text on document_pages
    when old.text is not new.text begin ${removeOld} ${noteNew} end`,
  `create trigger mentions_of_removed_pages after delete on document_pages begin ${removeOld} end`,
];

const postgresTriggers = [
  `create function mentions_of_new_pages() returns trigger language plpgsql as $$ begin
    insert into unread_mentions (document_id, from_page)
      select document_id, min(page) from added group by document_id order by document_id
      on conflict (document_id) do update set from_page = excluded.from_page
        where excluded.from_page < unread_mentions.from_page;
    return null;
  end $$`,
  `create trigger mentions_of_new_pages after insert on document_pages
    referencing new table as added for each statement execute function mentions_of_new_pages()`,
  `create function mentions_of_changed_pages() returns trigger language plpgsql as $$ begin
    ${removeOld} ${noteNew}
    return null;
  end $$`,
  `create trigger mentions_of_changed_pages after update of text on document_pages
    for each row when (old.text is distinct from new.text) execute function mentions_of_changed_pages()`,
  `create function mentions_of_removed_pages() returns trigger language plpgsql as $$ begin
    delete from mentions using removed
      where mentions.document_id = removed.document_id and mentions.page = removed.page;
    return null;
  end $$`,
  `create trigger mentions_of_removed_pages after delete on document_pages
    referencing old table as removed for each statement execute function mentions_of_removed_pages()`,
];
