import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * What ranking by BM25 needs. The counts of words have occurrences instead of pages (search/word-counts.ts).
 * `block_lengths` has the number of words in each block of pages, and `document_lengths` their sums. `word_forms` has
 * the words of each stem (search/word-forms.ts), and `word_form_removals` one row with the number of times that any were
 * removed. The index on documents counts those that anonymous searches find.
 *
 * The existing counts mean something else, so the job that makes them runs again. Until it has ended, searches read the
 * pages of the documents that it has not reached.
 */
export async function relevance(
  db: Kysely<unknown>,
  dialect: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const withoutRowid = engine === "sqlite" ? sql`without rowid` : sql``;
  await sql`create table block_lengths (
    document_id bigint not null references documents (id) on delete cascade,
    block bigint not null,
    words bigint not null,
    primary key (document_id, block)
  ) ${withoutRowid}`.execute(db);
  await sql`create table document_lengths (
    document_id ${engine === "sqlite" ? sql`integer` : sql`bigint`} primary key
      references documents (id) on delete cascade,
    words bigint not null
  )`.execute(db);
  await sql`create table word_forms (
    stem ${dialect.text} not null,
    word ${dialect.text} not null,
    primary key (stem, word)
  ) ${withoutRowid}`.execute(db);
  await sql`create table word_form_removals (removals bigint not null)`.execute(db);
  await sql`insert into word_form_removals values (0)`.execute(db);
  const isPublic = sql<boolean>`access = 'public' and status in ('success', 'readable')`;
  await sql`create index documents_searched on documents (id)
    where ${dialect.conditionOfIndex(isPublic)} and not (noindex = true or admin_noindex = true)`.execute(db);
  for (const statement of engine === "sqlite" ? sqliteStatements : postgresStatements) {
    await sql.raw(statement).execute(db);
  }
  await countAgain(db);
}

async function countAgain(db: Kysely<unknown>): Promise<void> {
  await sql`delete from word_count_progress`.execute(db);
  await sql`insert into word_count_progress (counted_to)
    select 0 where exists (select 1 from documents)`.execute(db);
  const now = sql.lit(new Date().toISOString().replace("Z", "000Z"));
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("count words")}, 0, '{}', ${now}, ${now}
    where exists (select 1 from documents)
      and not exists (select 1 from jobs where kind = ${sql.lit("count words")})`.execute(db);
}

const sqliteStatements = [`insert into word_counts (word_counts) values ('delete-all')`];

const postgresStatements = [
  `truncate word_counts`,
  `drop function word_counts_of`,
  // Of a word, and if it has a stem, of the other words with that stem, whose occurrences count less. A term is a word
  // with the mark of its count. The settings keep the planner from reading all blocks.
  `create function word_counts_of(
      sought text, sought_stem text, marks text[], units_of_word integer[], units_of_form integer[])
    returns table (document_id bigint, block bigint, units integer)
    language plpgsql stable parallel safe rows 5000 set enable_seqscan = off as $$
    declare
      form text;
      is_other boolean;
    begin
      for form, is_other in
        select sought, false
        union all (select word_forms.word, true from word_forms
          where word_forms.stem = sought_stem and word_forms.word <> sought)
        union all select sought_stem, true where sought_stem <> sought
      loop
        for i in 1..cardinality(marks) loop
          return query
            select held.document_id, held.block, case when is_other then units_of_form[i] else units_of_word[i] end
            from word_counts held where held.words @> array[(form || marks[i]) collate "C"];
        end loop;
      end loop;
    end $$`,
];
