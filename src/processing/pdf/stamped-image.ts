import { inflateSync } from "node:zlib";
import type sharpType from "sharp";
import { reasonOf } from "../../errors.ts";
import { dejavuFont } from "../fonts/dejavu.ts";
import { textPath, widthOfText } from "../fonts/glyph-paths.ts";
import { visualOrder } from "../fonts/visual-order.ts";
import type { FlatPage } from "./flat-page.ts";
import { type StripWords, strip, stripTexts } from "./page-strip.ts";
import type { PageRaster } from "./pdf-page-reading.ts";

/*
 * Images of single pages with a strip below: bilevel TIFFs (CCITT Group 4), and JPEGs for pages in colour. What is
 * encoded are the pixels that pdfium has drawn, so nothing of a stranger's file is decoded here.
 */

/** Pixels with one byte (grey) or three (red, green, blue) for each. */
interface Raw {
  width: number;
  height: number;
  channels: 1 | 3;
  bytes: Uint8Array;
}

/** A page is too large for an image of this kind, or for the strip below it. */
export class StampingError extends Error {
  override readonly name = "StampingError";
}

async function orStampingError<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw new StampingError(`it cannot be written as an image (${reasonOf(cause)})`, { cause });
  });
}

/** The page in black and white. `pageWidth` is in points. @throws {StampingError} */
export function stampedTiff(page: PageRaster, pageWidth: number, words: StripWords): Promise<Buffer> {
  return orStampingError(tiffOf(page, pageWidth, words));
}

/** The page in colour. @throws {StampingError} */
export function stampedJpeg(page: FlatPage, words: StripWords): Promise<Buffer> {
  return orStampingError(jpegOf(page, words));
}

async function tiffOf(
  { width, height, bytes }: PageRaster,
  pageWidth: number,
  words: StripWords,
): Promise<Buffer> {
  const grey: Raw = { width, height, channels: 1, bytes: whitened(bytes.subarray(-width * height)) };
  const dots = dotsOf(width, pageWidth);
  return encodeTiff(await withStrip(grey, dots, words), dots);
}

async function jpegOf(page: FlatPage, words: StripWords): Promise<Buffer> {
  const { width, height, size } = page;
  const dots = dotsOf(width, size.width);
  const colors: Raw = { width, height, channels: 3, bytes: "shades" in page ? page.shades : colorsOf(page) };
  const stamped = await withStrip(colors, dots, words);
  const sharp = await loadSharp();
  return sharp(stamped.bytes, { raw: { width, height: stamped.height, channels: 3 } })
    .jpeg({ quality: 85 })
    .withMetadata({ density: dots })
    .toBuffer();
}

/** Sheets are US Letter at 300 dots per inch. */
const sheet = { width: 612, height: 792, dots: 300 };

/** A page that says why there is no other: a line of text after another, and its strip. */
export async function slipSheet(lines: readonly string[], words: StripWords): Promise<Buffer> {
  const [width, height] = [sheet.width, sheet.height].map((points) => Math.round((points / 72) * sheet.dots));
  const texts = lines.map((text, index) => ({ text, x: 72, y: sheet.height - 108 - 20 * index, size: 12 }));
  const drawn = await drawnTexts(texts, sheet, sheet.dots);
  const page: Raw = { width: width ?? 0, height: height ?? 0, channels: 1, bytes: drawn };
  return encodeTiff(await withStrip(page, sheet.dots, words), sheet.dots);
}

/** How far red, green and blue of a page's colour differ that is more than grey. */
const minChroma = 24;

/** Whether a page is shown better in colour than in black and white. */
export function isColored(page: FlatPage): boolean {
  if ("shades" in page) return true;
  return page.colors.some((red, at) => {
    if (at % 3 !== 0) return false;
    const [green = red, blue = red] = page.colors.slice(at + 1, at + 3);
    return Math.max(red, green, blue) - Math.min(red, green, blue) > minChroma;
  });
}

const dotsOf = (width: number, pageWidth: number): number => Math.round((width * 72) / pageWidth);

function colorsOf({ colors, pixels }: Extract<FlatPage, { pixels: unknown }>): Uint8Array {
  const indexes = inflateSync(pixels);
  const bytes = new Uint8Array(indexes.length * 3);
  for (const [at, index] of indexes.entries())
    for (let channel = 0; channel < 3; channel++) bytes[at * 3 + channel] = colors[index * 3 + channel] ?? 0;
  return bytes;
}

async function withStrip(page: Raw, dots: number, words: StripWords): Promise<Raw> {
  const { width, height, channels, bytes } = page;
  const points = (width * 72) / dots;
  const font = dejavuFont("DejaVuSans-Bold");
  const shown = { left: visualOrder(words.left), right: visualOrder(words.right) };
  const texts = stripTexts(shown, points, (text) => widthOfText(font, text));
  const below = await drawnTexts(texts, { width: points, height: strip.height }, dots);
  const rows = below.length / width;
  const whole = new Uint8Array(width * (height + rows) * channels);
  whole.set(bytes);
  const start = width * height * channels;
  for (let at = 0; at < below.length; at++)
    whole.fill(below[at] ?? 255, start + at * channels, start + (at + 1) * channels);
  return { width, height: height + rows, channels, bytes: whole };
}

