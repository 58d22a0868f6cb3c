import type { PageCharacters } from "./page-words.ts";

/*
 * Puts right what some files say wrongly about their letters, by what the page shows of it.
 *
 * - A font may name its letters in UTF-8 where UTF-16 is due. Each letter of two bytes then looks like a Korean
 *   syllable: `М`, the bytes D0 9C, like `킜`.
 * - Arabic and Hebrew letters may come in the order in which they stand from left to right, and are read from right to
 *   left.
 * - Chinese and Japanese that is written from top to bottom may have each character on a line of its own.
 * - Each letter of a word may be drawn twice, one beside the other, as some programs make bold print: `BBoolldd`.
 */

export interface MendedCharacters {
  characters: PageCharacters;
  /** The index that a character had before. */
  indexAt: (index: number) => number;
}

/** The characters of a page in another form or order; null if `text`, which was read from them, is sound. */
export function mendedCharacters(characters: PageCharacters, text: string): MendedCharacters | null {
  const isEncodedTwice = isUtf8InUtf16(text);
  const decoded = isEncodedTwice ? withCodes(characters) : characters;
  const order = orderOf(decoded, text);
  if (order !== null) {
    const indexAt = (index: number): number => order[index] ?? index;
    return { characters: { ...inOrder(decoded, indexAt), count: order.length }, indexAt };
  }
  return isEncodedTwice ? { characters: decoded, indexAt: (index) => index } : null;
}

const hangul = /\p{Script=Hangul}/gu;
/** In fewer syllables, Korean words could look alike by chance. Each has a chance of one in eight. */
const minSyllables = 8;

function isUtf8InUtf16(text: string): boolean {
  const syllables = text.match(hangul) ?? [];
  if (syllables.length < minSyllables) return false;
  const letters = syllables.map((syllable) => decodedFrom(syllable.charCodeAt(0)));
  return letters.every((letter) => letter !== null && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(letter));
}

/** The letter whose two bytes in UTF-8 are this code; null if they are not one letter. */
function decodedFrom(code: number): string | null {
  const [first, second] = [code >> 8, code & 0xff];
  if (first < 0xc2 || first > 0xdf || second < 0x80 || second > 0xbf) return null;
  return String.fromCharCode(((first & 0x1f) << 6) | (second & 0x3f));
}

const isSyllable = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3;

