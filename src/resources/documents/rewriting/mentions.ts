import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import type { WordPattern } from "../../../search/query-tree.ts";
import { patternTest } from "../../../search/word-patterns.ts";
import { isLoneLetter, isUnspaced, wordsOf } from "../../../search/words.ts";

/** A place on a page where the words that somebody looks for stand. */
export interface Mention {
  text: string;
  /** The words before and after it, on the same page. */
  before: string;
  after: string;
  /** Boxes that cover it, in fractions of the page as it is shown: one for each line. */
  boxes: { x1: number; x2: number; y1: number; y2: number }[];
}

/** The words to look for, one after the other. */
export type Phrase = readonly WordPattern[];

/**
 * Reads words as a search reads a phrase: case and accents do not count, and a star after a word stands for any ending.
 * Empty if the text has no words.
 */
export function readPhrase(text: string): Phrase {
  const words = wordsOf(text);
  return words.flatMap(({ word, start, end }, index): WordPattern[] => {
    const before = words[index - 1];
    // The last letter of a script without spaces is in the pair before it already.
    if (index === words.length - 1 && before !== undefined && start < before.end) return [];
    return [text[end] === "*" || isLoneLetter(word) ? { start: word } : { word }];
  });
}

/** The number of places in a text where the phrase stands. */
export function countMentions(text: string, phrase: Phrase): number {
  const found = wordsOf(text);
  const tokens = found.map(({ word, end }, index) => {
    const next = found[index + 1];
    const isDivided = next !== undefined && divider.test(text.slice(end, next.start));
    return { word, isDivided };
  });
  return matchesIn(tokens, phrase).length;
}

/** A hyphen at the end of a line. */
const divider = /^[-\u2010]\s*\n\s*$/;

interface Token {
  word: string;
  /** Whether the next token may be the rest of the same word, on the next line. */
  isDivided: boolean;
}

/** A part of a word on a page. */
export interface WordPart {
  /** The index of the word. */
  index: number;
  /** Where the part is in that word, as fractions of its length. */
  from: number;
  to: number;
}

interface PlacedToken extends Token, WordPart {}

/** The first and the last token of each match. Matches do not overlap. */
function matchesIn(tokens: readonly Token[], phrase: Phrase): { first: number; last: number }[] {
  const tests = phrase.map(patternTest);
  const endOf = (start: number, part: number): number | null => {
    const test = tests[part];
    if (test === undefined) return start - 1;
    const token = tokens[start];
    if (token === undefined) return null;
    const end = test(token.word) ? endOf(start + 1, part + 1) : null;
    const rest = token.isDivided ? tokens[start + 1] : undefined;
    if (end !== null || rest === undefined) return end;
    return test(token.word + rest.word) ? endOf(start + 2, part + 1) : null;
  };
  const found: { first: number; last: number }[] = [];
  for (let first = 0; tests.length > 0 && first < tokens.length; first++) {
    const last = endOf(first, 0);
    if (last === null) continue;
    found.push({ first, last });
    first = last;
  }
  return found;
}

/** The number of words before and after a mention that are shown with it. */
const contextWords = 8;

/** The places on a page where the phrase stands, in reading order, with the boxes of their words. */
export function findMentions(words: readonly PageWord[], phrase: Phrase): Mention[] {
  const tokens = words.flatMap((word, index): PlacedToken[] => {
    const found = wordsOf(word.text);
    const next = words[index + 1];
    return found.map(({ word: folded, start, end }, position) => ({
      word: folded,
      isDivided: position === found.length - 1 && next !== undefined && isDividedBetween(word, next),
      index,
      from: start / word.text.length,
      to: end / word.text.length,
    }));
  });
  return matchesIn(tokens, phrase).map(({ first, last }) => mentionOf(words, tokens.slice(first, last + 1)));
}

