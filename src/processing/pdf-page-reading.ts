import { encodeGif } from "./gif.ts";
import { type PageText, textOfCharacters } from "./page-words.ts";
import { isLength } from "./pdf-facts.ts";
import type { Pdfium } from "./pdfium.ts";
import { UnreadableFileError } from "./unreadable-file.ts";

/** @throws {UnreadableFileError} if the page cannot be read. Pages count from 0. */
export function readPageText(pdfium: Pdfium, index: number): PageText {
  const text = pdfium.withPage(index, (page) => {
    const { frame } = page;
    return page.withCharacters((characters) => textOfCharacters(characters, frame));
  });
  return text ?? failFor(pdfium, index, "cannot be read");
}

/** A GIF. @throws {UnreadableFileError} if the page cannot be drawn. Pages count from 0. */
export function readPageImage(pdfium: Pdfium, index: number, width: number): Uint8Array<ArrayBuffer> {
  const size = pdfium.pageSize(index);
  if (size === null) return failFor(pdfium, index, "cannot be read");
  if (!isLength(size.width) || !isLength(size.height)) return failFor(pdfium, index, "has no size");
  const image = imageSize(size, width);
  const gif = pdfium.withPage(index, (page) => page.withPixels(image.width, image.height, encodeGif));
  return gif ?? failFor(pdfium, index, "cannot be drawn");
}

function failFor(pdfium: Pdfium, index: number, what: string): never {
  throw new UnreadableFileError("broken", `broken: page ${index + 1} of ${pdfium.pageCount} ${what}`);
}

/** Enough for a page three times as high as it is wide, at 2000 pixels; 48 MB in pdfium. */
const mostPixels = 12_000_000;
/** In a GIF. */
const longestSide = 65_535;

/** In pixels. An image that would be too large is smaller in both directions. */
export function imageSize(
  page: { width: number; height: number },
  width: number,
): { width: number; height: number } {
  const height = (width * page.height) / page.width;
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height));
  const pixels = (length: number): number => Math.max(1, Math.round(length * scale));
  return { width: pixels(width), height: pixels(height) };
}
