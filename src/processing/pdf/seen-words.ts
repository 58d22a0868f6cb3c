import { type PageText, type PageWord, textOfCharacters } from "../pdfium/page-words.ts";
import { isLength } from "./pdf-facts.ts";
import { imageSize } from "../image-size.ts";
import { mendedCharacters } from "../pdfium/mended-characters.ts";
import type { Pixels } from "../pdfium/palette.ts";
import type { Pdfium } from "../pdfium/pdfium.ts";
import type { UnpaintedCharacter } from "../pdfium/pdfium-page.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * The words of a page's text that a reader sees. Text may be white on white, clipped, outside the page, of no size, or
 * not painted at all. Otherwise its area in the image of the page has more than one colour. The text of a scan is not
 * painted either, but it lies on the picture of its words. So it counts as visible, unless other painted text covers
 * it. A replacement text (`ActualText`) is not visible: what is drawn in its position may be something else.
 */

export interface SeenWords {
  /** All words of the page's text, and those that it draws under a replacement text. */
  text: string;
  /** The visible words. A word divided at a line's end is also included as a whole. */
  seen: string[];
}

/** @throws {UnreadableFileError} if the page cannot be read or drawn. Pages count from 0. */
export function readSeenWords(pdfium: Pdfium, index: number): SeenWords {
  const size = pdfium.pageSize(index);
  const found = readWords(pdfium, index);
  const seenWords =
    found &&
    pdfium.withPage(index, (page) => {
      const { text, words, unpainted } = found;
      if (size === null) return null;
      if (!isLength(size.width) || !isLength(size.height)) return { text, seen: [] };
      const { width, height } = imageSize(size, (size.width / 72) * dotsPerInch);
      const painted = words.filter((word) => !isUnpainted(word, unpainted));
      const isPainted = new Set(painted);
      return page.withPixels(width, height, (pixels) => {
        const seen = words.map(
          (word) =>
            hasInk(pixels, word) &&
            (isPainted.has(word) || !painted.some((other) => shared(word, other) > 0.3 * area(word))),
        );
        return { text, seen: wordsSeen(words, seen) };
      });
    });
  if (seenWords !== null) return seenWords;
  throw new UnreadableFileError("broken", `broken: page ${index + 1} of ${pdfium.pageCount} cannot be read`);
}

interface WordsOfPage {
  text: string;
  /** Those that are drawn, and not their replacement. */
  words: readonly PageWord[];
  unpainted: readonly UnpaintedCharacter[];
}

/** The words of a page, with those of its fields and stamps. */
function readWords(pdfium: Pdfium, index: number): WordsOfPage | null {
  return pdfium.withReadPage(index, (page) => {
    const { frame } = page;
    const readPage = (): PageText | null =>
      page.withCharacters((characters) => {
        const text = textOfCharacters(characters, frame);
        const mended = mendedCharacters(characters, text.text);
        return mended === null ? text : textOfCharacters(mended.characters, frame);
      });
    const read = readPage();
    const drawn = page.removeActualTexts() ? readPage() : read;
    if (read === null || drawn === null) return null;
    const text = drawn === read ? read.text : `${read.text}\n${drawn.text}`;
    return { text, words: drawn.words, unpainted: page.unpaintedCharacters() };
  });
}

type Box = Pick<PageWord, "x1" | "x2" | "y1" | "y2">;

const dotsPerInch = 150;
/** On a scale to 255. Text that differs less from its background is not visible. */
const minContrast = 24;

const area = ({ x1, x2, y1, y2 }: Box): number => (x2 - x1) * (y2 - y1);

function shared(a: Box, b: Box): number {
  const width = Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1);
  const height = Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1);
  return Math.max(0, width) * Math.max(0, height);
}

/** Other text may have the same position, so the letters are compared too. */
function isUnpainted(word: PageWord, characters: readonly UnpaintedCharacter[]): boolean {
  const within = characters.filter((character) => shared(word, character) > 0.9 * area(character));
  const codes = new Set(within.map(({ code }) => code));
  const letters = [...word.text.matchAll(/[\p{L}\p{N}]/gu)].map(([letter]) => letter.charCodeAt(0));
  return letters.length > 0 && letters.every((letter) => codes.has(letter));
}

/** The inner part of a word's box, because its neighbours may reach into its edges. */
function hasInk({ width, height, bytes }: Pixels, { x1, x2, y1, y2 }: Box): boolean {
  const [across, down] = [(x2 - x1) / 20, (y2 - y1) / 5];
  let [darkest, lightest] = [255, 0];
  for (let y = Math.floor((y1 + down) * height); y < Math.min(height, (y2 - down) * height); y++) {
    for (let x = Math.floor((x1 + across) * width); x < Math.min(width, (x2 - across) * width); x++) {
      const at = (y * width + x) * 4;
      const light = ((bytes[at] ?? 0) * 29 + (bytes[at + 1] ?? 0) * 150 + (bytes[at + 2] ?? 0) * 77) >> 8;
      if (light < darkest) darkest = light;
      if (light > lightest) lightest = light;
      if (lightest - darkest >= minContrast) return true;
    }
  }
  return false;
}

function wordsSeen(words: readonly PageWord[], seen: readonly boolean[]): string[] {
  return words.flatMap(({ text }, index) => {
    if (seen[index] !== true) return [];
    const next = seen[index + 1] === true ? words[index + 1]?.text : undefined;
    const isDivided = next !== undefined && /[-\u2010\u00ad]$/u.test(text);
    return isDivided ? [text, text.slice(0, -1) + next, text + next] : [text];
  });
}
