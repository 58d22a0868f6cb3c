import { wordsOf } from "../../search/words.ts";
import {
  broken,
  characterAt,
  characterBefore,
  divided,
  isDigit,
  isOfWord,
  isUnspacedLetter,
  type WrittenText,
  writtenText,
} from "./written-text.ts";

/** Where a quotation stands in a text, as offsets in its `source`. */
export interface Extent {
  start: number;
  end: number;
}

/** Looks for a quotation in texts. */
export interface QuotationTest {
  /** The offsets of each occurrence in the text. */
  findIn: (text: WrittenText) => Extent[];
  /** The letters and digits of the quotation. A text without them does not have it. */
  letters: string;
  /** Its first words, by which a search finds where it may stand. */
  phrase: string;
}

/** Reads a quotation; null if it has neither letters nor digits. Quotation marks around it may be its own, or not. */
export function readQuotation(quote: string): QuotationTest | null {
  const { text } = writtenText(quote.trim());
  const letters = lettersOf(text);
  if (letters === "") return null;
  const readings = [text, ...(/^["'].*["']$/s.test(text) ? [text.slice(1, -1).trim()] : [])].map(patternOf);
  return {
    letters,
    phrase: firstWords(text.replaceAll(divided, "").replaceAll(broken, "-")),
    findIn(page) {
      for (const pattern of readings) {
        const found = occurrences(page, pattern);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

const maxPhraseWords = 12;

function firstWords(text: string): string {
  const words = wordsOf(text).slice(0, maxPhraseWords);
  return text.slice(words[0]?.start, words.at(-1)?.end);
}

/** The letters and digits of a text. */
export const lettersOf = (text: string): string => text.normalize("NFKC").replaceAll(notLetters, "");

const notLetters = /[^\p{L}\p{N}]/gu;

/** In a divided word, either the quotation or the page may have the line's end, so each hyphen matches it. */
function patternOf(quotation: string): RegExp {
  const parts: string[] = [];
  for (let offset = 0; offset < quotation.length;) {
    const character = characterAt(quotation, offset);
    offset += character.length;
    const next = characterAt(quotation, offset);
    if (character === divided) parts.push(`(?:- ?|${divided})?`);
    else if (character === broken) parts.push(`(?:- ?|${broken})`);
    else if (character === "-") {
      if (next === " ") offset += 1;
      parts.push(next === " " ? `(?:- |${divided}|${broken})` : `[-${divided}${broken}]`);
    } else {
      parts.push(character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`));
      if (/^\p{Ll}/u.test(next) && isOfWord(character)) parts.push(`${divided}?`);
    }
  }
  return new RegExp(parts.join(""), "gu");
}

function occurrences(page: WrittenText, pattern: RegExp): Extent[] {
  const found: Extent[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(page.text); match !== null; match = pattern.exec(page.text)) {
    const [start, end] = [match.index, match.index + match[0].length];
    if (beginsWhole(page, start) && endsWhole(page, end)) {
      found.push({ start: page.offsets[start] as number, end: endOf(page, end) });
    } else pattern.lastIndex = start + characterAt(page.text, start).length;
  }
  return found;
}

/** The end in the source of what is written before `end`. Characters that cannot be seen may follow it. */
function endOf({ text, source, offsets }: WrittenText, end: number): number {
  const next = offsets[end] as number;
  const last = offsets[end - 1] as number;
  const isWritten = text[end - 1] === source[last];
  return isWritten ? last + 1 : next;
}

/*
 * A quotation begins and ends with whole words and whole numbers. A part of `1,000`, of `-5`, of `Smith-Jones` or of
 * `can't` says something else. The genitive of `Smith's` and the article of `l'été` may be left out.
 */

function beginsWhole(page: WrittenText, start: number): boolean {
  const { text } = page;
  const first = characterAt(text, start);
  const before = characterBefore(text, start);
  if (!isOfWord(first)) return !joins(page, start) && !isWithinWord(text, start);
  if (before === "") return true;
  if (isOfWord(before)) return isBetweenWords(before, first);
  if (joins(page, start - 1)) return false;
  if (!isDigit(first)) return true;
  if (isHyphen(page, start - 1)) return false;
  const isGroup = /^\p{N}{3}(?![\p{L}\p{N}\p{M}])/u.test(text.slice(start, start + 4));
  return !(isGroup && /(?:^|\P{N})\p{N}{1,3} $/u.test(text.slice(Math.max(0, start - 5), start)));
}

function endsWhole(page: WrittenText, end: number): boolean {
  const { text } = page;
  const last = characterBefore(text, end);
  const after = characterAt(text, end);
  if (!isOfWord(last)) return !joins(page, end - 1) && !isWithinWord(text, end - 1);
  if (after === "") return true;
  if (isOfWord(after)) return isBetweenWords(last, after);
  if (joins(page, end) || /^'t(?!\p{L})/iu.test(text.slice(end, end + 3))) return false;
  if (!isDigit(last)) return true;
  const isGroup = /(?:^|\P{N})\p{N}{1,3}$/u.test(text.slice(Math.max(0, end - 4), end));
  return !(isGroup && /^ \p{N}{3}(?![\p{L}\p{N}\p{M}])/u.test(text.slice(end, end + 5)));
}

/** The signs that may stand within a number. */
const ofNumber = /^[.,:'·/^⁄٫٬\u00A0\u2009\u202F]/;

/** Whether the character at an index makes one word or number of its neighbours. */
function joins(page: WrittenText, index: number): boolean {
  const { text, source, offsets } = page;
  const character = text[index];
  if (character === divided || character === broken) return true;
  const [left, right] = [characterBefore(text, index), characterAt(text, index + 1)];
  if (isHyphen(page, index)) return isOfWord(left) && isOfWord(right);
  return isDigit(left) && isDigit(right) && ofNumber.test(source.slice(offsets[index]));
}

/** Whether an apostrophe is between letters. */
const isWithinWord = (text: string, index: number): boolean =>
  text[index] === "'" && isOfWord(characterBefore(text, index)) && isOfWord(characterAt(text, index + 1));

/** Whether there is a hyphen or a minus, and not a dash. */
function isHyphen({ text, source, offsets }: WrittenText, index: number): boolean {
  if (text[index] !== "-") return false;
  const written = source.slice(offsets[index], offsets[index + 1]);
  return written.length === 1 && !/[\u2014\u2015]/.test(written);
}

/** These are letters, but make a number. */
const numeral = /^[\p{N}零一二三四五六七八九十百千万億兆亿两]/u;

/** Whether two characters side by side belong to different words: in a script without spaces, if they are no number. */
function isBetweenWords(left: string, right: string): boolean {
  if (!isUnspacedLetter(left) && !isUnspacedLetter(right)) return false;
  return !(numeral.test(left) && numeral.test(right)) && !/^\p{M}/u.test(right);
}
