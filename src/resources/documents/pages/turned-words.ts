import type { PageText, PageWord } from "../../../processing/pdfium/page-words.ts";
import { turnsOfWord } from "./turn-page.ts";

/** How many quarter turns clockwise it is turned, on the page as it is shown. */
export interface RotatedWord extends PageWord {
  quarterTurns: number;
}

/** Words that the file has: their letters say how they are turned, since some scripts run to the left. */
export function turnedWordsOf({ words, wordTurns }: Pick<PageText, "words" | "wordTurns">): RotatedWord[] {
  return words.map((word, index) => ({ ...word, quarterTurns: wordTurns[index] ?? 0 }));
}

/** Words that were recognised: to the right, in any script, and turned with their page since. */
export function turnedWordsRecognised(words: readonly PageWord[]): RotatedWord[] {
  return words.map((word) => ({ ...word, quarterTurns: turnsOfWord(word) }));
}

/** How most of the text is turned that these words are; of two turns with as much text, the one that comes first. */
export function maxTurns(words: readonly RotatedWord[]): number {
  const lengths = new Map<number, number>();
  for (const { quarterTurns, text } of words) {
    lengths.set(quarterTurns, (lengths.get(quarterTurns) ?? 0) + text.length);
  }
  let most = { quarterTurns: 0, length: 0 };
  for (const [quarterTurns, length] of lengths) {
    if (length > most.length) most = { quarterTurns, length };
  }
  return most.quarterTurns;
}