/** A mention of these parts of words, in reading order. */
export function mentionOf(words: readonly PageWord[], parts: readonly WordPart[]): Mention {
  const [start, end] = [parts[0]?.index ?? 0, parts.at(-1)?.index ?? 0];
  return {
    text: textOf(words.slice(start, end + 1)),
    before: textOf(words.slice(Math.max(0, start - contextWords), start)),
    after: textOf(words.slice(end + 1, end + 1 + contextWords)),
    boxes: boxesOf(words, parts),
  };
}

const textOf = (words: readonly PageWord[]): string => words.map(({ text }) => text).join(" ");

/** A word divided at a line's end is two words of the page. The first need not end in a hyphen in the file. */
function isDividedBetween(word: PageWord, next: PageWord): boolean {
  return /[-\u2010\u00ad]$/.test(word.text) || !isOnSameLine(word, next);
}

export function isOnSameLine(one: PageWord, other: PageWord): boolean {
  if (one.upright !== other.upright) return false;
  const [from, to, middle] = one.upright
    ? [one.y1, one.y2, (other.y1 + other.y2) / 2]
    : [one.x1, one.x2, (other.x1 + other.x2) / 2];
  return from <= middle && middle <= to;
}

/** How far a box reaches beyond its word, in fractions of the page, so that no edge of a letter stays visible. */
const margin = { x: 0.002, y: 0.001 };
/** Two words further apart than this are in different columns, and get a box each. */
const maxGap = 0.04;

/** One box for words that follow each other on a line, so that the gaps do not tell how long each word is. */
export function boxesOf(words: readonly PageWord[], tokens: readonly WordPart[]): Mention["boxes"] {
  const boxes: { word: PageWord; box: Mention["boxes"][number] }[] = [];
  for (const [index, ofWord] of Map.groupBy(tokens, (token) => token.index)) {
    const word = words[index] as PageWord;
    const box = isUnspaced(word.text) ? partOf(word, ofWord) : boxOf(word);
    const last = boxes.at(-1);
    const isBeside =
      last !== undefined &&
      isOnSameLine(last.word, word) &&
      (word.upright
        ? gapBetween(last.box.x1, last.box.x2, box.x1, box.x2)
        : gapBetween(last.box.y1, last.box.y2, box.y1, box.y2)) < maxGap;
    if (isBeside) boxes[boxes.length - 1] = { word, box: union(last.box, box) };
    else boxes.push({ word, box });
  }
  return boxes.map(({ box: { x1, x2, y1, y2 } }) => ({
    x1: rounded(Math.max(0, x1 - margin.x)),
    x2: rounded(Math.min(1, x2 + margin.x)),
    y1: rounded(Math.max(0, y1 - margin.y)),
    y2: rounded(Math.min(1, y2 + margin.y)),
  }));
}

const boxOf = ({ x1, x2, y1, y2 }: PageWord): Mention["boxes"][number] => ({ x1, x2, y1, y2 });

/** In a script without spaces a word may be a whole line, so only the part with the letters is covered. */
function partOf(word: PageWord, tokens: readonly WordPart[]): Mention["boxes"][number] {
  if (!word.upright || word.direction === -1) return boxOf(word);
  const width = word.x2 - word.x1;
  const from = Math.min(...tokens.map((token) => token.from));
  const to = Math.max(...tokens.map((token) => token.to));
  return { x1: word.x1 + from * width, x2: word.x1 + to * width, y1: word.y1, y2: word.y2 };
}

const gapBetween = (from: number, to: number, otherFrom: number, otherTo: number): number =>
  Math.max(otherFrom - to, from - otherTo);

function union(one: Mention["boxes"][number], other: Mention["boxes"][number]): Mention["boxes"][number] {
  return {
    x1: Math.min(one.x1, other.x1),
    x2: Math.max(one.x2, other.x2),
    y1: Math.min(one.y1, other.y1),
    y2: Math.max(one.y2, other.y2),
  };
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
