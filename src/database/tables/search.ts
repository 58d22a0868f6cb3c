import type { ColumnType } from "kysely";
import type { Generated } from "kysely";
import type { MentionKind } from "../../contract/search.ts";

/* The tables of the word index (search/word-index.ts), all of which are made from the texts. */

/** The text index: see migrations/baseline/search.ts. The engines have different columns. */
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

/** Words of documents in a language, with those of their stems that are other words (search/word-forms.ts). */
export interface WordFormsTable {
  language: string;
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

/** The documents whose words are not in the index yet: see migrations/baseline/search.ts. */
export interface UnindexedDocumentsTable {
  document_id: number;
}

/** The language in which a document's words have forms. Without a row, it is English. */
export interface DocumentLanguagesTable {
  document_id: number;
  language: string;
  /** The language of most of its text; null if none could be recognised. */
  recognised: string | null;
  /** The share of the text that is in that language, from 0 to 1. */
  certainty: number | null;
}

/** Each language of `document_languages`, and English. */
export interface AnalysedLanguagesTable {
  language: string;
}

/** The fingerprints of texts: see migrations/baseline/search.ts. */
export interface DocumentFingerprintsTable {
  document_id: number;
  requests: number;
  /** The number of words of the text; null if its fingerprint has still to be made. */
  words: number | null;
  /** See resources/documents/pages/fingerprints.ts. Null for a short text, too. */
  hashes: string | null;
}

/** The bands of fingerprints, each with the documents that have it. */
export interface FingerprintBandsTable {
  band: number;
  document_id: number;
}

/** Documents whose language is to be recognised again by a job. */
export interface UnrecognisedDocumentsTable {
  document_id: number;
}

/** What the recognisers have found in the texts of pages: see migrations/baseline/pages.ts. */
export interface MentionsTable {
  document_id: number;
  page: number;
  /** Where it begins in the text of the page. */
  start: number;
  kind: MentionKind;
  /** The same for all ways to write it: see recognisers/values.ts. */
  value: string;
  /** As the page has it. */
  written: string;
  /** The value of the recognisers, where a correction has replaced it. */
  recognised: Generated<string | null>;
}

/** What people say of mentions by hand: see migrations/baseline/pages.ts. */
export interface MentionCorrectionsTable {
  document_id: number;
  kind: MentionKind;
  /** That of the recognisers. */
  value: string;
  /** Null if it is no mention. */
  becomes: string | null;
}

/** Documents whose mentions are still to be found. */
export interface UnreadMentionsTable {
  document_id: number;
  /** The first page that has not been read. */
  from_page: number;
}

/** The vectors of the passages of a page: see migrations/baseline/pages.ts. */
export interface PageEmbeddingsTable {
  document_id: number;
  page: number;
  /** The model that they are of. */
  model: string;
  /** See processing/embedding/vectors.ts. */
  vectors: string;
}

/** Documents all of whose pages have the vectors of a model. */
export interface EmbeddedDocumentsTable {
  document_id: number;
  model: string;
}
