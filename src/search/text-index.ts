import type { RawBuilder } from "kysely";
import type { Reader, Writer } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { dialectOf } from "../database/dialects.ts";
import { type TextPart, blockOf, pagesOfBlock } from "./parts.ts";
import { type WordsPlan, singleWord } from "./plan.ts";
import { postgresIndex } from "./postgres-index.ts";
import type { VocabularyPattern } from "./query-tree.ts";
import { sqliteIndex } from "./sqlite-index.ts";
import { countBlocks, termsOf, wordsOfBlock } from "./word-counts.ts";
import type { FormStem } from "./stems.ts";
import { addForms, addFormsIn } from "./word-forms.ts";
import type { BlockName, BlockWords, CountedBlock, PartName, WordIndex, WordedPart } from "./word-index.ts";
import { plainWordsOf } from "./words.ts";

/*
 * The index is updated in the transaction that changes the text, and contains the words that words.ts produces. So both
 * engines index the same words, and searches always see the current text. Rows are deleted with their document, by a
 * trigger or by a foreign key.
 */

const indexes: Readonly<Record<Dialect["engine"], WordIndex>> = {
  sqlite: sqliteIndex,
  postgres: postgresIndex,
};

function indexOf(executor: Reader | Writer): WordIndex {
  return indexes[dialectOf(executor).engine];
}

/**
 * Rows of `document_id` and `part`, of some documents or (null) of all. A part may have more than one row. A condition
 * without words matches nothing.
 */
export function partsWith(
  { engine }: Dialect,
  { wanted: condition, stems }: Pick<WordsPlan, "wanted" | "stems">,
  documentIds: readonly number[] | null,
): RawBuilder<unknown> {
  const index = indexes[engine];
  const word = singleWord(condition);
  if (word !== null && stems.length > 0) return index.partsWithForms(word, stems, documentIds);
  return "pattern" in condition
    ? index.partsWithPattern(condition.pattern, documentIds)
    : index.partsWithWords(condition, documentIds);
}

/**
 * The word of a condition that the counts of words can answer: a single word, in any part or kind of part other than
 * one given page. Null otherwise.
 */
export function countedWord({ field, wanted }: Pick<WordsPlan, "field" | "wanted">): string | null {
  const isOfPage = field !== null && typeof field === "object";
  return isOfPage ? null : singleWord(wanted);
}

/**
 * Rows of `document_id`, `part` and `units`, at most one for each block and form of the word: how often the block has
 * it, in units of word-counts.ts. The part is the number of the block (parts.ts), which distinguishes a title from
 * pages and notes.
 */
export function countsOf({ engine }: Dialect, word: string, stems: readonly FormStem[]): RawBuilder<unknown> {
  return indexes[engine].countsOf(word, stems);
}

/**
 * Rows of `word` and `blocks`: the counted words that match a pattern, and the number of blocks of shown documents that
 * contain them, counted up to `max`. `isShown` is a condition on `documents`. Words that occur in no shown document are
 * left out.
 */
export function shownVocabulary(
  { engine }: Dialect,
  pattern: VocabularyPattern,
  isShown: RawBuilder<unknown>,
  max: number,
): RawBuilder<unknown> {
  return indexes[engine].shownVocabulary(pattern, isShown, max);
}

/**
 * Indexes parts, and replaces their existing entries; `areNew` skips the check for existing entries. Pages must be in
 * `document_pages` already, and no part may occur twice.
 */
export async function indexTexts(
  writer: Writer,
  parts: readonly TextPart[],
  { areNew = false }: { areNew?: boolean } = {},
): Promise<void> {
  if (parts.length === 0) return;
  const index = indexOf(writer);
  if (!areNew) await index.remove(writer, parts);
  const worded = parts.map(wordsOfPart);
  await index.add(
    writer,
    worded.filter(({ words }) => words.length > 0),
  );
  await putCounts(writer, await countBlocks(writer, worded, areNew));
}

/** Writes the counts of blocks, the forms of their words, and their lengths, which only pages have. */
async function putCounts(writer: Writer, blocks: readonly CountedBlock[]): Promise<void> {
  const index = indexOf(writer);
  await index.putCounts(writer, blocks);
  await addForms(writer, blocks, (forms) => index.addForms(writer, forms));
  await index.putLengths(
    writer,
    blocks.filter(({ block }) => pagesOfBlock(block) !== null),
  );
}

