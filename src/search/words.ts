import { cut, fold, maxWordLength, quickFolding } from "./word-folding.ts";

/*
 * How a text is split into words: the same way in the index and in a query, and in both engines, which index the words
 * unchanged.
 *
 * - Case, width and accents do not count: `Éléonore` is `eleonore`, `Straße` is `strasse`, `ё` is `е`. Neither do the
 *   vowel signs and the forms of alef in Arabic, nor the points in Hebrew.
 * - An apostrophe ends a word, so that `l'été` is found as `été`, and `Smith's` as `Smith`. A search for `O'Brien`
 *   looks for two adjacent words. A soft hyphen is ignored.
 * - Scripts without spaces become overlapping pairs of letters, and the last letter by itself: `東京都` is `東京`, `京都`,
 *   `都`. So every letter starts a word, and adjacent letters are found together. In `東 京 都`, as headings are set wide,
 *   the blanks do not count.
 */

export interface Word {
  word: string;
  /** Offsets in the text; pairs overlap. */
  start: number;
  end: number;
}

const isAscii = /^[\0-\x7F]*$/;
const asciiRun = /[a-z\d]+/g;
const run = /[\p{L}\p{N}\p{M}\u00AD]+/uy;
/** Includes the marks that turn one Japanese letter into another. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々\u3099\u309A\uFF9E\uFF9F]/u;
const unspacedRuns = new RegExp(`${unspaced.source}+|(?:(?!${unspaced.source})[^])+`, "gu");
/** One letter of a script without spaces: a mark, or the parts of a Korean syllable, may be separate characters. */
const letter = /[\u1100-\u115F][\u1160-\u11A7]?[\u11A8-\u11FF]?|[^][\u3099\u309A\uFF9E\uFF9F]?/gu;
/** Single Chinese, Japanese or Korean letters with a blank between any two, as a heading is set wide. */
const wideLetter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]`;
const wideRun = new RegExp(
  String.raw`${wideLetter}(?:[ \u00A0\u3000]${wideLetter}){2,}(?![\p{L}\p{N}\p{M}])`,
  "uy",
);
const wideLetters = new RegExp(wideLetter, "gu");
/** Letters that folding does not change. */
const alreadyFolded = /^[々ー\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3]+$/;

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  eachWord(text, (word, start, end) => words.push({ word, start, end }));
  return words;
}

/** The words without their offsets. */
export function plainWordsOf(text: string): string[] {
  if (isAscii.test(text)) {
    const words = text.toLowerCase().match(asciiRun) ?? [];
    return words.map((word) => (word.length > maxWordLength ? word.slice(0, maxWordLength) : word));
  }
  const words: string[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

/** The words to search for to find a text: without the final single letter of a script without spaces. */
export function soughtWords(text: string): string[] {
  const words = wordsOf(text);
  const [beforeLast, last] = words.slice(-2);
  const isOverlapping = beforeLast !== undefined && last !== undefined && last.start < beforeLast.end;
  return (isOverlapping ? words.slice(0, -1) : words).map(({ word }) => word);
}

/** Whether a text contains letters of a script without spaces. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** Whether a word is a single letter of a script without spaces: a search treats it as the start of a pair. */
export function isLoneLetter(word: string): boolean {
  return word.length <= 2 && Array.from(word).length === 1 && unspaced.test(word);
}

type Visit = (word: string, start: number, end: number) => void;

function eachWord(text: string, visit: Visit): void {
  const table = quickFolding();
  let word = "";
  let start = 0;
  for (let at = 0; at < text.length;) {
    const folded = table[text.charCodeAt(at)];
    if (folded === null || folded === undefined) {
      // The whole word is folded again, because its letters must be folded in context.
      const first = word === "" ? at : start;
      at = visitRun(text, first, visit) ?? at + 1;
      word = "";
      continue;
    }
    if (folded === "") {
      if (word !== "") visit(cut(word), start, at);
      word = "";
    } else {
      if (word === "") start = at;
      word += folded;
    }
    at += 1;
  }
  if (word !== "") visit(cut(word), start, text.length);
}

/** Returns the end of the run; null if none starts there. */
function visitRun(text: string, start: number, visit: Visit): number | null {
  run.lastIndex = start;
  const letters = run.exec(text)?.[0];
  if (letters === undefined) return null;
  if (isLoneLetter(letters)) {
    wideRun.lastIndex = start;
    const wide = wideRun.exec(text)?.[0];
    if (wide !== undefined) {
      visitWide(wide, start, visit);
      return start + wide.length;
    }
  }
  if (unspaced.test(letters)) eachPiece(letters, start, visit);
  else visitFolded(letters, start, visit);
  return start + letters.length;
}

function eachPiece(letters: string, offset: number, visit: Visit): void {
  for (const { 0: piece, index } of letters.matchAll(unspacedRuns)) {
    if (unspaced.test(piece)) eachPair(piece, offset + index, visit);
    else visitFolded(piece, offset + index, visit);
  }
}

function visitWide(wide: string, offset: number, visit: Visit): void {
  const letters = [...wide.matchAll(wideLetters)];
  for (const [at, { 0: first, index }] of letters.entries()) {
    const next = letters[at + 1];
    const end = next === undefined ? index + first.length : next.index + next[0].length;
    visit(fold(first + (next?.[0] ?? "")), offset + index, offset + end);
  }
}

function visitFolded(letters: string, start: number, visit: Visit): void {
  const word = fold(letters);
  if (word !== "") visit(word, start, start + letters.length);
}

function eachPair(piece: string, offset: number, visit: Visit): void {
  const isFolded = alreadyFolded.test(piece);
  const letters = isFolded ? piece : (piece.match(letter) ?? []);
  let start = offset;
  for (let index = 0; index < letters.length; index++) {
    const first = letters[index] as string;
    const pair = first + (letters[index + 1] ?? "");
    const word = isFolded ? pair : fold(pair);
    if (word !== "") visit(word, start, start + pair.length);
    start += first.length;
  }
}
