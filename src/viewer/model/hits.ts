import type { Hits } from "../../contract/search.ts";
import type { PageWord } from "./words.ts";

/** A piece of a fragment: either a hit or the text between hits. */
export interface Piece {
  text: string;
  isHit: boolean;
}

/** The hits of one page. */
export interface PageHits {
  /** Counting from 1. */
  page: number;
  fragments: readonly (readonly Piece[])[];
  /** The number of hits in all fragments. */
  count: number;
}

/** A box in fractions of the page. */
export interface HitBox {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** Parses a fragment from the API: unescaped text of the page, with `<em>` around each matching word. */
export function readFragment(fragment: string): Piece[] {
  return fragment
    .split(/(<em>[^]*?<\/em>)/)
    .map((text) => {
      const found = /^<em>([^]*)<\/em>$/.exec(text);
      return { text: found?.[1] ?? text, isHit: found !== null };
    })
    .filter(({ text }) => text !== "");
}

/** Joins hits that are separated only by white space: the words of a phrase are one hit. */
export function joinPhrases(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    const last = joined.at(-1);
    const next = pieces[index + 1];
    if (last?.isHit === true && next?.isHit === true && /^\s+$/.test(piece.text)) {
      last.text += piece.text + next.text;
      index += 1;
    } else joined.push({ ...piece });
  }
  return joined;
}

/** Reads the results of a search within the document. */
export function readHits(results: Hits["results"], query: string): PageHits[] {
  const read = query.includes('"')
    ? (text: string) => joinPhrases(readFragment(text))
    : (text: string) => readFragment(text);
  return results.map((result) => {
    const fragments = result.fragments.map(read);
    const count = fragments.flat().filter(({ isHit }) => isHit).length;
    return { page: result.page_number + 1, fragments, count };
  });
}

/**
 * The positions of a page's hits, in the order of its fragments. Each hit has a list of boxes, which is empty if its
 * words are not among the words of the page. Text and words of a page come from the same source, but their white space
 * differs, so they are compared without it.
 */
export function boxesOfHits(
  fragments: readonly (readonly Piece[])[],
  words: readonly PageWord[],
): HitBox[][] {
  const page = solidText(words);
  let from = 0;
  return fragments.flatMap((pieces) => {
    const text = pieces.map((piece) => solid(piece.text)).join("");
    const found = page.text.indexOf(text, from);
    if (found < 0) return singleHits(pieces, page, words);
    from = found + text.length;
    let at = found;
    return pieces.flatMap((piece) => {
      const start = at;
      at += solid(piece.text).length;
      return piece.isHit ? [boxesBetween(page, words, start, at)] : [];
    });
  });
}

interface SolidText {
  text: string;
  /** The offset of each word in the text, followed by the length of the text. */
  starts: number[];
}

/** A text without white space and hyphens, which may divide a word at the end of a line. */
function solid(text: string): string {
  return text.replaceAll(/[\s\u00ad\u2010-]+/g, "");
}

function solidText(words: readonly PageWord[]): SolidText {
  const starts: number[] = [];
  let text = "";
  for (const word of words) {
    starts.push(text.length);
    text += solid(word.text);
  }
  return { text, starts: [...starts, text.length] };
}

/** Finds each hit separately, at its next occurrence, for a fragment that is not on the page as a whole. */
function singleHits(pieces: readonly Piece[], page: SolidText, words: readonly PageWord[]): HitBox[][] {
  let from = 0;
  return pieces
    .filter(({ isHit }) => isHit)
    .map((piece) => {
      const text = solid(piece.text);
      const found = text === "" ? -1 : page.text.indexOf(text, from);
      if (found < 0) return [];
      from = found + text.length;
      return boxesBetween(page, words, found, from);
    });
}

/**
 * The boxes of the words in a range of the text. If only part of a word is in the range, its box is cut accordingly: a
 * word of Chinese may be a whole line.
 */
function boxesBetween(
  { starts }: SolidText,
  words: readonly PageWord[],
  start: number,
  end: number,
): HitBox[] {
  return words.flatMap((word, index) => {
    const [first = 0, past = 0] = [starts[index], starts[index + 1]];
    if (past <= start || first >= end) return [];
    const { x1, x2, y1, y2 } = word;
    const length = past - first;
    const [before, after] = [
      (Math.max(start, first) - first) / length,
      (past - Math.min(end, past)) / length,
    ];
    // Punctuation is a small part of a word, and highlighting the whole word is easier to see.
    if (before + after < 0.3) return [{ x1, x2, y1, y2 }];
    const [low, high] = word.direction === -1 ? [after, before] : [before, after];
    if (word.upright === false) return [{ x1, x2, y1: y1 + (y2 - y1) * low, y2: y2 - (y2 - y1) * high }];
    return [{ x1: x1 + (x2 - x1) * low, x2: x2 - (x2 - x1) * high, y1, y2 }];
  });
}
