import type { Terms } from "./terms.ts";
import { wordFunctions } from "./word-functions.ts";

/** What searches read: the index of words, counts of words, languages, and fingerprints of texts. */
export const search = (terms: Terms): string[] => [
  ...(terms.engine === "postgres" ? wordsOnPostgres(terms) : wordsOnSqlite),
  ...lengths(terms),
  ...languages(terms),
  ...fingerprints(terms),
  ...(terms.engine === "postgres" ? wordFunctions : []),
];

/*
 * Each part of a document has its own entry (search/parts.ts): its title, source and description, every page, and every
 * note. A document matches if its parts do, the same way in both engines: no engine could index the text of a large
 * document as a whole (a tsvector ends at a megabyte), and the matching pages are known at once.
 *
 * `word_counts` says how often each word occurs, roughly, by blocks of 32 pages (search/word-counts.ts). Ranking and
 * the search for single words read one entry for each block instead of one for each page.
 */

/**
 * SQLite keeps no copy of the texts (`content = ''`). It finds words by a number that combines the document and the
 * part, and counts by one that has the document in the lower bits, so that most entries of a word are next to each
 * other. A word whose last row has been deleted may remain in the index's blocks until they are merged, so redacted
 * words are purged (resources/documents/rewriting/purge-index.ts). The virtual tables of its words are for patterns and
 * suggestions.
 */
const wordsOnSqlite = [
  `create virtual table document_words using fts5(
    words, content = '', contentless_delete = 1,
    tokenize = "ascii"
  )`,
  `create virtual table search_vocabulary using fts5vocab(document_words, row)`,
  `create virtual table word_counts using fts5(
    words, content = '', contentless_delete = 1, detail = none,
    tokenize = "ascii"
  )`,
  `create virtual table counted_terms using fts5vocab(word_counts, row)`,
  `create trigger documents_forget_words before delete on documents begin
    delete from document_words where rowid in (
      select old.id * 1048576 + value from json_each('[0, 1, 2]')
      union all select old.id * 1048576 + 3 + page from document_pages where document_id = old.id);
    delete from word_counts where rowid in (
      select value * 1099511627776 + old.id from json_each('[0, 1, 2]')
      union select (3 + page / 32) * 1099511627776 + old.id from document_pages where document_id = old.id);
  end`,
];

/**
 * PostgreSQL has no list of its words, which patterns need, so a table holds it. It finds blocks in an index alone; a
 * short list of pending entries keeps that index fast after writes. `documents_forget` removes these rows.
 */
const wordsOnPostgres = ({ text }: Terms): string[] => [
  `create table document_words (
    document_id bigint not null,
    part bigint not null,
    stretch bigint not null,
    words tsvector not null,
    primary key (document_id, part, stretch)
  )`,
  `create index document_words_by_word on document_words using gin (words)`,
  `create table search_vocabulary (word ${text} primary key)`,
  `create table word_counts (
    document_id bigint not null,
    block bigint not null,
    words text[] collate "C" not null,
    primary key (document_id, block)
  )`,
  `create index word_counts_by_word on word_counts using gin (words) with (gin_pending_list_limit = 1024)`,
];

/**
 * `block_lengths` has the number of words in each block of pages, and `document_lengths` their sums. While the words of
 * existing documents are counted again, `word_count_progress` has the id of the last counted document, and searches
 * read the pages of later ones.
 */
const lengths = ({ id, withoutRowid }: Terms): string[] => [
  `create table block_lengths (
    document_id bigint not null references documents (id) on delete cascade,
    block bigint not null,
    words bigint not null,
    primary key (document_id, block)
  ) ${withoutRowid}`,
  `create table document_lengths (
    document_id ${id} primary key references documents (id) on delete cascade,
    words bigint not null
  )`,
  `create table word_count_progress (counted_to bigint not null)`,
  // The documents whose words are not in the index yet. No foreign key: the job drops the rows of deleted documents.
  `create table unindexed_documents (document_id ${id} primary key)`,
];

/**
 * `word_forms` has the words of each stem (search/word-forms.ts), and `word_form_removals` one row with the number of
 * times that any were removed. `document_languages` has the language in which a document's words have forms, and what
 * was recognised of its texts. A document without a row is in English. `analysed_languages` has each of these languages
 * once. The job that recognises languages goes through `unrecognised_documents`.
 */
const languages = ({ text, id, withoutRowid }: Terms): string[] => [
  `create table word_forms (
    language ${text} not null,
    stem ${text} not null,
    word ${text} not null,
    primary key (language, stem, word)
  ) ${withoutRowid}`,
  `create index word_forms_words on word_forms (word)`,
  `create table word_form_removals (removals bigint not null)`,
  `insert into word_form_removals values (0)`,
  `create table document_languages (
    document_id ${id} primary key references documents (id) on delete cascade,
    language ${text} not null,
    recognised ${text},
    certainty double precision
  )`,
  `create table analysed_languages (language ${text} primary key)`,
  `insert into analysed_languages values ('eng')`,
  `create table unrecognised_documents (
    document_id ${id} primary key references documents (id) on delete cascade
  )`,
];

/**
 * The fingerprints of texts, by which nearly equal documents are found (resources/documents/pages/fingerprints.ts). A
 * document whose fingerprint has still to be made has no number of words. `requests` counts the changes of its text, so
 * that a fingerprint of an earlier text is never kept. `fingerprint_bands` has the parts that are compared.
 */
const fingerprints = ({ text, id }: Terms): string[] => [
  `create table document_fingerprints (
    document_id ${id} primary key references documents (id) on delete cascade,
    requests bigint not null,
    words bigint,
    hashes ${text}
  )`,
  `create index document_fingerprints_to_make on document_fingerprints (document_id) where words is null`,
  `create table fingerprint_bands (
    band bigint not null,
    document_id bigint not null references documents (id) on delete cascade,
    primary key (band, document_id)
  )`,
  `create index fingerprint_bands_by_document on fingerprint_bands (document_id)`,
];
