/*
 * How a text is read when a quotation is compared with it. What differs between typefaces, keyboards and programs does
 * not count: kinds of spaces, hyphens and quotation marks, soft hyphens, hyphens at line ends, ligatures, characters
 * that cannot be seen. Everything else counts: letters with their case and accents, digits, signs, the division into
 * words.
 */

/** A hyphen at a line's end, between a letter and a small letter. It may belong to the word, or to the line. */
export const divided = "\u0001";
/** A hyphen at a line's end, between other parts of words: `2019-⏎2020`. It belongs to the text. */
export const broken = "\u0002";

export interface WrittenText {
  /** The text as it is compared. */
  text: string;
  /** The text that was read, composed (NFC). */
  source: string;
  /** For each code unit of `text`, and for its end, the offset in `source`. */
  offsets: readonly number[];
}

const unseen = String.raw`\0-\x08\x0E-\x1F\x7F\u200B-\u200F\u202A-\u202C\u2060-\u2064\u2066-\u2069\uFEFF`;
const hyphens = String.raw`\-\u2010-\u2015\u2212\uFE58\uFE63\uFF0D`;
const quotes = String.raw`"\u201C-\u201F\u00AB\u00BB\u2033\uFF02\u301D-\u301F\u300C-\u300F`;
const apostrophes = String.raw`'\u2018-\u201B\u2039\u203A\u2032\u02BC\u0060\u00B4\uFF07`;
const ligatures = String.raw`\uFB00-\uFB06`;
const lineEnd = String.raw`[^\S\n\r\u2028\u2029]*[\n\r\u2028\u2029]\s*`;

const token = new RegExp(
  [
    String.raw`(?<unseen>\u00AD(?:${lineEnd})?|[${unseen}]+)`,
    `(?<hyphenAtEnd>[${hyphens}]${lineEnd})`,
    `(?<hyphen>[${hyphens}]+)`,
    `(?<quote>[${quotes}]|''|\`\`|,,)`,
    `(?<apostrophe>[${apostrophes}])`,
    String.raw`(?<space>\s+)`,
    `(?<ligature>[${ligatures}])`,
    String.raw`[^\s\u00AD,${unseen}${hyphens}${quotes}${apostrophes}${ligatures}]+|[^]`,
  ].join("|"),
  "gu",
);

/** A letter, a digit, or a mark that belongs to one. */
export const isOfWord = (character: string): boolean => /^[\p{L}\p{N}\p{M}]/u.test(character);
export const isDigit = (character: string): boolean => /^\p{N}/u.test(character);

const unspacedScripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const unspaced = new RegExp(
  `^[${unspacedScripts.map((name) => `\\p{Script=${name}}`).join("")}ー々、。]`,
  "u",
);

/** Whether the character is of a script that has no spaces between words. */
export const isUnspacedLetter = (character: string): boolean => unspaced.test(character);

/** The character that begins at an offset; empty at the end. */
export const characterAt = (text: string, offset: number): string =>
  offset < text.length ? String.fromCodePoint(text.codePointAt(offset) as number) : "";

/** The character that ends at an offset; empty at the beginning. */
export function characterBefore(text: string, offset: number): string {
  const isPair = /[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, offset - 2), offset));
  return text.slice(Math.max(0, offset - (isPair ? 2 : 1)), offset);
}

/** Reads a text for comparison. */
export function writtenText(given: string): WrittenText {
  const source = given.normalize("NFC");
  const parts: string[] = [];
  const offsets: number[] = [];
  let before = "";
  for (const { 0: raw, index, groups = {} } of source.matchAll(token)) {
    const written = writtenToken(raw, groups, { source, start: index, end: index + raw.length, before });
    if (written === "") continue;
    parts.push(written);
    for (let unit = 0; unit < written.length; unit++) offsets.push(written === raw ? index + unit : index);
    before = characterBefore(written, written.length);
  }
  return { text: parts.join(""), source, offsets: [...offsets, source.length] };
}

interface Around {
  source: string;
  start: number;
  end: number;
  /** The last character of what was written so far. */
  before: string;
}

function writtenToken(raw: string, is: Readonly<Record<string, string | undefined>>, around: Around): string {
  const { before } = around;
  const after = characterAt(around.source, around.end);
  if (is["unseen"] !== undefined) return "";
  if (is["hyphen"] !== undefined) return "-";
  // After a digit the mark may be a unit: inches are not feet.
  if (is["quote"] !== undefined) return isDigit(before) ? '"' : "'";
  if (is["apostrophe"] !== undefined) return "'";
  if (is["ligature"] !== undefined) return raw.normalize("NFKC");
  if (is["space"] !== undefined) {
    const isWithin = isUnspacedLetter(before) && isUnspacedLetter(after);
    return isWithin || isInsideGuillemets(around) ? "" : " ";
  }
  if (is["hyphenAtEnd"] === undefined) return raw;
  if (!isOfWord(before) || !isOfWord(after)) return "- ";
  return /^[-\u2010]/.test(raw) && /^[\p{L}\p{M}]/u.test(before) && /^\p{Ll}/u.test(after) ? divided : broken;
}

/** Whether a space is the inner one of French quotation marks: `« oui »`, but not of German ones: `»ja« und`. */
function isInsideGuillemets({ source, start, end }: Around): boolean {
  const mark = characterBefore(source, start);
  if (mark === "«") return !isOfWord(characterBefore(source, start - 1));
  return characterAt(source, end) === "»" && !isOfWord(characterAt(source, end + 1));
}
