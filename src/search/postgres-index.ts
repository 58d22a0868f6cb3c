import { type RawBuilder, sql } from "kysely";
import { BulkInsert } from "../database/bulk-insert.ts";
import { postgresDialect as dialect } from "../database/postgres/dialect.ts";
import { withoutIndexes } from "../database/transfer/without-indexes.ts";
import { type PlainCondition, isWordOf, pairsOf, textOf } from "./matches.ts";
import { firstNotePart, partOfPage } from "./parts.ts";
import { maxWords } from "./query-limits.ts";
import type { PlainPattern } from "./query-tree.ts";
import { type FormStem, usualLanguage } from "./stems.ts";
import { countMarks, termsOf } from "./word-counts.ts";
import type { BlockWords, WordForm, WordIndex } from "./word-index.ts";

/** An existing entry is a bug, so there is no conflict clause. */
const plainly = { insert: sql`insert into`, otherwise: null };

const newWords = new BulkInsert<{ document_id: number; part: number; stretch: number; words: string }>(
  "document_words",
  ["document_id", "part", "stretch", "words"],
  plainly,
);

/** A table of `tsvector`s, and next to it the list of their words, which patterns need. */
export const postgresIndex: WordIndex = {
  partsWithWords: (condition, documentIds) => sql`select document_id, part from document_words
    where words @@ ${expressionOf(condition)}::tsquery ${isOf(documentIds)}`,

  // Because of the offset, PostgreSQL looks up each word in its index of words instead of comparing all words with all
  // parts.
  partsWithPattern: (pattern, documentIds) => sql`select distinct holding.document_id, holding.part
    from search_vocabulary
    cross join lateral (
      select document_id, part from document_words
      where words @@ quote_literal(search_vocabulary.word)::tsquery ${isOf(documentIds)}
      offset 0
    ) as holding
    where ${isWordOf(sql`search_vocabulary.word`, pattern)}`,

  partsWithForms: (word, stems, documentIds) => sql`select holding.document_id, holding.part
    from (select ${word}::text as word, null::text[] as languages
      union all select * from other_forms_of(${word}, ${sql.join(formArrays(stems))})) as forms
    cross join lateral (
      select document_id, part from document_words
      where words @@ quote_literal(forms.word)::tsquery ${isOf(documentIds)}
      offset 0
    ) as holding
    where forms.languages is null or (select count(*) from analysed_languages) < 2 or coalesce(
      (select language from document_languages where document_languages.document_id = holding.document_id),
      ${sql.lit(usualLanguage)}) = any(forms.languages)`,

  partsOf: (documentIds) => sql`select distinct document_id, part from document_words
    where ${dialect.isAmong(sql`document_id`, sql`${dialect.list(documentIds)}`)}`,

  documentsOf: (documentIds) => sql`select asked as document_id from unnest(${documentIds}::bigint[]) as asked
    where exists (select 1 from document_words where document_id = asked)`,

  entryWithWord: ({ documentId, part }, word) => sql`select 1 from document_words
    where document_id = ${documentId} and part = ${part} and words @@ quote_literal(${word}::text)::tsquery`,

  async add(writer, parts) {
    const rows = parts.flatMap(({ documentId: document_id, part, words }) =>
      stretchesOf(words).map((vector, stretch) => ({ document_id, part, stretch, words: vector })),
    );
    await newWords.run(writer, rows);
    // Sorted, so that two transactions that add the same words wait for each other without a deadlock.
    const vocabulary = [...new Set(parts.flatMap(({ words }) => words))].toSorted();
    await sql`insert into search_vocabulary (word)
      select unnest(${vocabulary}::text[]) on conflict do nothing`.execute(writer);
  },

  async remove(writer, parts) {
    await sql`delete from document_words using unnest(
        ${parts.map(({ documentId }) => documentId)}::bigint[], ${parts.map(({ part }) => part)}::bigint[]
      ) as gone (document_id, part)
      where document_words.document_id = gone.document_id and document_words.part = gone.part`.execute(
      writer,
    );
  },

  async removePages(writer, documentId) {
    await sql`delete from document_words where document_id = ${documentId}
      and part >= ${partOfPage(0)} and part < ${firstNotePart}`.execute(writer);
    await sql`delete from word_counts where document_id = ${documentId}
      and block >= ${partOfPage(0)} and block < ${firstNotePart}`.execute(writer);
  },

  countsOf: (word, stems) => sql`select document_id, block as part, units from word_counts_of(
    ${word}, ${sql.join(formArrays(stems))}, ${countMarks.map(({ mark }) => mark)}::text[],
    ${countMarks.map(({ units }) => units)}::integer[],
    ${countMarks.map(({ unitsOfForm }) => unitsOfForm)}::integer[])`,

  shownVocabulary(pattern, isShown, max) {
    const marks = termsOf("").map(({ term }) => term);
    const word = sql.ref("search_vocabulary.word");
    const counts = sql`held.block < ${sql.lit(firstNotePart)} and ${isShown}`;
    // A common word need not be counted to the end if `max` of its first 3 × `max` blocks are shown. The offsets keep
    // the planner from repeating the subqueries wherever their columns are read.
    return sql`select word, blocks from (
        select ${word} as word, array(select ${word} || mark from unnest(${marks}::text[]) as mark) as terms
        from search_vocabulary where ${isWordOf(word, pattern)}
      ) as words
      cross join lateral (
        select count(*) as read, count(*) filter (where ${counts}) as shown from ${blocksOfWord(3 * max)} offset 0
      ) as first
      cross join lateral (
        select case when first.shown < ${sql.lit(max)} and first.read = ${sql.lit(3 * max)}
            then (select count(*) from (select 1 from ${blocksOfWord(null)} where ${counts} limit ${sql.lit(max)}) as shown)
            else least(first.shown, ${sql.lit(max)}) end as blocks
        offset 0
      ) as counted
      where blocks > 0`;
  },

  async putCounts(writer, blocks) {
    const replaced = blocks.filter(({ isNew }) => !isNew);
    if (replaced.length > 0) {
      await sql`delete from word_counts using unnest(
          ${replaced.map(({ documentId }) => documentId)}::bigint[], ${replaced.map(({ block }) => block)}::bigint[]
        ) as gone (document_id, block)
        where word_counts.document_id = gone.document_id and word_counts.block = gone.block`.execute(writer);
    }
    const rows = blocks.filter(({ terms }) => terms.length > 0);
    if (rows.length === 0) return;
    // Terms have no spaces, and PostgreSQL splits a text faster than it reads a list.
    await sql`insert into word_counts (document_id, block, words)
      select document_id, block, string_to_array(words, ' ') from unnest(
        ${rows.map(({ documentId }) => documentId)}::bigint[], ${rows.map(({ block }) => block)}::bigint[],
        ${rows.map(({ terms }) => terms.join(" "))}::text[]
      ) as added (document_id, block, words)`.execute(writer);
  },

  async putLengths(writer, blocks) {
    if (blocks.length === 0) return;
    const documents = blocks.map(({ documentId }) => documentId);
    await sql`insert into block_lengths (document_id, block, words)
      select * from unnest(${documents}::bigint[], ${blocks.map(({ block }) => block)}::bigint[],
        ${blocks.map(({ length }) => length)}::bigint[])
      on conflict (document_id, block) do update set words = excluded.words`.execute(writer);
    await sql`insert into document_lengths (document_id, words)
      select document_id, sum(words) from block_lengths
      where document_id = any(${[...new Set(documents)]}::bigint[]) group by document_id
      on conflict (document_id) do update set words = excluded.words`.execute(writer);
  },

  async addForms(writer, forms) {
    const { rows } = await sql<WordForm>`insert into word_forms (language, stem, word)
      select * from unnest(${forms.map(({ language }) => language)}::text[],
        ${forms.map(({ stem }) => stem)}::text[], ${forms.map(({ word }) => word)}::text[])
      on conflict do nothing returning language, stem, word`.execute(writer);
    return rows;
  },

  countsWithTerm: ({ documentId, block }, terms) => sql`select 1 from word_counts
    where document_id = ${documentId} and block = ${block} and words && ${terms}::text[]`,

  async countedWords(reader, blocks) {
    const documentIds = [...new Set(blocks.map(({ documentId }) => documentId))];
    const { rows } = await sql<BlockWords>`
      select document_id as "documentId", block, cardinality(words) as words from word_counts
      where ${dialect.isAmong(sql`document_id`, sql`${dialect.list(documentIds)}`)}`.execute(reader);
    return rows;
  },

  async lockVocabulary(writer) {
    await sql`lock table search_vocabulary in share row exclusive mode`.execute(writer);
  },

  async forgetUnusedWords(writer, words) {
    if (words.length === 0) return;
    await sql`delete from search_vocabulary where word = any(${words}::text[])
      and not exists (select 1 from document_words where words @@ quote_literal(word)::tsquery)`.execute(
      writer,
    );
    const { numAffectedRows = 0n } = await sql`delete from word_forms
      where word = any(${words}::text[]) and ${isUnused}`.execute(writer);
    if (numAffectedRows > 0n)
      await sql`update word_form_removals set removals = removals + 1`.execute(writer);
  },

  async unusedForms(writer, words) {
    const { rows } = await sql<{ word: string }>`select distinct word from word_forms
      where word = any(${words}::text[]) and ${isUnused}`.execute(writer);
    return rows.map(({ word }) => word);
  },

  addMany: (writer, work) => withoutIndexes(writer, ["document_words", "word_counts"], work),

  // The words of a deleted row are deleted with it.
  purgeStep: () => Promise.resolve(false),
};

