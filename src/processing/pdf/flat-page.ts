import { deflateSync } from "node:zlib";
import { type Pixels, toPalette } from "../pdfium/palette.ts";
import { type PageRaster, imageSize } from "./pdf-page-reading.ts";
import { isLength } from "./pdf-facts.ts";
import { PdfFile } from "../pdf-file.ts";
import type { Pdfium } from "../pdfium/pdfium.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/** A part of a page as it is shown: fractions of its width from the left, of its height from the top. */
export interface Box {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** A page as an image and nothing else. */
export interface FlatPage {
  /** In points. */
  size: { width: number; height: number };
  /** In pixels. */
  width: number;
  height: number;
  /** Red, green and blue of each colour. */
  colors: number[];
  /** For each pixel its colour, deflated. */
  pixels: Uint8Array<ArrayBuffer>;
}

/** Good enough to be recognised, and to be printed. */
const dotsPerInch = 300;

/**
 * Draws a page, its annotations and forms with it, and then black over these boxes: what was there is in no pixel.
 *
 * @throws {UnreadableFileError}
 */
export function readFlatPage(pdfium: Pdfium, index: number, boxes: readonly Box[]): FlatPage {
  const size = pdfium.pageSize(index);
  if (size === null || !isLength(size.width) || !isLength(size.height)) return undrawable(index);
  const { width, height } = imageSize(size, (size.width / 72) * dotsPerInch);
  const image = pdfium.withPage(index, (page) =>
    page.withPixels(width, height, (pixels) => {
      blacken(pixels, boxes);
      return toPalette(pixels);
    }),
  );
  if (image === null) return undrawable(index);
  const { colors, indexes } = image;
  return { size, width, height, colors, pixels: new Uint8Array(deflateSync(indexes)) };
}

function undrawable(index: number): never {
  throw new UnreadableFileError("broken", `broken: page ${index + 1} cannot be drawn`);
}

/** Every pixel that the box touches. */
export function pixelsUnder(
  { x1, x2, y1, y2 }: Box,
  width: number,
  height: number,
): { left: number; right: number; top: number; bottom: number } {
  return {
    left: Math.max(0, Math.floor(x1 * width)),
    right: Math.min(width, Math.ceil(x2 * width)),
    top: Math.max(0, Math.floor(y1 * height)),
    bottom: Math.min(height, Math.ceil(y2 * height)),
  };
}

/** In a row of pixels, from the first one to before the end. */
export interface PixelRun {
  row: number;
  first: number;
  end: number;
}

/**
 * The pixels under boxes, no pixel twice, however many boxes lie on it: row by row, and in each from the left. Each box is
 * larger by `margin` pixels at every side, as far as the image goes, or smaller.
 */
export function* runsUnder(
  boxes: readonly Box[],
  width: number,
  height: number,
  margin = 0,
): Generator<PixelRun> {
  const areas = boxes
    .map((box) => {
      const { left, right, top, bottom } = pixelsUnder(box, width, height);
      return {
        left: Math.max(0, left - margin),
        right: Math.min(width, right + margin),
        top: Math.max(0, top - margin),
        bottom: Math.min(height, bottom + margin),
      };
    })
    .filter(({ left, right }) => left < right)
    .toSorted((one, other) => one.left - other.left);
  for (let row = 0; row < height; row++) {
    let run: PixelRun | null = null;
    for (const { left, right, top, bottom } of areas) {
      if (row < top || row >= bottom) continue;
      if (run !== null && left <= run.end) run.end = Math.max(run.end, right);
      else {
        if (run !== null) yield run;
        run = { row, first: left, end: right };
      }
    }
    if (run !== null) yield run;
  }
}

function blacken({ width, height, bytes }: Pixels, boxes: readonly Box[]): void {
  const values = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  for (const { row, first, end } of runsUnder(boxes, width, height)) {
    values.fill(0, row * width + first, row * width + end);
  }
}

/** In pixels: at the edges of a box that was drawn anew there is some grey. */
const greyEdge = 2;

/** White over the boxes of a page that has black there: beside black, what recognises text takes text for a picture. */
export function whiten({ width, height, bytes }: PageRaster, boxes: readonly Box[]): void {
  const head = bytes.length - width * height;
  for (const { row, first, end } of runsUnder(boxes, width, height, greyEdge)) {
    bytes.fill(255, head + row * width + first, head + row * width + end);
  }
}

/** Writes a PDF of these pages as images with these boxes blackened, in this order. */
export async function writeFlatPages(
  pdf: { flat(page: number, boxes: readonly Box[]): Promise<FlatPage> },
  pages: readonly { page: number; boxes: readonly Box[] }[],
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const file = new PdfFile(to);
  try {
    for (const { page, boxes } of pages) {
      signal.throwIfAborted();
      addFlatPage(file, await pdf.flat(page, boxes));
    }
    file.end();
  } catch (error) {
    file.close();
    throw error;
  }
}

function addFlatPage(file: PdfFile, { size, width, height, colors, pixels }: FlatPage): void {
  const table = Buffer.from(colors).toString("hex");
  const image = file.addStream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 ` +
      `/ColorSpace [/Indexed /DeviceRGB ${colors.length / 3 - 1} <${table}>] /Filter /FlateDecode`,
    pixels.length,
    [pixels],
  );
  const place = `${size.width.toFixed(3)} 0 0 ${size.height.toFixed(3)} 0 0`;
  const content = file.addDeflated(Buffer.from(`q ${place} cm /I Do Q`));
  file.addPage(size.width, size.height, content, `/XObject << /I ${image} 0 R >>`);
}
