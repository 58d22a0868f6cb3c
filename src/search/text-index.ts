import type { RawBuilder } from "kysely";
import type { Reader, Writer } from "../database/database.ts";
import { type Dialect, dialectOf } from "../database/dialect.ts";
import type { WordCondition } from "./matches.ts";
import type { TextPart } from "./parts.ts";
import { postgresIndex } from "./postgres-index.ts";
import { sqliteIndex } from "./sqlite-index.ts";
import type { PartName, WordIndex } from "./word-index.ts";
import { plainWordsOf } from "./words.ts";

/*
 * The index is updated in the transaction that changes the text, and holds the words that words.ts produces: so both
 * engines index the same words, and searches always see the current text. Rows are deleted with their document (by a
 * trigger, or by their foreign key).
 */

const indexes: Readonly<Record<Dialect["engine"], WordIndex>> = {
  sqlite: sqliteIndex,
  postgres: postgresIndex,
};

function indexOf(executor: Reader | Writer): WordIndex {
  return indexes[dialectOf(executor).engine];
}

/**
 * Rows of `document_id` and `part`, perhaps more than one for a part; of some documents, or (null) of all. A condition
 * without words matches nothing.
 */
export function partsWith(
  { engine }: Dialect,
  condition: WordCondition,
  documentIds: readonly number[] | null,
): RawBuilder<unknown> {
  const index = indexes[engine];
  return "pattern" in condition
    ? index.partsWithPattern(condition.pattern, documentIds)
    : index.partsWithWords(condition, documentIds);
}

/** Brings parts into the index, in place of what it has of them; `areNew` spares the look. */
export async function indexTexts(
  writer: Writer,
  parts: readonly TextPart[],
  { areNew = false }: { areNew?: boolean } = {},
): Promise<void> {
  if (parts.length === 0) return;
  const index = indexOf(writer);
  if (!areNew) await index.remove(writer, parts);
  const worded = parts.flatMap(({ documentId, part, text }) => {
    const words = plainWordsOf(text);
    return words.length === 0 ? [] : [{ documentId, part, words }];
  });
  await index.add(writer, worded);
}

/** Takes the pages of a document out, as long as they are in `document_pages`. */
export function forgetPages(writer: Writer, documentId: number): Promise<void> {
  return indexOf(writer).removePages(writer, documentId);
}

/** The parts of a document that the index has. */
export async function indexedParts(reader: Reader, documentId: number): Promise<number[]> {
  const { rows } = await indexOf(reader).partsOf(documentId).execute(reader);
  return rows.map(({ part }) => part);
}

/**
 * Blocks other transactions that add words until this one ends, so that {@link forgetUnusedWords} removes no word
 * that another is about to use. Call it before anything is indexed in the transaction and after the rows of documents
 * are locked, to avoid deadlocks.
 */
export function lockVocabulary(writer: Writer): Promise<void> {
  return indexOf(writer).lockVocabulary(writer);
}

/** Takes words off the list of those that are in the index, if no text has them any more. */
export function forgetUnusedWords(writer: Writer, words: readonly string[]): Promise<void> {
  return indexOf(writer).forgetUnusedWords(writer, words);
}

/** The words among these that the index has for a part of a document. */
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
  return held;
}

/**
 * Rewrites some of the index without its deleted content. SQLite only marks a row as deleted, and its words stay in
 * the file until their block is rewritten, although no query sees them. Returns false when nothing is left to do. The
 * first step schedules the whole index; each step takes a fraction of a second.
 */
export function purgeStep(writer: Writer, step: "first" | "next"): Promise<boolean> {
  return indexOf(writer).purgeStep(writer, step);
}