/** The library draws none that is wider. What is wider is drawn narrower, and stretched. */
const maxDrawnWidth = 16_384;

/** Black texts on white, as grey pixels. Their letters are shapes: no font of the system is asked for. */
async function drawnTexts(
  texts: readonly { text: string; x: number; y: number; size: number }[],
  { width, height }: { width: number; height: number },
  dots: number,
): Promise<Uint8Array> {
  const font = dejavuFont("DejaVuSans-Bold");
  const [across = 1, down = 1] = [width, height].map((points) =>
    Math.max(1, Math.round((points * dots) / 72)),
  );
  const paths = texts.map(({ text, ...at }) => `<path d="${svgPath(textPath(font, text, at))}"/>`).join("");
  const narrow = Math.min(across, maxDrawnWidth);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${narrow}" height="${down}"
    viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><rect width="100%" height="100%" fill="#fff"/>
    <g transform="translate(0 ${height}) scale(1 -1)">${paths}</g></svg>`;
  const sharp = await loadSharp();
  const drawn = await sharp(Buffer.from(svg)).removeAlpha().extractChannel(0).raw().toBuffer();
  if (narrow === across) return drawn;
  const wide = new Uint8Array(across * down);
  for (let row = 0; row < down; row++)
    for (let x = 0; x < across; x++)
      wide[row * across + x] = drawn[row * narrow + Math.floor((x * narrow) / across)] ?? 255;
  return wide;
}

/** The operators of a PDF that draw a path, as SVG has them: there, they stand before their numbers. */
function svgPath(operators: string): string {
  const letters: Readonly<Record<string, string>> = { m: "M", l: "L", c: "C", h: "Z" };
  let path = "";
  let numbers: string[] = [];
  for (const token of operators.split(" ")) {
    const letter = letters[token];
    if (letter === undefined) numbers.push(token);
    else {
      path += `${letter}${numbers.join(" ")}`;
      numbers = [];
    }
  }
  return path;
}

/** What is darker becomes black. High, so that thin and light grey letters stay. */
const blackBelow = 190;
/** Shades of grey on more than this share of a page are dithered: a threshold would make them all black or white. */
const minShadesShare = 0.05;

async function encodeTiff({ width, height, bytes }: Raw, dots: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const shades = bytes.reduce((count, value) => count + (value > 40 && value < 215 ? 1 : 0), 0);
  if (shades > minShadesShare * bytes.length) dither(bytes, width);
  const perMillimetre = dots / 25.4;
  return sharp(bytes, { raw: { width, height, channels: 1 } })
    .threshold(blackBelow)
    .toColourspace("b-w")
    .tiff({
      compression: "ccittfax4",
      bitdepth: 1,
      miniswhite: true,
      xres: perMillimetre,
      yres: perMillimetre,
      resolutionUnit: "inch",
    })
    .toBuffer();
}

/** Paper covers at least this share of a page, in shades that are no further apart than this. */
const paper = { share: 0.4, shades: 64 };
/** The darkest pixels of a page, by their share, are its ink. */
const inkShare = 0.01;

/**
 * A scan with white paper and black ink. Dithered, the shades of both would be grains behind and within every letter.
 * Paper is the most frequent light shade, with those around it. A page without paper stays as it is.
 */
function whitened(bytes: Uint8Array): Uint8Array {
  const counts = Array.from({ length: 256 }, () => 0);
  for (const value of bytes) counts[value]! += 1;
  const max = Math.max(...counts.slice(128));
  const isRare = (count: number): boolean => count <= 0.02 * max;
  const usual = counts.indexOf(max, 128);
  const darkest = counts.slice(0, usual).findLastIndex(isRare) + 1;
  const lightest = usual + [...counts.slice(usual), 0].findIndex(isRare) - 1;
  const share = counts.slice(darkest).reduce((sum, count) => sum + count, 0) / bytes.length;
  if (share < paper.share || lightest - darkest > paper.shades) return bytes;
  let left = inkShare * bytes.length;
  const ink = Math.min(
    counts.findIndex((count) => (left -= count) < 0),
    darkest - 1,
  );
  const shades = Uint8ClampedArray.from(counts.keys(), (value) => ((value - ink) * 255) / (darkest - ink));
  return bytes.map((value) => shades[value]!);
}

/** Floyd and Steinberg: the error of each pixel is passed on to its neighbours. */
function dither(bytes: Uint8Array, width: number): void {
  let here = new Int16Array(width + 2);
  let below = new Int16Array(width + 2);
  for (let row = 0; row < bytes.length; row += width) {
    for (let x = 0; x < width; x++) {
      const wanted = (bytes[row + x] ?? 0) + ((here[x + 1] ?? 0) >> 4);
      const shown = wanted < 128 ? 0 : 255;
      bytes[row + x] = shown;
      const error = wanted - shown;
      here[x + 2]! += 7 * error;
      below[x]! += 3 * error;
      below[x + 1]! += 5 * error;
      below[x + 2]! += error;
    }
    [here, below] = [below, here];
    below.fill(0);
  }
}

/** Loaded with the first image. It runs in Node's thread pool. */
async function loadSharp(): Promise<typeof sharpType> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