function withCodes(characters: PageCharacters): PageCharacters {
  return {
    ...characters,
    count: characters.count,
    codeAt(index) {
      const code = characters.codeAt(index);
      return isSyllable(code) ? (decodedFrom(code)?.charCodeAt(0) ?? code) : code;
    },
    isUnmappedAt: (index) => !isSyllable(characters.codeAt(index)) && characters.isUnmappedAt(index),
  };
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const mark = /\p{M}/u;
const letterOfOthers = /\p{L}/u;
const figure = /[\p{N}.,:/]/u;

function orderOf(characters: PageCharacters, text: string): number[] | null {
  if (rightToLeft.test(text)) return orderByPosition(characters);
  if (columns.test(text)) return orderOfColumns(characters);
  return twiceDrawn.test(text) ? orderWithoutSeconds(characters) : null;
}

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A character, and the signs beside it. */
const maxInLine = 4;
/** Lines of one character, or of one with a sign beside it. */
const columns = /(?:(?<=^|\n)[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\S?\n){8}/u;

/** The order without the ends of lines inside columns; null if the page has no column. */
function orderOfColumns(characters: PageCharacters): number[] | null {
  const kept: number[] = [];
  let above: number | null = null;
  let lineStart = 0;
  for (let index = 0; index <= characters.count; index++) {
    const letter = index < characters.count ? letterAt(characters, index) : "\n";
    if (letter !== "\n") continue;
    const line = Array.from({ length: index - lineStart }, (_, offset) => lineStart + offset);
    const own = line.filter((at) => /\S/.test(letterAt(characters, at)));
    const [first = null, ...signs] = own.length <= maxInLine ? own : [];
    const isSign = (at: number): boolean => !/[\p{L}\p{N}]/u.test(letterAt(characters, at));
    const isShort = first !== null && ideograph.test(letterAt(characters, first)) && signs.every(isSign);
    if (!isShort || above === null || !isBelow(characters, above, first)) {
      // The end of the line before stays.
      kept.push(...(lineStart > 0 ? [lineStart - 1] : []), ...line);
    } else kept.push(...own);
    above = isShort ? first : null;
    lineStart = index + 1;
  }
  return kept.length < characters.count ? kept : null;
}

function isBelow(characters: PageCharacters, above: number, index: number): boolean {
  const [left = 0, top = 0, right = 0, bottom = 0] = Array.from(characters.boxAt(above) ?? []);
  const [otherLeft = 0, otherTop = 0, otherRight = 0] = Array.from(characters.boxAt(index) ?? []);
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
  const isInColumn = Math.abs(left + right - otherLeft - otherRight) < width;
  return isInColumn && otherTop < top && top - otherTop < 2 * height;
}

/** A word of at least three letters, each of which is there twice. */
const twiceDrawn = /(?<!\S)(?:(\S)\1){3,}(?!\S)/u;

/** The order without the second letters of words whose letters are drawn twice; null if the page has no such word. */
function orderWithoutSeconds(characters: PageCharacters): number[] | null {
  const kept: number[] = [];
  let word: number[] = [];
  for (let index = 0; index <= characters.count; index++) {
    const isInWord = index < characters.count && /\S/.test(letterAt(characters, index));
    if (isInWord) word.push(index);
    else {
      kept.push(...(isDrawnTwice(characters, word) ? word.filter((_, offset) => offset % 2 === 0) : word));
      if (index < characters.count) kept.push(index);
      word = [];
    }
  }
  return kept.length < characters.count ? kept : null;
}

/** Of the width of a letter. Two equal letters beside each other are a whole width apart, or a little less. */
const maxShift = 0.9;

function isDrawnTwice(characters: PageCharacters, word: readonly number[]): boolean {
  if (word.length % 2 !== 0) return false;
  return word.every((second, offset) => {
    const first = word[offset - 1];
    if (offset % 2 === 0 || first === undefined) return true;
    if (characters.codeAt(first) !== characters.codeAt(second)) return false;
    const [left = 0, top = 0, right = 0, bottom = 0] = Array.from(characters.boxAt(first) ?? []);
    const [otherLeft = 0, otherTop = 0] = Array.from(characters.boxAt(second) ?? []);
    const width = Math.min(Math.abs(right - left), Math.abs(top - bottom));
    return Math.hypot(otherLeft - left, otherTop - top) < maxShift * width;
  });
}

/** The new order of the characters of a page; null if each line has its letters as they are read. */
function orderByPosition(characters: PageCharacters): number[] | null {
  const order = Array.from({ length: characters.count }, (_, index) => index);
  let isChanged = false;
  for (const [start, end] of runsIn(characters)) {
    if (!runsToTheRight(characters, start, end)) continue;
    isChanged = true;
    for (const [offset, index] of reversed(characters, start, end).entries()) order[start + offset] = index;
  }
  return isChanged ? order : null;
}

const letterAt = (characters: PageCharacters, index: number): string =>
  String.fromCodePoint(Math.min(characters.codeAt(index), 0x10ffff));

/** From the first to the last letter that is read from right to left, as long as there are no other letters between. */
function* runsIn(characters: PageCharacters): Generator<[start: number, end: number]> {
  let [start, end] = [-1, -1];
  for (let index = 0; index <= characters.count; index++) {
    const letter = index < characters.count ? letterAt(characters, index) : "\n";
    if (rightToLeft.test(letter) || (start >= 0 && end === index && mark.test(letter))) {
      if (start < 0) start = index;
      end = index + 1;
    } else if (letter === "\n" || letter === "\r" || letterOfOthers.test(letter)) {
      if (end - start > 1) yield [start, end];
      [start, end] = [-1, -1];
    }
  }
}

/** Whether more of the letters have the next one to their right than to their left. */
function runsToTheRight(characters: PageCharacters, start: number, end: number): boolean {
  let [toTheRight, toTheLeft] = [0, 0];
  let before: number | null = null;
  for (let index = start; index < end; index++) {
    if (!rightToLeft.test(letterAt(characters, index))) continue;
    const box = characters.boxAt(index);
    if (box === null || Math.abs(characters.angleAt(index)) > 0.1) continue;
    const middle = (box[0] ?? 0) + (box[2] ?? 0);
    if (before !== null && middle > before) toTheRight += 1;
    if (before !== null && middle < before) toTheLeft += 1;
    before = middle;
  }
  return toTheRight > toTheLeft;
}

/** A letter keeps its marks behind it, and the figures of a number keep their order. */
function reversed(characters: PageCharacters, start: number, end: number): number[] {
  const units: number[][] = [];
  let wasFigure = false;
  for (let index = start; index < end; index++) {
    const letter = letterAt(characters, index);
    const isFigure = figure.test(letter);
    const last = units.at(-1);
    if (last !== undefined && (mark.test(letter) || (isFigure && wasFigure))) last.push(index);
    else units.push([index]);
    wasFigure = isFigure;
  }
  return units.toReversed().flat();
}

function inOrder(characters: PageCharacters, indexAt: (index: number) => number): PageCharacters {
  return {
    count: characters.count,
    codeAt: (index) => characters.codeAt(indexAt(index)),
    boxAt: (index) => characters.boxAt(indexAt(index)),
    angleAt: (index) => characters.angleAt(indexAt(index)),
    isHyphenAt: (index) => characters.isHyphenAt(indexAt(index)),
    isUnmappedAt: (index) => characters.isUnmappedAt(indexAt(index)),
  };
}
