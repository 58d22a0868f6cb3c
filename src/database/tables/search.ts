import type { ColumnType } from "kysely";

/* The tables of the word index (search/word-index.ts), all of which are made from the texts. */

/** The text index: see migrations/0007-search.ts. The engines have different columns. */
export interface DocumentWordsTable {
  /** SQLite: the document and the part combined into one number. */
  rowid: bigint;
  document_id: number;
  part: number;
  /** PostgreSQL: a long part is split. */
  stretch: number;
  words: string;
}

/** The vocabulary of the text index. */
export interface SearchVocabularyTable {
  /** SQLite. */
  term: string;
  /** PostgreSQL. */
  word: string;
}

/** Differs by engine; see search/word-index.ts. */
export type WordCountsTable = DocumentWordsTable;

/** On SQLite: the words in `word_counts`, each with the mark of its count (search/word-counts.ts). */
export interface CountedTermsTable {
  term: ColumnType<string, never, never>;
}

/** The number of words in each block of pages (search/parts.ts). */
export interface BlockLengthsTable {
  document_id: number;
  block: number;
  words: number;
}

/** The number of words in the pages of each document. */
export interface DocumentLengthsTable {
  document_id: number;
  words: number;
}

/** Indexed words that differ from their stems (search/word-forms.ts). */
export interface WordFormsTable {
  stem: string;
  word: string;
}

/** One row. */
export interface WordFormRemovalsTable {
  removals: number;
}

/** One row until the words of all documents are counted. */
export interface WordCountProgressTable {
  /** The last document whose words are counted. */
  counted_to: number;
}

/** The documents whose words are not in the index yet: see 0045-importing-records.ts. */
export interface UnindexedDocumentsTable {
  document_id: number;
}
