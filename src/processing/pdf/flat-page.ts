import { deflateSync } from "node:zlib";
import { type Pixels, toPalette } from "../pdfium/palette.ts";
import { imageSize } from "../image-size.ts";
import type { PageRaster } from "./pdf-page-reading.ts";
import { isLength } from "./pdf-facts.ts";
import { PdfFile } from "../pdf-file.ts";
import type { Pdfium } from "../pdfium/pdfium.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/** A rectangle on a page as it is shown, in fractions of its width from the left and of its height from the top. */
export interface Box {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** A page that consists of an image only. */
export interface FlatPage {
  /** In points. */
  size: { width: number; height: number };
  /** In pixels. */
  width: number;
  height: number;
  /** Red, green and blue of each colour. */
  colors: number[];
  /** The index of each pixel's colour, deflated. */
  pixels: Uint8Array<ArrayBuffer>;
}

/** Enough for text recognition and for printing. */
const dotsPerInch = 300;

/**
 * Draws a page with its annotations and forms, and then blackens these boxes. No pixel keeps anything of their content.
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

/** A run of pixels in a row, from `first` to before `end`. */
export interface PixelRun {
  row: number;
  first: number;
  end: number;
}

/**
 * The pixels under the boxes, row by row and from the left. No pixel comes twice, even if boxes overlap. Each box grows
 * by `margin` pixels at every side, up to the edges of the image. A negative margin shrinks it.
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
    .toSorted((a, b) => a.left - b.left);
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

/** In pixels: the edges of a redrawn box are partly grey. */
const greyEdge = 2;

/** Whitens the blackened boxes of a page, because text recognition takes text next to black areas for a picture. */
export function whiten({ width, height, bytes }: PageRaster, boxes: readonly Box[]): void {
  const head = bytes.length - width * height;
  for (const { row, first, end } of runsUnder(boxes, width, height, greyEdge)) {
    bytes.fill(255, head + row * width + first, head + row * width + end);
  }
}

/** Writes a PDF of these pages, in this order, as images with these boxes blackened. */
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
  const matrix = `${size.width.toFixed(3)} 0 0 ${size.height.toFixed(3)} 0 0`;
  const content = file.addDeflated(Buffer.from(`q ${matrix} cm /I Do Q`));
  file.addPage(size.width, size.height, content, `/XObject << /I ${image} 0 R >>`);
}
