import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The text index. Each part of a document has its own entry (search/parts.ts): its title, source and description, and
 * every page. A document matches if its parts do, the same way in both engines: no engine could index the text of a
 * large document as a whole (a tsvector ends at a megabyte), and the matching pages are known at once.
 *
 * SQLite keeps no copy of the texts (`content = ''`), and finds rows by a number that combines the document and the
 * part. A word whose last row has been deleted may remain in the index's blocks until they are merged, so redacted
 * words are purged (resources/documents/rewriting/purge-index.ts). PostgreSQL has no list of its words, which
 * patterns need, so a table holds it. A job indexes existing documents.
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
