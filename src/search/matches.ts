import { type RawBuilder, sql } from "kysely";
import type { PlainPattern, VocabularyPattern } from "./query-tree.ts";
import { firstLetter } from "./word-patterns.ts";

/**
 * The condition on the words of a part: any word that matches a pattern; or adjacent words in this order (or a single
 * one); or, with a `slop`, words each at most that far from the next, in either order. Only the last of several words
 * may be a prefix.
 */
export type WordCondition = { pattern: VocabularyPattern } | PlainCondition;
export type PlainCondition =
  | { phrase: readonly PlainPattern[] }
  | { near: readonly PlainPattern[]; slop: number };

export function textOf(pattern: PlainPattern): string {
  return "word" in pattern ? pattern.word : pattern.start;
}

/** Each word with the word after it. */
export function pairsOf(words: readonly PlainPattern[]): [PlainPattern, PlainPattern][] {
  return words.slice(1).map((word, index) => [words[index] as PlainPattern, word]);
}

/** The SQL equivalent of `patternTest` (word-patterns.ts). */
export function isWordOf(word: RawBuilder<unknown>, pattern: VocabularyPattern): RawBuilder<unknown> {
  const begins = beginsLike(word, pattern);
  if ("like" in pattern) {
    const { like, edits } = pattern;
    return sql`${begins} and is_within_edits(${word}, ${like}, ${edits})`;
  }
  const like = pattern.pattern
    .replaceAll(/[%_\\]/g, (character) => `\\${character}`)
    .replaceAll("*", "%")
    .replaceAll("?", "_");
  return sql`${begins} and ${word} like ${like} escape '\\'`;
}

/** Whether a word begins as every word that matches the pattern begins. */
export function beginsLike(word: RawBuilder<unknown>, pattern: VocabularyPattern): RawBuilder<unknown> {
  if ("like" in pattern) return beginsWith(word, firstLetter(pattern.like));
  const [start = ""] = /^[^*?]*/.exec(pattern.pattern) ?? [];
  return beginsWith(word, start);
}

/** A prefix as a range of the index. */
function beginsWith(word: RawBuilder<unknown>, start: string): RawBuilder<unknown> {
  return start === "" ? sql`1 = 1` : sql`${word} >= ${start} and ${word} < ${start + lastCharacter}`;
}

/** Sorts after every character of a word. */
const lastCharacter = "\u{10FFFF}";
