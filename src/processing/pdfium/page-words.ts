import { lineEnd, readableCharacter, softHyphen, unknownCharacter } from "./page-characters.ts";
import { type TextQuality, textQuality } from "./text-quality.ts";

/** A word and its box, in fractions of the page as it is shown: x from the left, y from the top. */
export interface PageWord {
  text: string;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  /** Whether its line is horizontal. */
  upright: boolean;
  /** 1 for a word that runs to the right, or down if it is not upright; else -1. */
  direction: 1 | -1;
}

/** The clockwise quarter turns of a word whose direction is that of its letters, as for recognised text. */
export function turnsOfWord({ upright, direction }: PageWord): number {
  const isBackwards = direction === -1;
  if (upright) return isBackwards ? 2 : 0;
  return isBackwards ? 3 : 1;
}

export interface PlainText {
  /** Lines end in `\n`; the last one does not. */
  text: string;
  quality: TextQuality;
}

export interface PageText extends PlainText {
  /** In reading order. A word divided at a line's end is two words here, and one in the text. */
  words: PageWord[];
  /** For each word, the quarter turns clockwise of its letters on the page as it is shown: 0 to 3. */
  wordTurns: number[];
}

/** The visible part of the page, in page coordinates with y upwards, and its clockwise rotation. */
export interface PageFrame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly quarterTurns: number;
}

/** The characters of a page in reading order, as pdfium finds them. */
export interface PageCharacters {
  readonly count: number;
  /** A code point, or half of a surrogate pair. */
  codeAt(index: number): number;
  /** Left, top, right, bottom in page coordinates. Valid until the next call. */
  boxAt(index: number): ArrayLike<number> | null;
  /** In radians, clockwise, in page coordinates. */
  angleAt(index: number): number;
  /** Whether the character is a hyphen that divides a word at a line's end. The line's end is left out then. */
  isHyphenAt(index: number): boolean;
  /** Whether the code is only a guess, because the font has no Unicode mapping for it. */
  isUnmappedAt(index: number): boolean;
}

/** Even a page full of tiny print has no more words than this. A page with more gets its text without words. */
export const maxWordsOfPage = 20_000;

/** If more than a quarter of the characters are guessed, the font lacks more than the mapping of its bullets. */
const maxGuessed = 0.25;

export function textOfCharacters(characters: PageCharacters, frame: PageFrame): PageText {
  const words = new WordList(frame);
  return { ...plainTextOfCharacters(characters, words), words: words.found, wordTurns: words.turns };
}