/** The stems as three lists: their languages, the stems, and whether each is a word. */
function formArrays(stems: readonly FormStem[]): RawBuilder<unknown>[] {
  return [
    sql`${stems.map(({ language }) => language)}::text[]`,
    sql`${stems.map(({ stem }) => stem)}::text[]`,
    sql`${stems.map(({ isWord }) => isWord)}::boolean[]`,
  ];
}

/** The condition on `word_forms` for those words that no text contains. */
const isUnused = sql`not exists (select 1 from search_vocabulary where search_vocabulary.word = word_forms.word)`;

/** Blocks that contain a word of `words`, at most `max` or (null) all, with their documents. */
function blocksOfWord(max: number | null): RawBuilder<unknown> {
  return sql`blocks_with_terms(words.terms, ${sql.lit(max)}) as held join documents on documents.id = held.document_id`;
}

function isOf(documentIds: readonly number[] | null): RawBuilder<unknown> {
  return documentIds === null
    ? sql``
    : sql`and ${dialect.isAmong(sql`document_id`, sql`${dialect.list(documentIds)}`)}`;
}

function expressionOf(condition: PlainCondition): string {
  if ("phrase" in condition) return condition.phrase.map(quoted).join(" <-> ");
  // The distance 0 is included, so that a word is near itself, as in SQLite.
  const distances = Array.from({ length: condition.slop + 2 }, (_, index) => index);
  return pairsOf(condition.near)
    .map(([word, other]) => {
      const orders = distances.flatMap((distance) => [
        `${quoted(word)} <${distance}> ${quoted(other)}`,
        `${quoted(other)} <${distance}> ${quoted(word)}`,
      ]);
      return `(${orders.join(" | ")})`;
    })
    .join(" & ");
}

