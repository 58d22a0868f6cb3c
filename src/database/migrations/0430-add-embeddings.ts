import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The vectors of the passages of pages (resources/documents/embeddings/). `embedded_documents` has the documents all of
 * whose pages have those of a model. Triggers remove both in the transaction that changes or removes a text.
 */
export async function embeddings(
  db: Kysely<unknown>,
  { text }: Pick<Dialect, "text">,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const id = engine === "sqlite" ? sql`integer` : sql`bigint`;
  await sql`create table page_embeddings (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    model ${text} not null,
    vectors ${text} not null,
    primary key (document_id, page)
  )`.execute(db);
  await sql`create table embedded_documents (
    document_id ${id} primary key references documents (id) on delete cascade,
    model ${text} not null
  )`.execute(db);
  for (const statement of engine === "sqlite" ? sqliteTriggers : postgresTriggers)
    await sql.raw(statement).execute(db);
}

const forgetNew = "delete from embedded_documents where document_id = new.document_id;";
const forgetOld = `delete from page_embeddings where document_id = old.document_id and page = old.page;
    delete from embedded_documents where document_id = old.document_id;`;

const sqliteTriggers = [
  `create trigger embeddings_of_new_pages after insert on document_pages begin ${forgetNew} end`,
  `create trigger embeddings_of_changed_pages after update of text on document_pages
    when old.text is not new.text begin ${forgetOld} end`,
  `create trigger embeddings_of_removed_pages after delete on document_pages begin ${forgetOld} end`,
];

const postgresTriggers = [
  `create function embeddings_of_new_pages() returns trigger language plpgsql as $$ begin
    delete from embedded_documents where document_id in (select document_id from added);
    return null;
  end $$`,
  `create trigger embeddings_of_new_pages after insert on document_pages
    referencing new table as added for each statement execute function embeddings_of_new_pages()`,
  `create function embeddings_of_changed_pages() returns trigger language plpgsql as $$ begin
    ${forgetOld}
    return null;
  end $$`,
  `create trigger embeddings_of_changed_pages after update of text on document_pages
    for each row when (old.text is distinct from new.text) execute function embeddings_of_changed_pages()`,
  `create function embeddings_of_removed_pages() returns trigger language plpgsql as $$ begin
    delete from page_embeddings using removed
      where page_embeddings.document_id = removed.document_id and page_embeddings.page = removed.page;
    delete from embedded_documents where document_id in (select document_id from removed);
    return null;
  end $$`,
  `create trigger embeddings_of_removed_pages after delete on document_pages
    referencing old table as removed for each statement execute function embeddings_of_removed_pages()`,
];
