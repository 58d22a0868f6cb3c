import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The languages of documents. `document_languages` has the language in which a document's words have forms, and what was
 * recognised of its texts. A document without a row is in English. `analysed_languages` has each of these languages
 * once. `word_forms` has forms by language; those that there are come from English rules (search/word-forms.ts).
 *
 * The job that recognises languages goes through `unrecognised_documents`. Until it has ended, documents have English
 * forms, as before.
 */
export async function languages(
  db: Kysely<unknown>,
  dialect: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const id = engine === "sqlite" ? sql`integer` : sql`bigint`;
  await sql`create table document_languages (
    document_id ${id} primary key references documents (id) on delete cascade,
    language ${dialect.text} not null,
    recognised ${dialect.text},
    certainty double precision
  )`.execute(db);
  await sql`create table analysed_languages (language ${dialect.text} primary key)`.execute(db);
  await sql`insert into analysed_languages values ('eng')`.execute(db);
  await sql`create table unrecognised_documents (
    document_id ${id} primary key references documents (id) on delete cascade
  )`.execute(db);
  for (const statement of engine === "sqlite" ? sqliteStatements : postgresStatements) {
    await sql.raw(statement).execute(db);
  }
  await sql`create index word_forms_words on word_forms (word)`.execute(db);
  await sql`insert into unrecognised_documents select id from documents`.execute(db);
  const now = sql.lit(new Date().toISOString().replace("Z", "000Z"));
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("recognise languages")}, 0, '{}', ${now}, ${now}
    where exists (select 1 from documents)`.execute(db);
}

const sqliteStatements = [
  `create table forms_by_language (
    language text not null,
    stem text not null,
    word text not null,
    primary key (language, stem, word)
  ) without rowid`,
  `insert into forms_by_language select 'eng', stem, word from word_forms`,
  `drop table word_forms`,
  `alter table forms_by_language rename to word_forms`,
];

const postgresStatements = [
  `alter table word_forms add column language text collate "C" not null default 'eng'`,
  `alter table word_forms alter column language drop default`,
  `alter table word_forms drop constraint word_forms_pkey`,
  `alter table word_forms add primary key (language, stem, word)`,
  // The other words that have one of these stems, each with the languages in which it does.
  `create function other_forms_of(sought text, languages text[], stems text[], are_words boolean[])
    returns table (word text, languages_of_word text[])
    language sql stable parallel safe rows 10 set enable_seqscan = off as $$
      select forms.word, array_agg(forms.language) from (
        select word_forms.word, word_forms.language
          from unnest(languages, stems) as asked (language, stem)
          join word_forms on word_forms.language = asked.language collate "C"
            and word_forms.stem = asked.stem collate "C"
          where word_forms.word <> sought
            and asked.language in (select language from analysed_languages)
        union select asked.stem, asked.language from unnest(languages, stems, are_words) as asked (language, stem, is_word)
          where asked.is_word and asked.language in (select language from analysed_languages)
      ) as forms group by forms.word
    $$`,
  `drop function word_counts_of`,
  // Of a word, and of the other words with one of its stems, whose occurrences count less, and only in documents of a
  // language in which they have it. A term is a word with the mark of its count. The settings keep the planner from
  // reading all blocks.
  `create function word_counts_of(
      sought text, languages text[], stems text[], are_words boolean[],
      marks text[], units_of_word integer[], units_of_form integer[])
    returns table (document_id bigint, block bigint, units integer)
    language plpgsql stable parallel safe rows 5000 set enable_seqscan = off as $$
    declare
      form text;
      of_languages text[];
      has_several boolean;
    begin
      for i in 1..cardinality(marks) loop
        return query
          select held.document_id, held.block, units_of_word[i]
          from word_counts held where held.words @> array[(sought || marks[i]) collate "C"];
      end loop;
      if cardinality(stems) = 0 then return; end if;
      has_several := (select count(*) > 1 from analysed_languages);
      for form, of_languages in select * from other_forms_of(sought, languages, stems, are_words) loop
        for i in 1..cardinality(marks) loop
          if has_several then
            return query
              select held.document_id, held.block, units_of_form[i]
              from word_counts held
              left join document_languages on document_languages.document_id = held.document_id
              where held.words @> array[(form || marks[i]) collate "C"]
                and coalesce(document_languages.language, 'eng') = any(of_languages);
          else
            return query
              select held.document_id, held.block, units_of_form[i]
              from word_counts held where held.words @> array[(form || marks[i]) collate "C"];
          end if;
        end loop;
      end loop;
    end $$`,
];
