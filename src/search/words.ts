/*
 * How text becomes words: the same way in the index and in a query, and in both engines, which index what comes out of
 * here as it is.
 *
 * - Case, width and accents do not count: `Éléonore` is `eleonore`, `Straße` is `strasse`, `ё` is `е`; nor do the vowel
 *   signs and the forms of alef in Arabic, nor the points in Hebrew.
 * - An apostrophe ends a word, so that `l'été` is found as `été`, and `Smith's` as `Smith`. To look for `O'Brien` is to
 *   look for two words next to each other.
 * - Scripts that are written without spaces become pairs of letters that overlap, and the last letter by itself:
 *   `東京都` is `東京`, `京都`, `都`. So every letter begins a word, and what stands together is found together.
 */

export interface Word {
  word: string;
  /** Where it stands in the text; pairs overlap. */
  start: number;
  end: number;
}

/** In letters: what is longer is cut, in the index as in a query. */
export const longestWord = 60;

const run = /[\p{L}\p{N}\p{M}]+/gu;
const isAscii = /^[\0-\x7F]*$/;
const asciiRun = /[a-z\d]+/g;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
const unspacedRuns = new RegExp(`${unspaced.source}+|(?:(?!${unspaced.source})[^])+`, "gu");

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  eachWord(text, (word, start, end) => words.push({ word, start, end }));
  return words;
}

/** The same without their places. */
export function plainWordsOf(text: string): string[] {
  if (isAscii.test(text)) {
    const words = text.toLowerCase().match(asciiRun) ?? [];
    return words.map((word) => (word.length > longestWord ? word.slice(0, longestWord) : word));
  }
  const words: string[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

/** The words to look for in order to find a text: without the single letter that a script without spaces ends in. */
export function soughtWords(text: string): string[] {
  const words = wordsOf(text);
  const [beforeLast, last] = words.slice(-2);
  const isOverlapping = beforeLast !== undefined && last !== undefined && last.start < beforeLast.end;
  return (isOverlapping ? words.slice(0, -1) : words).map(({ word }) => word);
}

/** Whether a single letter is looked for as the beginning of a pair. */
export function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

type Visit = (word: string, start: number, end: number) => void;

function eachWord(text: string, visit: Visit): void {
  for (const { 0: letters, index } of text.matchAll(run)) {
    if (isAscii.test(letters)) visit(cut(letters.toLowerCase()), index, index + letters.length);
    else if (unspaced.test(letters)) eachPiece(letters, index, visit);
    else visitFolded(letters, index, visit);
  }
}

function eachPiece(letters: string, offset: number, visit: Visit): void {
  for (const { 0: piece, index } of letters.matchAll(unspacedRuns)) {
    if (unspaced.test(piece)) eachPair(piece, offset + index, visit);
    else visitFolded(piece, offset + index, visit);
  }
}

function visitFolded(letters: string, start: number, visit: Visit): void {
  const word = fold(letters);
  if (word !== "") visit(word, start, start + letters.length);
}

function eachPair(piece: string, offset: number, visit: Visit): void {
  const letters = Array.from(piece);
  let start = offset;
  for (const [index, letter] of letters.entries()) {
    const pair = letter + (letters[index + 1] ?? "");
    const word = fold(pair);
    if (word !== "") visit(word, start, start + pair.length);
    start += letter.length;
  }
}

/** Marks that only say how a letter is spoken. Those of Indic scripts are letters of their own. */
const marks = new RegExp(
  `[${[
    ["\\u0300", "\\u036F"],
    ["\\u0483", "\\u0489"],
    ["\\u0591", "\\u05C7"],
    ["\\u0610", "\\u061A"],
    ["\\u064B", "\\u065F"],
    ["\\u0670", "\\u0670"],
    ["\\u06D6", "\\u06ED"],
    ["\\u08D3", "\\u08FF"],
    ["\\u1AB0", "\\u1AFF"],
    ["\\u1DC0", "\\u1DFF"],
    ["\\u20D0", "\\u20F0"],
    ["\\uFE20", "\\uFE2F"],
  ]
    .map(([first, last]) => `${first}-${last}`)
    .join("")}]`,
  "g",
);
const single = /[ـßøłđðþæœıħŧŋςىةکی]/g;
const spelled: Readonly<Record<string, string>> = {
  // The tatweel only stretches a line.
  ـ: "",
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ς: "σ",
  ى: "ي",
  ة: "ه",
  ک: "ك",
  ی: "ي",
};
const notOfWords = /[^\p{L}\p{N}\p{M}]/gu;

/** A word as the index has it. */
export function fold(letters: string): string {
  const folded = letters
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(marks, "")
    .normalize("NFC")
    .replaceAll(single, (letter) => spelled[letter] ?? letter)
    .replaceAll(notOfWords, "");
  return cut(folded);
}

function cut(word: string): string {
  return word.length <= longestWord ? word : Array.from(word).slice(0, longestWord).join("");
}
