import { isWithinEdits } from "../database/edit-distance.ts";
import type { WordPattern } from "./query-tree.ts";

/** Returns a function that tells whether a word matches a pattern. `isWordOf` in matches.ts is the same in SQL. */
export function patternTest(pattern: WordPattern): (word: string) => boolean {
  if ("word" in pattern) return (word) => word === pattern.word;
  if ("start" in pattern) return (word) => word.startsWith(pattern.start);
  if ("pattern" in pattern) {
    const signs = Array.from(pattern.pattern);
    return (word) => matchesWildcards(Array.from(word), signs);
  }
  const { like, edits } = pattern;
  const first = firstLetter(like);
  return (word) => word.startsWith(first) && isWithinEdits(word, like, edits);
}

/** A fuzzy match must start with the same letter as the query's word. */
export function firstLetter(word: string): string {
  const [first = ""] = word;
  return first;
}

/** A regular expression could take exponential time with many stars; here only the latest star is retried. */
function matchesWildcards(letters: readonly string[], signs: readonly string[]): boolean {
  let letter = 0;
  let sign = 0;
  let retry: { letter: number; sign: number } | null = null;
  while (letter < letters.length) {
    if (signs[sign] === "*") {
      retry = { letter, sign };
      sign += 1;
    } else if (sign < signs.length && (signs[sign] === "?" || signs[sign] === letters[letter])) {
      letter += 1;
      sign += 1;
    } else if (retry === null) {
      return false;
    } else {
      retry.letter += 1;
      letter = retry.letter;
      sign = retry.sign + 1;
    }
  }
  return signs.slice(sign).every((rest) => rest === "*");
}
