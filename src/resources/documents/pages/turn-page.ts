import type { Box } from "../../../processing/pdf/flat-page.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import type { ReadPage } from "./page-store.ts";

/** The position of a box after its page has been rotated clockwise. */
export function turnBox({ x1, x2, y1, y2 }: Box, quarterTurns: number): Box {
  switch (quarterTurns & 3) {
    case 1:
      return { x1: complement(y2), x2: complement(y1), y1: x1, y2: x2 };
    case 2:
      return { x1: complement(x2), x2: complement(x1), y1: complement(y2), y2: complement(y1) };
    case 3:
      return { x1: y1, x2: y2, y1: complement(x2), y2: complement(x1) };
    default:
      return { x1, x2, y1, y2 };
  }
}

/** Rounds away floating-point error, as in 1 - 0.9. */
const complement = (fraction: number): number => Math.round((1 - fraction) * 1e9) / 1e9;

/**
 * A word of a rotated page. After one quarter turn, text that ran right runs down, and text that ran down runs left.
 */
export function turnWord(word: PageWord, quarterTurns: number): PageWord {
  let { upright, direction } = word;
  for (let turn = quarterTurns & 3; turn > 0; turn--) {
    if (!upright) direction = direction === 1 ? -1 : 1;
    upright = !upright;
  }
  return { ...word, ...turnBox(word, quarterTurns), upright, direction };
}

/** Rotates the words of a page that has been read, so that the page need not be read again. */
export function turnReadPage(page: ReadPage, quarterTurns: number): ReadPage {
  if (!page.recognised?.words || (quarterTurns & 3) === 0) return page;
  const words = page.recognised.words.map((word) => turnWord(word, quarterTurns));
  return { ...page, recognised: { ...page.recognised, words } };
}
