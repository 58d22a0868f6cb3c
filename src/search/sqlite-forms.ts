import { type RawBuilder, sql } from "kysely";
import type { FormStem } from "./stems.ts";
import { usualLanguage } from "./stems.ts";

/**
 * Rows of `word` and `languages`: the other words that have one of these stems (word-forms.ts), each with the languages
 * in which it does, as a text.
 */
export function otherForms(word: string, stems: readonly FormStem[]): RawBuilder<unknown> {
  const asked = JSON.stringify(stems.map(({ language, stem }) => [language, stem]));
  const themselves = JSON.stringify(
    stems.filter(({ isWord }) => isWord).map(({ language, stem }) => [language, stem]),
  );
  const isAnalysed = sql`asked.value ->> 0 in (select language from analysed_languages)`;
  return sql`select word, group_concat(language) as languages from (
      select word_forms.word as word, word_forms.language as language
        from json_each(${asked}) as asked cross join word_forms
        where ${isAnalysed} and word_forms.language = asked.value ->> 0
          and word_forms.stem = asked.value ->> 1 and word_forms.word <> ${word}
      union select asked.value ->> 1, asked.value ->> 0 from json_each(${themselves}) as asked where ${isAnalysed}
    ) group by word`;
}

/** The condition that a document is in one of some languages (null: in any), which needs no look-up if there is one. */
export function isInLanguages(
  languages: RawBuilder<unknown>,
  documentId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofDocument = sql`coalesce(
    (select language from document_languages where document_id = ${documentId}), ${sql.lit(usualLanguage)})`;
  return sql`(${languages} is null or (select count(*) from analysed_languages) < 2
    or instr(${languages}, ${ofDocument}) > 0)`;
}

/** Rows of `word`: those of some words, as JSON, that are in the list of forms although no text contains them. */
export function unusedForms(words: readonly string[]): RawBuilder<unknown> {
  return sql`select value from json_each(${JSON.stringify(words)})
    where not exists (select 1 from search_vocabulary where term = value)`;
}
