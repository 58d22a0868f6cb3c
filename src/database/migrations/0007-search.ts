import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The index of words. Each part of a document has an entry of its own (search/parts.ts): its title, source and
 * description, and every page. A document then matches what its parts match, in both engines alike: no engine would
 * take the text of a large document whole (a tsvector ends at a megabyte), and which pages match is known at once.
 *
 * SQLite keeps no copy of the texts (`content = ''`), and finds rows by a number that is made of the document and the part.
 * A word whose last row is gone may stand in the index's blocks until they are merged: what was redacted is purged
 * (resources/documents/rewriting/purge-index.ts). PostgreSQL has no list of its words, which patterns need, so it is kept beside. Documents that are there already are indexed
 * by a job.
 */
export async function search(
  db: Kysely<unknown>,
  { text }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  for (const statement of engine === "postgres" ? postgresStatements : sqliteStatements) {
    await sql.raw(statement).execute(db);
  }
  if (engine === "postgres") {
    await sql`create table search_vocabulary (word ${text} primary key)`.execute(db);
  }
  const now = new Date().toISOString().replace("Z", "000Z");
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("index documents")}, 0, '{}', ${sql.lit(now)}, ${sql.lit(now)}
    where exists (select 1 from documents)`.execute(db);
}

const sqliteStatements = [
  `create virtual table document_words using fts5(
    words, content = '', contentless_delete = 1,
    tokenize = "ascii"
  )`,
  `create virtual table search_vocabulary using fts5vocab(document_words, row)`,
  `create trigger documents_forget_words before delete on documents begin
    delete from document_words where rowid in (
      select old.id * 1048576 + value from json_each('[0, 1, 2]')
      union all select old.id * 1048576 + 3 + page from document_pages where document_id = old.id);
  end`,
];

const postgresStatements = [
  `create table document_words (
    document_id bigint not null references documents (id) on delete cascade,
    part bigint not null,
    stretch bigint not null,
    words tsvector not null,
    primary key (document_id, part, stretch)
  )`,
  `create index document_words_by_word on document_words using gin (words)`,
];
