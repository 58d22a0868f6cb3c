import type { PageWord } from "../pdfium/page-words.ts";

/** A word with its place in a line of the page's text. */
export interface PlacedWord {
  word: PageWord;
  /** What divides it from the word before. */
  after: "line" | "blank" | "nothing";
}

/** Words may differ from the text in what is between them, but hardly by more than this. */
const maxBetween = 200;

/**
 * Finds out how words follow one another in their page's text. A word that the text does not have follows a blank, or
 * begins a line if it is beside nothing of the word before.
 */
export function dividedWords(words: readonly PageWord[], text: string): PlacedWord[] {
  let at = 0;
  return words.map((word, index) => {
    const before = words[index - 1];
    const found = text.indexOf(word.text, at);
    if (found < 0 || found - at > maxBetween) {
      return { word, after: before === undefined || !isBeside(before, word) ? "line" : "blank" };
    }
    const between = text.slice(at, found);
    at = found + word.text.length;
    if (before === undefined || between.includes("\n")) return { word, after: "line" };
    return { word, after: between === "" ? "nothing" : "blank" };
  });
}

function isBeside(a: PageWord, b: PageWord): boolean {
  if (a.upright !== b.upright || a.direction !== b.direction) return false;
  return a.upright ? a.y1 < b.y2 && b.y1 < a.y2 : a.x1 < b.x2 && b.x1 < a.x2;
}

/** The lines of a page, in the order of its text. */
export function linesOf(words: readonly PlacedWord[]): PlacedWord[][] {
  const lines: PlacedWord[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || word.after === "line") lines.push([word]);
    else line.push(word);
  }
  return lines;
}

/** Words that are not on the page already: the same letters at the same position. */
export function withoutKnown(words: readonly PageWord[], known: readonly PageWord[]): PageWord[] {
  const byText = Map.groupBy(known, ({ text }) => text);
  return words.filter((word) => byText.get(word.text)?.some((other) => overlaps(word, other)) !== true);
}

function overlaps(a: PageWord, b: PageWord): boolean {
  const width = Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1);
  const height = Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1);
  if (width <= 0 || height <= 0) return false;
  const smaller = Math.min((a.x2 - a.x1) * (a.y2 - a.y1), (b.x2 - b.x1) * (b.y2 - b.y1));
  return width * height * 2 > smaller;
}
