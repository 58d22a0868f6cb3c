import type { Box } from "../../../processing/pdf/flat-page.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { plainWordsOf } from "../../../search/words.ts";

/** A word counts as hidden if boxes cover this share of it. A word's bounding box is larger than its letters. */
const minHidden = 0.9;

/** The words that lie under boxes. */
export function wordsUnder(words: readonly PageWord[], boxes: readonly Box[]): PageWord[] {
  return words.filter((word) => {
    const area = (word.x2 - word.x1) * (word.y2 - word.y1);
    return area > 0 && boxes.some((box) => sharedArea(word, box) >= minHidden * area);
  });
}

function sharedArea(one: Box, other: Box): number {
  const width = Math.min(one.x2, other.x2) - Math.max(one.x1, other.x1);
  const height = Math.min(one.y2, other.y2) - Math.max(one.y1, other.y1);
  return Math.max(0, width) * Math.max(0, height);
}

/** The words in their searchable form, with repetitions. */
export function foldedWords(words: readonly Pick<PageWord, "text">[]): string[] {
  return words.flatMap(({ text }) => plainWordsOf(text));
}

export function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Words as they are written, for comparison with bytes. */
export const writtenWords = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether finding this run of letters or digits again could tell anything. A box over `2,"NAME,` covers the number of
 * the row as well, and every file has a 2 somewhere.
 */
export const isTelling = (run: string): boolean => !/^(?:[a-z]|\p{N}{1,2})$/iu.test(run);
