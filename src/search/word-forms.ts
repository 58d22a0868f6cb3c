import { sql } from "kysely";
import type { Writer } from "../database/database.ts";
import { dialectOf } from "../database/dialects.ts";
import { loadStemmer, stemsOf, usualLanguage } from "./stems.ts";
import type { CountedBlock, WordForm } from "./word-index.ts";

/*
 * The forms of words. The table `word_forms` has each word of the documents in a language under its stems there
 * (stems.ts), but not a word that is its own stem. A search for a word looks up the other words of its stems within its
 * own statement, and counts each of them in the documents of that language alone. The index has no stems, so it does
 * not grow, and an exact search reads nothing of this.
 *
 * A document matches because of its own words and its own language. The list has rows for both, whichever other
 * documents there are, so hidden documents change no result.
 *
 * `document_languages` has the language of each document, and what was recognised of it. A document without a row is in
 * the usual language. `analysed_languages` has each language once, so that a search need not look up languages where
 * there is one.
 */

/** What a process remembers of `word_forms`, so that a text costs little whose words are there. */
interface Remembered {
  /** By language: words that are in the table, or that are their own stems. */
  words: Map<string, Set<string>>;
  /** The number of removals that the table had seen. */
  removals: number;
}

const remembered = new WeakMap<object, Remembered>();
const maxRemembered = 200_000;
/**
 * By language, the words that a transaction has added itself. It might still be rolled back, so they are not remembered
 * yet.
 */
const added = new WeakMap<Writer, Map<string, Set<string>>>();

/**
 * Removals are counted in the database, so that no process trusts its memory after another one has removed a word. A
 * transaction that removes words excludes those that add some (`lockVocabulary`).
 */
async function remember(writer: Writer): Promise<Map<string, Set<string>>> {
  // All transactions of a database have the same adapter.
  const { adapter } = writer.getExecutor();
  const { rows } = await sql<{ removals: number }>`select removals from word_form_removals`.execute(writer);
  const removals = rows[0]?.removals ?? 0;
  const known = remembered.get(adapter);
  const size = known?.words.values().reduce((sum, words) => sum + words.size, 0) ?? 0;
  if (known?.removals === removals && size <= maxRemembered) return known.words;
  const words = new Map<string, Set<string>>();
  remembered.set(adapter, { words, removals });
  return words;
}

/**
 * Adds those words of some blocks to `word_forms` that are not there, in the languages of their documents. `insert`
 * returns the forms that it added.
 */
export async function addForms(
  writer: Writer,
  blocks: readonly CountedBlock[],
  insert: (forms: readonly WordForm[]) => Promise<WordForm[]>,
): Promise<void> {
  const ids = new Set(blocks.map(({ documentId }) => documentId));
  const languages = await analysisLanguages(writer, [...ids]);
  const byLanguage = Map.groupBy(blocks, ({ documentId }) => languages.get(documentId) ?? usualLanguage);
  // In the same order in each transaction: see below.
  for (const language of [...byLanguage.keys()].toSorted()) {
    await addFormsIn(writer, language, byLanguage.get(language) ?? [], insert);
  }
}

/** The same for words of documents that are in a language. */
export async function addFormsIn(
  writer: Writer,
  language: string,
  texts: readonly { words: readonly string[] }[],
  insert: (forms: readonly WordForm[]) => Promise<WordForm[]>,
): Promise<void> {
  await loadStemmer();
  const memory = await remember(writer);
  const known = wordsIn(memory, language);
  const ofTransaction = added.get(writer) ?? new Map<string, Set<string>>();
  added.set(writer, ofTransaction);
  const own = wordsIn(ofTransaction, language);
  const forms = new Map<string, WordForm[]>();
  for (const { words } of texts) {
    for (const word of words) {
      if (known.has(word) || forms.has(word) || own.has(word)) continue;
      const stems = stemsOf(language, word).filter((stem) => stem !== word);
      if (stems.length === 0) known.add(copyOf(word));
      else
        forms.set(
          word,
          stems.map((stem) => ({ language, word, stem })),
        );
    }
  }
  // Sorted, so that two transactions that add the same words wait for each other without a deadlock.
  const all = [...forms.values()].flat().toSorted(byStem);
  if (all.length === 0) return;
  for (const { word } of await insert(all)) own.add(word);
  for (const { word } of all) if (!own.has(word)) known.add(copyOf(word));
}

function wordsIn(languages: Map<string, Set<string>>, language: string): Set<string> {
  const words = languages.get(language) ?? new Set();
  languages.set(language, words);
  return words;
}

function byStem(one: WordForm, other: WordForm): number {
  if (one.stem !== other.stem) return one.stem < other.stem ? -1 : 1;
  return one.word < other.word ? -1 : 1;
}

/** A word may be a slice of its page's text, which it would keep in memory. */
function copyOf(word: string): string {
  return Buffer.from(word).toString();
}

/**
 * The languages that these documents are analysed in. A new document is analysed in the language that its record names,
 * until its texts say more (`language-store.ts`).
 */
async function analysisLanguages(
  writer: Writer,
  documentIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const dialect = dialectOf(writer);
  const { rows } = await sql<{ id: number; language: string; analysed: string | null }>`
    select documents.id, documents.language, document_languages.language as analysed
    from documents left join document_languages on document_languages.document_id = documents.id
    where ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(documentIds)}`)}`.execute(writer);
  for (const { id, language, analysed } of rows) {
    if (analysed === null && language !== "" && language !== usualLanguage)
      await putLanguage(writer, id, { language, recognised: null, certainty: null });
  }
  // A database that was filled from another one has the languages of its documents, but not yet their list.
  const others = new Set(rows.flatMap(({ analysed }) => (analysed === null ? [] : [analysed])));
  for (const language of others) if (language !== usualLanguage) await listLanguage(writer, language);
  return new Map(rows.map(({ id, language, analysed }) => [id, (analysed ?? language) || usualLanguage]));
}

/** The language of a document: the one that it is analysed in, and what was recognised of its texts. */
export interface DocumentLanguage {
  language: string;
  /** Null if nothing could be recognised. */
  recognised: string | null;
  /** The share of the text that is in that language, from 0 to 1. */
  certainty: number | null;
}

/** Records the language of a document. Its words must get their forms in that language in the same transaction. */
export async function putLanguage(
  writer: Writer,
  document_id: number,
  values: DocumentLanguage,
): Promise<void> {
  await listLanguage(writer, values.language);
  await writer
    .insertInto("document_languages")
    .values({ document_id, ...values })
    .onConflict((conflict) => conflict.column("document_id").doUpdateSet(values))
    .execute();
}

async function listLanguage(writer: Writer, language: string): Promise<void> {
  await writer
    .insertInto("analysed_languages")
    .values({ language })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
