import { sql } from "kysely";
import type { Writer } from "../database/database.ts";
import type { CountedBlock, WordForm } from "./word-index.ts";

/*
 * The forms of words. The table `word_forms` has each indexed word that differs from its stem, under its stem. A search
 * for a word looks up the other words of its stem within its own statement. The index has no stems, so it does not
 * grow, and an exact search reads nothing of this.
 *
 * English rules for all texts, and only for words of the letters a to z: words are folded before they get here, and the
 * rules of most other languages need accents. That a word belongs to a stem depends on the two alone, so a row tells
 * nothing about the document that it came from.
 */

let english: ((word: string) => string) | undefined;

/** Loads the rules, which takes 25 ms, before the first search and before the first text is indexed. */
export async function loadStemmer(): Promise<void> {
  english ??= (await import("multilingual-stemmer")).createStemmer("en");
}

const stemmable = /^[a-z]{3,30}$/;

/** The stem of a word, or the word itself if there are no rules for it. {@link loadStemmer} must have ended. */
export function stemOf(word: string): string {
  if (!stemmable.test(word)) return word;
  if (english === undefined) throw new Error("The stemmer has not been loaded");
  return english(word);
}

/** What a process remembers of `word_forms`, so that a text costs little whose words are there. */
interface Remembered {
  /** Words that are in the table, or that are their own stems. */
  words: Set<string>;
  /** The number of removals that the table had seen. */
  removals: number;
}

const remembered = new WeakMap<object, Remembered>();
const maxRemembered = 200_000;
/** The words that a transaction has added itself. It might still be rolled back, so they are not remembered yet. */
const added = new WeakMap<Writer, Set<string>>();

/**
 * Removals are counted in the database, so that no process trusts its memory after another one has removed a word. A
 * transaction that removes words excludes those that add some (`lockVocabulary`).
 */
async function remember(writer: Writer): Promise<Set<string>> {
  // All transactions of a database have the same adapter.
  const { adapter } = writer.getExecutor();
  const { rows } = await sql<{ removals: number }>`select removals from word_form_removals`.execute(writer);
  const removals = rows[0]?.removals ?? 0;
  const known = remembered.get(adapter);
  if (known?.removals === removals && known.words.size <= maxRemembered) return known.words;
  const words = new Set<string>();
  remembered.set(adapter, { words, removals });
  return words;
}

/**
 * Adds those words of some blocks to `word_forms` that are not there. `insert` returns the words that
 * it added.
 */
export async function addForms(
  writer: Writer,
  blocks: readonly CountedBlock[],
  insert: (forms: readonly WordForm[]) => Promise<string[]>,
): Promise<void> {
  await loadStemmer();
  const known = await remember(writer);
  const own = added.get(writer) ?? new Set();
  added.set(writer, own);
  const stems = new Map<string, WordForm>();
  for (const { words } of blocks) {
    for (const word of words) {
      if (known.has(word) || own.has(word)) continue;
      const stem = stemOf(word);
      if (stem === word) known.add(copyOf(word));
      else stems.set(word, { word, stem });
    }
  }
  // Sorted, so that two transactions that add the same words wait for each other without a deadlock.
  const forms = [...stems.values()].toSorted((one, other) => (one.word < other.word ? -1 : 1));
  if (forms.length === 0) return;
  for (const word of await insert(forms)) own.add(copyOf(word));
  for (const { word } of forms) if (!own.has(word)) known.add(copyOf(word));
}

/** A word may be a slice of its page's text, which it would keep in memory. */
function copyOf(word: string): string {
  return Buffer.from(word).toString();
}
