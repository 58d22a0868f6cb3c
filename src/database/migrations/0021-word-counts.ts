import { type Kysely, sql } from "kysely";

/**
 * How many pages contain each word, roughly, counted by blocks of 32 pages (search/word-counts.ts). Ranking and the
 * search for single words read one entry for each block instead of one for each page.
 *
 * SQLite has the document in the lower bits of a rowid, so that most entries of a word are next to each other.
 * PostgreSQL finds blocks in an index alone. However, its planner assumes that rows are small although their words are
 * stored elsewhere, and would read all rows: a function makes it use the index. A short list of pending entries keeps
 * that index fast after writes.
 *
 * A job counts the words of existing documents. Until it has ended, `word_count_progress` has the id of the last
 * counted document, and searches read the pages of later ones.
 */
export async function wordCounts(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  for (const statement of engine === "postgres" ? postgresStatements : sqliteStatements) {
    await sql.raw(statement).execute(db);
  }
  await sql`create table word_count_progress (counted_to bigint not null)`.execute(db);
  await sql`insert into word_count_progress (counted_to)
    select 0 where exists (select 1 from documents)`.execute(db);
  const now = new Date().toISOString().replace("Z", "000Z");
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("count words")}, 0, '{}', ${sql.lit(now)}, ${sql.lit(now)}
    where exists (select 1 from documents)`.execute(db);
}

const sqliteStatements = [
  `create virtual table word_counts using fts5(
    words, content = '', contentless_delete = 1, detail = none,
    tokenize = "ascii"
  )`,
  `drop trigger documents_forget_words`,
  `create trigger documents_forget_words before delete on documents begin
    delete from document_words where rowid in (
      select old.id * 1048576 + value from json_each('[0, 1, 2]')
      union all select old.id * 1048576 + 3 + page from document_pages where document_id = old.id);
    delete from word_counts where rowid in (
      select value * 1099511627776 + old.id from json_each('[0, 1, 2]')
      union select (3 + page / 32) * 1099511627776 + old.id from document_pages where document_id = old.id);
  end`,
  `drop trigger notes_forget_words`,
  `create trigger notes_forget_words before delete on notes begin
    delete from document_words where rowid = old.document_id * 1048576 + old.part;
    delete from word_counts where rowid = old.part * 1099511627776 + old.document_id;
  end`,
];

const postgresStatements = [
  `create table word_counts (
    document_id bigint not null references documents (id) on delete cascade,
    block bigint not null,
    words text[] collate "C" not null,
    primary key (document_id, block)
  )`,
  `create index word_counts_by_word on word_counts using gin (words) with (gin_pending_list_limit = 1024)`,
  `create function word_counts_of(terms text[], counts integer[]) returns table (document_id bigint, block bigint, pages integer)
    language plpgsql stable parallel safe rows 5000 set enable_seqscan = off as $$
    begin
      for i in 1..cardinality(terms) loop
        return query select held.document_id, held.block, counts[i] from word_counts held
          where held.words @> array[terms[i] collate "C"];
      end loop;
    end $$`,
  `create or replace function notes_forget_words() returns trigger language plpgsql as $$ begin
    delete from document_words where document_id = old.document_id and part = old.part;
    delete from word_counts where document_id = old.document_id and block = old.part;
    return null;
  end $$`,
];
