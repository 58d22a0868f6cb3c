import type { Box } from "../../../processing/pdf/flat-page.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import type { ReadPage } from "./page-store.ts";

/** Where a part of a page is when the page is turned clockwise. */
export function turnBox({ x1, x2, y1, y2 }: Box, quarterTurns: number): Box {
  switch (quarterTurns & 3) {
    case 1:
      return { x1: rest(y2), x2: rest(y1), y1: x1, y2: x2 };
    case 2:
      return { x1: rest(x2), x2: rest(x1), y1: rest(y2), y2: rest(y1) };
    case 3:
      return { x1: y1, x2: y2, y1: rest(x2), y2: rest(x1) };
    default:
      return { x1, x2, y1, y2 };
  }
}

/** Without what a computer makes of 1 - 0.9. */
const rest = (fraction: number): number => Math.round((1 - fraction) * 1e9) / 1e9;

/** The words of a page that is turned: what ran to the right runs down, and what ran down runs to the left. */
export function turnWord(word: PageWord, quarterTurns: number): PageWord {
  let { upright, direction } = word;
  for (let turn = quarterTurns & 3; turn > 0; turn--) {
    if (!upright) direction = direction === 1 ? -1 : 1;
    upright = !upright;
  }
  return { ...word, ...turnBox(word, quarterTurns), upright, direction };
}

/** How many quarter turns clockwise a word is turned whose direction is that of its letters, as of what is recognised. */
export function turnsOfWord({ upright, direction }: PageWord): number {
  const isBackwards = direction === -1;
  if (upright) return isBackwards ? 2 : 0;
  return isBackwards ? 3 : 1;
}

/** A page as it was read, for when it is turned: it is not read anew. */
export function turnReadPage(page: ReadPage, quarterTurns: number): ReadPage {
  if (!page.recognised?.words || (quarterTurns & 3) === 0) return page;
  const words = page.recognised.words.map((word) => turnWord(word, quarterTurns));
  return { ...page, recognised: { ...page.recognised, words } };
}
