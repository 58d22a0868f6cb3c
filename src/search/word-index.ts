import type { RawBuilder } from "kysely";
import type { Reader, Writer } from "../database/database.ts";
import type { PlainCondition } from "./matches.ts";
import type { TextPart } from "./parts.ts";
import type { VocabularyPattern } from "./query-tree.ts";

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

/** A block with its words and their counts (word-counts.ts). */
export interface CountedBlock extends BlockName {
  terms: readonly string[];
  /** Whether the index has no entry for it yet. */
  isNew: boolean;
}

/** The index of words on one engine: sqlite-index.ts and postgres-index.ts. The text index (text-index.ts) picks one. */
export interface WordIndex {
  /**
   * Rows of `document_id` and `part`, perhaps more than one for a part; of some documents, or (null) of all. A condition
   * without words matches nothing.
   */
  partsWithWords(condition: PlainCondition, documentIds: readonly number[] | null): RawBuilder<unknown>;
  /**
   * The words that a pattern stands for are looked up where their parts are, all of them, however many there are: a limit
   * would tell of hidden documents, whose words are in the same list. As one expression they would be compared with
   * each part one by one, and PostgreSQL would refuse a long one.
   */
  partsWithPattern(pattern: VocabularyPattern, documentIds: readonly number[] | null): RawBuilder<unknown>;
  /** The parts of a document that have an entry. */
  partsOf(documentId: number): RawBuilder<{ part: number }>;
  /** One row where the entry of a part has the word, else none. */
  entryWithWord(part: PartName, word: string): RawBuilder<unknown>;
  /** Adds entries for parts that have none. */
  add(writer: Writer, parts: readonly WordedPart[]): Promise<void>;
  remove(writer: Writer, parts: readonly PartName[]): Promise<void>;
  /** Removes the entries and the counts of a document's pages, as long as they are in `document_pages`. */
  removePages(writer: Writer, documentId: number): Promise<void>;
  /**
   * Rows of `document_id`, `part` and `pages`: how many pages of a block hold a word. The part is the block's number
   * (parts.ts).
   */
  countsOf(word: string): RawBuilder<unknown>;
  /**
   * Rows of `word` and `blocks`: the counted words that match a pattern, and in how many blocks of shown documents they
   * are, counted up to `max`. `isShown` is a condition on `documents`. Words that no shown document has are left out.
   * Notes do not count, because they have rights of their own.
   */
  shownVocabulary(pattern: VocabularyPattern, isShown: RawBuilder<unknown>, max: number): RawBuilder<unknown>;
  /** Puts the counts of blocks in place of those that there are. */
  putCounts(writer: Writer, blocks: readonly CountedBlock[]): Promise<void>;
  /** One row where the counts of a block have one of these terms, else none. */
  countsWithTerm(block: BlockName, terms: readonly string[]): RawBuilder<unknown>;
  /** The number of words that are counted in each of these blocks. Blocks without an entry are left out. */
  countedWords(
    reader: Reader | Writer,
    documentId: number,
    blocks: readonly number[],
  ): Promise<ReadonlyMap<number, number>>;
  /** See `lockVocabulary` in text-index.ts. */
  lockVocabulary(writer: Writer): Promise<void>;
  /** Removes words that no text has any more from the list of those in the index. */
  forgetUnusedWords(writer: Writer, words: readonly string[]): Promise<void>;
  /** See `purgeStep` in text-index.ts. */
  purgeStep(writer: Writer, step: "first" | "next"): Promise<boolean>;
}
