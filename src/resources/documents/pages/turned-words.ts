import { type PageText, type PageWord, turnsOfWord } from "../../../processing/pdfium/page-words.ts";

export interface RotatedWord extends PageWord {
  /** Clockwise, on the page as displayed. */
  quarterTurns: number;
}

/** Words from the file. Their rotation comes from the letters, since some scripts run from right to left. */
export function turnedWordsOf({ words, wordTurns }: Pick<PageText, "words" | "wordTurns">): RotatedWord[] {
  return words.map((word, index) => ({ ...word, quarterTurns: wordTurns[index] ?? 0 }));
}

/** Recognised words. They run to the right in every script and have only been rotated together with their page. */
export function turnedWordsRecognised(words: readonly PageWord[]): RotatedWord[] {
  return words.map((word) => ({ ...word, quarterTurns: turnsOfWord(word) }));
}

/** The rotation of most of the text. Of two rotations with equally much text, the first one wins. */
export function maxTurns(words: readonly RotatedWord[]): number {
  const lengths = new Map<number, number>();
  for (const { quarterTurns, text } of words) {
    lengths.set(quarterTurns, (lengths.get(quarterTurns) ?? 0) + text.length);
  }
  let longest = { quarterTurns: 0, length: 0 };
  for (const [quarterTurns, length] of lengths) {
    if (length > longest.length) longest = { quarterTurns, length };
  }
  return longest.quarterTurns;
}