function quoted(pattern: PlainPattern): string {
  return `'${textOf(pattern)}'${"start" in pattern ? ":*" : ""}`;
}

/**
 * PostgreSQL keeps at most 256 positions of a word in a text, and none beyond the 16,383rd word. So long texts are
 * split. Each stretch begins with the last words of the previous one, as many as a phrase in a query may have, so that
 * a phrase is found even where two stretches meet.
 */
const wordsPerStretch = 4096;
const positionsOfWord = 256;
const wordsInCommon = maxWords;

function stretchesOf(words: readonly string[]): string[] {
  const stretches: string[] = [];
  for (let start = 0, end = 0; end < words.length; start = end - wordsInCommon) {
    const positions = new Map<string, number[]>();
    end = positionsFrom(words, start, positions);
    stretches.push(vectorOf(positions));
  }
  return stretches;
}

/**
 * Collects the positions of each word, counted from 1, as long as PostgreSQL keeps all positions of all words. Returns
 * where that ends.
 */
function positionsFrom(words: readonly string[], start: number, positions: Map<string, number[]>): number {
  const last = Math.min(start + wordsPerStretch, words.length);
  for (let at = start; at < last; at++) {
    const word = words[at] as string;
    const known = positions.get(word);
    if (known === undefined) positions.set(word, [at - start + 1]);
    else if (known.length < positionsOfWord) known.push(at - start + 1);
    else return at;
  }
  return last;
}

/** A text that PostgreSQL parses as a `tsvector`. Words contain nothing that needs quoting. */
function vectorOf(positions: ReadonlyMap<string, readonly number[]>): string {
  return [...positions].map(([word, all]) => `'${word}':${all.join(",")}`).join(" ");
}