/** The text. Its words are added to the list, if one is given. */
export function plainTextOfCharacters(characters: PageCharacters, words: WordList | null = null): PlainText {
  let text = "";
  let shownCount = 0;
  let guessedCount = 0;
  for (let index = 0; index < characters.count; index++) {
    let code = characters.codeAt(index);
    const start = index;
    if (isHighSurrogate(code) && index + 1 < characters.count) {
      const low = characters.codeAt(index + 1);
      if (isLowSurrogate(low)) {
        code = ((code - 0xd800) << 10) + (low - 0xdc00) + 0x10000;
        index += 1;
      }
    }
    if (mayDivide(code)) {
      if (characters.isHyphenAt(start)) {
        words?.add("-", characters, start);
        words?.endWord();
        if (!isBetweenSmallLetters(characters, start)) text += "-";
        continue;
      }
      if (code === softHyphen) continue;
    }
    const character = readableCharacter(code);
    text += character;
    if (character === " " || character === lineEnd) {
      words?.endWord();
    } else if (character !== "") {
      shownCount += 1;
      if (character === unknownCharacter || characters.isUnmappedAt(start)) guessedCount += 1;
      words?.add(character, characters, start);
    }
  }
  words?.endWord();
  const whole = trimmedLines(text);
  const isGuess = guessedCount > shownCount * maxGuessed;
  return { text: whole, quality: isGuess ? "garbage" : textQuality(whole) };
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

const trimmedLines = (text: string): string => text.replaceAll(/ +(?=\n|$)/g, "").replace(/\n+$/, "");

/** pdfium marks the hyphens that divide words with U+0002, in some versions with U+FFFE. */
const mayDivide = (code: number): boolean =>
  code === 0x2d || code === softHyphen || code === 0x2010 || code === 0x02 || code === 0xfffe;

const smallLetter = /^\p{Ll}$/u;

/** Between other letters, as in Franco-German, the hyphen is part of the word even at a line's end. */
function isBetweenSmallLetters(characters: PageCharacters, index: number): boolean {
  return [index - 1, index + 1].every(
    (position) =>
      position >= 0 &&
      position < characters.count &&
      smallLetter.test(readableCharacter(characters.codeAt(position)).slice(-1)),
  );
}

/** Collects words character by character. Boxes stay in page coordinates until their word is complete. */
class WordList {
  readonly found: PageWord[] = [];
  readonly turns: number[] = [];
  readonly #frame: PageFrame;
  #text = "";
  #angle = 0;
  #hasBox = false;
  #left = 0;
  #top = 0;
  #right = 0;
  #bottom = 0;
  /** Twice the centre of the first and of the last character. */
  #first = { x: 0, y: 0 };
  #last = { x: 0, y: 0 };

  constructor(frame: PageFrame) {
    this.#frame = frame;
  }

  add(character: string, characters: PageCharacters, index: number): void {
    if (this.found.length >= maxWordsOfPage) return;
    this.#text += character;
    const box = characters.boxAt(index);
    if (box === null) return;
    const left = box[0] ?? 0;
    const top = box[1] ?? 0;
    const right = box[2] ?? 0;
    const bottom = box[3] ?? 0;
    if (!Number.isFinite(left + top + right + bottom)) return;
    this.#last.x = left + right;
    this.#last.y = top + bottom;
    if (this.#hasBox) {
      this.#left = Math.min(this.#left, left);
      this.#top = Math.max(this.#top, top);
      this.#right = Math.max(this.#right, right);
      this.#bottom = Math.min(this.#bottom, bottom);
      return;
    }
    this.#hasBox = true;
    this.#angle = characters.angleAt(index);
    this.#first.x = this.#last.x;
    this.#first.y = this.#last.y;
    this.#left = left;
    this.#top = top;
    this.#right = right;
    this.#bottom = bottom;
  }

  endWord(): void {
    if (this.#hasBox) this.#keep(this.#text);
    this.#text = "";
    this.#hasBox = false;
  }

  #keep(text: string): void {
    const frame = this.#frame;
    const box = onPage(asShown(this.#left, this.#top, frame), asShown(this.#right, this.#bottom, frame));
    if (box === null) return;
    const angle = this.#angle + frame.quarterTurns * quarterTurn;
    // Chinese and Japanese may be written from top to bottom, with letters that stand upright.
    const isColumn = Math.abs(this.#last.y - this.#first.y) > 2 * Math.abs(this.#last.x - this.#first.x);
    const upright = isLevel(isColumn && isLevel(this.#angle) ? angle + quarterTurn : angle);
    const first = asShown(this.#first.x / 2, this.#first.y / 2, frame);
    const last = asShown(this.#last.x / 2, this.#last.y / 2, frame);
    const way = upright ? last.x - first.x : last.y - first.y;
    this.found.push({ text, ...box, upright, direction: way < 0 ? -1 : 1 });
    this.turns.push(Math.round(angle / quarterTurn) & 3);
  }
}

/** Converts a box (left, top, right, bottom) from page coordinates to fractions of the shown page. Null if outside. */
export function boxOnPage(box: ArrayLike<number>, frame: PageFrame): ReturnType<typeof onPage> {
  const [left = 0, top = 0, right = 0, bottom = 0] = Array.from(box);
  return onPage(asShown(left, top, frame), asShown(right, bottom, frame));
}

interface Point {
  x: number;
  y: number;
}

const quarterTurn = Math.PI / 2;

/** Allows up to ten degrees, because the lines of a scan may be tilted. */
const isLevel = (angle: number): boolean => Math.abs(Math.sin(angle)) < 0.17;

function asShown(x: number, y: number, frame: PageFrame): Point {
  const across = (x - frame.left) / (frame.right - frame.left);
  const up = (y - frame.bottom) / (frame.top - frame.bottom);
  switch (frame.quarterTurns) {
    case 1:
      return { x: up, y: across };
    case 2:
      return { x: 1 - across, y: up };
    case 3:
      return { x: 1 - up, y: 1 - across };
    default:
      return { x: across, y: 1 - up };
  }
}

/** The part of the box between two corners that is on the page. Null if no part is. */
function onPage(a: Point, b: Point): Record<"x1" | "x2" | "y1" | "y2", number> | null {
  const [x1, x2] = a.x < b.x ? [a.x, b.x] : [b.x, a.x];
  const [y1, y2] = a.y < b.y ? [a.y, b.y] : [b.y, a.y];
  if (!(x2 > 0 && x1 < 1 && y2 > 0 && y1 < 1)) return null;
  return { x1: rounded(x1), x2: rounded(x2), y1: rounded(y1), y2: rounded(y2) };
}

const rounded = (fraction: number): number => Math.round(Math.min(1, Math.max(0, fraction)) * 1e5) / 1e5;
