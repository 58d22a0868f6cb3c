import { toFewColors } from "./few-colors.ts";
import { encodeGif } from "./gif.ts";
import { encodeLosslessWebp } from "./lossless-webp.ts";
import {
  type PageCharacters,
  type PageText,
  type PlainText,
  plainTextOfCharacters,
  textOfCharacters,
} from "../pdfium/page-words.ts";
import { isLength } from "./pdf-facts.ts";
import type { PagePixels } from "./webp.ts";
import type { Pixels } from "../pdfium/palette.ts";
import { mendedCharacters } from "../pdfium/mended-characters.ts";
import type { Pdfium } from "../pdfium/pdfium.ts";
import type { PdfiumPage } from "../pdfium/pdfium-page.ts";
import { type AnnotationAt, inReadingOrder, ownCharacters } from "../pdfium/reading-order.ts";
import { mayBeStamp } from "../pdfium/stamped-scan.ts";
import { imageSize, maxGifSide, maxWebpSide } from "../image-size.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/** @throws {UnreadableFileError} if the page cannot be read. Pages count from 0. */
export function readPageText(pdfium: Pdfium, index: number): PageText {
  const text = pdfium.withReadPage(index, (page) => {
    const { frame } = page;
    return withShownCharacters(page, (characters) => textOfCharacters(characters, frame));
  });
  return text ?? failFor(pdfium, index, "cannot be read");
}

/** The text without its words. @throws {UnreadableFileError} if the page cannot be read. Pages count from 0. */
export function readPlainText(pdfium: Pdfium, index: number): PlainText {
  const text = pdfium.withReadPage(index, (page) =>
    withShownCharacters(page, (characters) => plainTextOfCharacters(characters)),
  );
  return text ?? failFor(pdfium, index, "cannot be read");
}

/**
 * Calls `read` with the page's characters, including filled-in fields and stamps, in reading order. The text's quality
 * is measured without fields and stamps, because a scan needs text recognition whatever is stamped on it. On a page of
 * fields and stamps alone, they are the text.
 */
function withShownCharacters<Text extends PlainText>(
  page: PdfiumPage,
  read: (characters: PageCharacters) => Text,
): Text | null {
  return page.withCharacters((characters, annotationAt) => {
    const text = readShown(page, characters, annotationAt, read);
    const mended = mendedCharacters(characters, text.text);
    if (mended === null) return knownAsStamp(page, text);
    const owners = annotationAt && ((index: number) => annotationAt(mended.indexAt(index)));
    return knownAsStamp(page, readShown(page, mended.characters, owners, read));
  });
}

function knownAsStamp<Text extends PlainText>(page: PdfiumPage, text: Text): Text {
  const isStamp = text.quality === "good" && mayBeStamp(text.text) && page.isStampedScan;
  return isStamp ? { ...text, quality: "stamp" } : text;
}

function readShown<Text extends PlainText>(
  page: PdfiumPage,
  characters: PageCharacters,
  annotationAt: AnnotationAt | null,
  read: (characters: PageCharacters) => Text,
): Text {
  if (annotationAt === null) return read(characters);
  const text = read(inReadingOrder(characters, annotationAt));
  const { quality } = plainTextOfCharacters(ownCharacters(characters, annotationAt));
  return quality === "none" && !page.mayShowLetters ? text : { ...text, quality };
}

/** A GIF. @throws {UnreadableFileError} if the page cannot be drawn. Pages count from 0. */
export function readPageImage(pdfium: Pdfium, index: number, width: number): Uint8Array<ArrayBuffer> {
  return drawPage(pdfium, index, width, maxGifSide, encodeGif);
}

/**
 * A WebP, or the pixels of a page that is to be encoded with losses: see webp.ts.
 *
 * @throws {UnreadableFileError} if the page cannot be drawn. Pages count from 0.
 */
export function readPageWebp(
  pdfium: Pdfium,
  index: number,
  width: number,
): Uint8Array<ArrayBuffer> | PagePixels {
  return drawPage(pdfium, index, width, maxWebpSide, (pixels) => {
    const image = toFewColors(pixels);
    return (image && encodeLosslessWebp(image, pixels.width)) ?? colorsOf(pixels);
  });
}

export function colorsOf({ width, height, bytes: pixels }: Pixels): PagePixels {
  const bytes = new Uint8Array(width * height * 3);
  for (let at = 0, pixel = 0; at < bytes.length; at += 3, pixel += 4) {
    bytes[at] = pixels[pixel + 2] ?? 0;
    bytes[at + 1] = pixels[pixel + 1] ?? 0;
    bytes[at + 2] = pixels[pixel] ?? 0;
  }
  return { width, height, bytes };
}

function drawPage<Image>(
  pdfium: Pdfium,
  index: number,
  width: number,
  maxSide: number,
  use: (pixels: Pixels) => Image,
): Image {
  const size = pdfium.pageSize(index);
  if (size === null) return failFor(pdfium, index, "cannot be read");
  if (!isLength(size.width) || !isLength(size.height)) return failFor(pdfium, index, "has no size");
  const image = imageSize(size, width, maxSide);
  const drawn = pdfium.withPage(index, (page) => page.withPixels(image.width, image.height, use));
  return drawn ?? failFor(pdfium, index, "cannot be drawn");
}

/** A page in tesseract's input format: a PGM, in which each byte is a pixel's brightness. */
export interface PageRaster {
  width: number;
  height: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** tesseract reads this resolution best. A page that would be too large is drawn smaller. */
const rasterDpi = 300;

/** The page turned clockwise. @throws {UnreadableFileError} if it cannot be drawn. Pages count from 0. */
export function readPageRaster(pdfium: Pdfium, index: number, quarterTurns: number): PageRaster {
  const size = pdfium.pageSize(index);
  if (size === null) return failFor(pdfium, index, "cannot be read");
  if (!isLength(size.width) || !isLength(size.height)) return failFor(pdfium, index, "has no size");
  const { width, height } = imageSize(size, (size.width / 72) * rasterDpi);
  const [across, down] = quarterTurns % 2 === 0 ? [width, height] : [height, width];
  const raster = pdfium.withPage(index, (page) => page.withPixels(across, down, greyRaster, quarterTurns));
  return raster ?? failFor(pdfium, index, "cannot be drawn");
}

function greyRaster({ width, height, bytes: pixels }: Pixels): PageRaster {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const bytes = new Uint8Array(head.length + width * height);
  bytes.set(head);
  for (let at = head.length, pixel = 0; at < bytes.length; at++, pixel += 4) {
    const [blue, green, red] = [pixels[pixel] ?? 0, pixels[pixel + 1] ?? 0, pixels[pixel + 2] ?? 0];
    bytes[at] = (red * 77 + green * 150 + blue * 29) >> 8;
  }
  return { width, height, bytes };
}

function failFor(pdfium: Pdfium, index: number, what: string): never {
  throw new UnreadableFileError("broken", `broken: page ${index + 1} of ${pdfium.pageCount} ${what}`);
}