/**
 * Prepares the index for many new parts, which `work` adds in few large batches. Nothing may search meanwhile in the
 * same transaction, and no other transaction may use the index: PostgreSQL builds its indexes at the end.
 */
export function indexMany(writer: Writer, work: () => Promise<void>): Promise<void> {
  return indexOf(writer).addMany(writer, work);
}

/** Counts again the words of the blocks that these parts are in. See {@link indexTexts}. */
export async function countTexts(writer: Writer, parts: readonly TextPart[]): Promise<void> {
  await putCounts(writer, await countBlocks(writer, parts.map(wordsOfPart), false));
}

function wordsOfPart({ documentId, part, text }: TextPart): WordedPart {
  return { documentId, part, words: plainWordsOf(text) };
}

/** Removes the pages of a document from the index. They must still be in `document_pages`. */
export async function forgetPages(writer: Writer, documentId: number): Promise<void> {
  await indexOf(writer).removePages(writer, documentId);
  await writer.deleteFrom("block_lengths").where("document_id", "=", documentId).execute();
  await writer.deleteFrom("document_lengths").where("document_id", "=", documentId).execute();
}

/** The parts of these documents that are in the index. */
export async function indexedParts(reader: Reader, documentIds: readonly number[]): Promise<PartName[]> {
  const { rows } = await indexOf(reader).partsOf(documentIds).execute(reader);
  return rows.map(({ document_id, part }) => ({ documentId: document_id, part }));
}

/** Those of these documents of which any part is in the index. */
export async function indexedDocuments(
  reader: Reader | Writer,
  documentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await indexOf(reader).documentsOf(documentIds).execute(reader);
  return new Set(rows.map(({ document_id }) => document_id));
}

/** The number of counted words of blocks. Those without counted words are left out, others may be in. */
export function countedWords(
  reader: Reader | Writer,
  blocks: readonly BlockName[],
): Promise<readonly BlockWords[]> {
  return indexOf(reader).countedWords(reader, blocks);
}

/**
 * Blocks other transactions that add words until this one ends, so that {@link forgetUnusedWords} removes no word that
 * another transaction is about to use. To avoid deadlocks, call it before anything is indexed in the transaction and
 * after the rows of documents are locked.
 */
export function lockVocabulary(writer: Writer): Promise<void> {
  return indexOf(writer).lockVocabulary(writer);
}

/**
 * Removes words from the lists of indexed words and of their forms if no text contains them any more. The number of
 * removals tells other processes that what they remember of the forms is out of date.
 */
export async function forgetUnusedWords(writer: Writer, words: readonly string[]): Promise<void> {
  await indexOf(writer).forgetUnusedWords(writer, [...new Set(words)]);
}

/** Adds the words of texts to the list of forms, for documents in a language. The texts must be indexed already. */
export async function addFormsOf(writer: Writer, language: string, texts: readonly string[]): Promise<void> {
  const words = texts.map((text) => ({ words: plainWordsOf(text) }));
  await addFormsIn(writer, language, words, (forms) => indexOf(writer).addForms(writer, forms));
}

/**
 * Those of these words that the index has for a page of a document, that it counts in the page's block although no page
 * of the block contains them, or that are in the list of forms although no text contains them.
 */
export async function wordsInIndex(
  writer: Writer,
  part: PartName,
  words: readonly string[],
): Promise<string[]> {
  const index = indexOf(writer);
  const held: string[] = [];
  for (const word of new Set(words)) {
    const { rows } = await index.entryWithWord(part, word).execute(writer);
    if (rows.length > 0) held.push(word);
  }
  const block = { documentId: part.documentId, block: blockOf(part.part) };
  const standing = await wordsOfBlock(writer, block);
  for (const word of new Set(words)) {
    if (standing.has(word) || held.includes(word)) continue;
    const terms = termsOf(word).map(({ term }) => term);
    const { rows } = await index.countsWithTerm(block, terms).execute(writer);
    if (rows.length > 0) held.push(word);
  }
  return [...held, ...(await index.unusedForms(writer, [...new Set(words)]))];
}

/**
 * Rewrites a part of the index without its deleted content. SQLite only marks a row as deleted: its words stay in the
 * file until their block is rewritten, although no query sees them. Returns false when nothing is left to do. The first
 * step schedules the whole index; each step takes a fraction of a second.
 */
export function purgeStep(writer: Writer, step: "first" | "next"): Promise<boolean> {
  return indexOf(writer).purgeStep(writer, step);
}
