import type { RawBuilder } from "kysely";
import type { Reader, Writer } from "../database/database.ts";
import type { PlainCondition } from "./matches.ts";
import type { TextPart } from "./parts.ts";
import type { VocabularyPattern } from "./query-tree.ts";
import type { FormStem } from "./stems.ts";

export type PartName = Omit<TextPart, "text">;

/** A part that has words. */
export interface WordedPart extends PartName {
  words: readonly string[];
}

/** A block by its name. */
export interface BlockName {
  documentId: number;
  block: number;
}

/** A block with the number of its counted words. */
export interface BlockWords extends BlockName {
  words: number;
}

/** A block with its words and their counts (word-counts.ts). */
export interface CountedBlock extends BlockName {
  terms: readonly string[];
  /** The words of the terms, in the same order. */
  words: readonly string[];
  /** The number of words, with repetitions. */
  length: number;
  /** Whether the index has no entry for it yet. */
  isNew: boolean;
}

/** A word of documents in a language, and a stem of it that is another word. */
export interface WordForm {
  language: string;
  stem: string;
  word: string;
}

/**
 * The index of words on one engine: sqlite-index.ts and postgres-index.ts. The text index (text-index.ts) picks one.
 */
export interface WordIndex {
  /**
   * Rows of `document_id` and `part`, of some documents or (null) of all. A part may have more than one row. A
   * condition without words matches nothing.
   */
  partsWithWords(condition: PlainCondition, documentIds: readonly number[] | null): RawBuilder<unknown>;
  /**
   * Finds the parts with any of the words that match a pattern, however many there are: a limit would reveal something
   * about hidden documents, whose words are in the same list. The words are looked up in the database. As one
   * expression, they would be compared with each part one by one, and PostgreSQL would refuse a long expression.
   */
  partsWithPattern(pattern: VocabularyPattern, documentIds: readonly number[] | null): RawBuilder<unknown>;
  /** The same for a word, and for the other words that have one of its stems (word-forms.ts). */
  partsWithForms(
    word: string,
    stems: readonly FormStem[],
    documentIds: readonly number[] | null,
  ): RawBuilder<unknown>;
  /** The parts of these documents that have an entry. */
  partsOf(documentIds: readonly number[]): RawBuilder<{ document_id: number; part: number }>;
  /** Rows of `document_id`: those of these documents of which any part has an entry. */
  documentsOf(documentIds: readonly number[]): RawBuilder<{ document_id: number }>;
  /** One row if the entry of a part has the word, otherwise none. */
  entryWithWord(part: PartName, word: string): RawBuilder<unknown>;
  /** Adds entries for parts that have none. */
  add(writer: Writer, parts: readonly WordedPart[]): Promise<void>;
  remove(writer: Writer, parts: readonly PartName[]): Promise<void>;
  /** Removes the entries and the counts of a document's pages. The pages must still be in `document_pages`. */
  removePages(writer: Writer, documentId: number): Promise<void>;
  /**
   * Rows of `document_id`, `part` and `units`: how often a block contains a word, in units of word-counts.ts. The part
   * is the block's number (parts.ts). With stems, rows for their other forms too, which weigh less.
   */
  countsOf(word: string, stems: readonly FormStem[]): RawBuilder<unknown>;
  /**
   * Rows of `word` and `blocks`: the counted words that match a pattern, and the number of blocks of shown documents
   * that contain them, counted up to `max`. `isShown` is a condition on `documents`. Words that occur in no shown
   * document are left out. Notes do not count, because they have their own permissions.
   */
  shownVocabulary(pattern: VocabularyPattern, isShown: RawBuilder<unknown>, max: number): RawBuilder<unknown>;
  /** Writes the counts of blocks, and replaces existing ones. */
  putCounts(writer: Writer, blocks: readonly CountedBlock[]): Promise<void>;
  /** Writes the lengths of blocks of pages, and replaces existing ones. */
  putLengths(writer: Writer, blocks: readonly CountedBlock[]): Promise<void>;
  /** Adds words with their stems (word-forms.ts). Returns those that were not there. */
  addForms(writer: Writer, forms: readonly WordForm[]): Promise<WordForm[]>;
  /** One row if the counts of a block include one of these terms, otherwise none. */
  countsWithTerm(block: BlockName, terms: readonly string[]): RawBuilder<unknown>;
  /** The number of counted words in each of these blocks. Blocks without an entry are left out, others may be in. */
  countedWords(reader: Reader | Writer, blocks: readonly BlockName[]): Promise<BlockWords[]>;
  /** See `lockVocabulary` in text-index.ts. */
  lockVocabulary(writer: Writer): Promise<void>;
  /** Removes words that no text contains any more from the lists of indexed words and of their forms. */
  forgetUnusedWords(writer: Writer, words: readonly string[]): Promise<void>;
  /** Those of these words that are in the list of forms although no text contains them. */
  unusedForms(writer: Writer, words: readonly string[]): Promise<string[]>;
  /** See `indexMany` in text-index.ts. */
  addMany(writer: Writer, work: () => Promise<void>): Promise<void>;
  /** See `purgeStep` in text-index.ts. */
  purgeStep(writer: Writer, step: "first" | "next"): Promise<boolean>;
}
