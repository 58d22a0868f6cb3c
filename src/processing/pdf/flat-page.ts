import { deflateSync } from "node:zlib";
import { type Pixels, toPalette } from "../pdfium/palette.ts";
import { imageSize } from "../image-size.ts";
import { isShaded } from "./few-colors.ts";
import { type PageRaster, colorsOf } from "./pdf-page-reading.ts";
import { isLength } from "./pdf-facts.ts";
import { PdfFile } from "../pdf-file.ts";
import { codesOn } from "./drawn-codes.ts";
import type { Pdfium } from "../pdfium/pdfium.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/** A rectangle on a page as it is shown, in fractions of its width from the left and of its height from the top. */
export interface Box {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** A box that is blackened, with the code of the reason if it shows that. */
export interface CodedBox extends Box {
  code?: string | undefined;
}

interface FlatSize {
  /** In points. */
  size: { width: number; height: number };
  /** In pixels. */
  width: number;
  height: number;
}

/** A page that was drawn by a program. */
interface DrawnFlatPage extends FlatSize {
  /** Red, green and blue of each colour. */
  colors: number[];
  /** The index of each pixel's colour, deflated. */
  pixels: Uint8Array<ArrayBuffer>;
}

/** A page with shadings: a scan or a photograph. */
interface ShadedFlatPage extends FlatSize {
  /** Red, green and blue of each pixel. */
  shades: Uint8Array<ArrayBuffer>;
}

/** A page that consists of an image only. */
export type FlatPage = DrawnFlatPage | ShadedFlatPage;

/** Enough for text recognition and for printing. A scan keeps its own resolution, between these. */
const dotsPerInch = { usual: 300, min: 100, max: 600 };

/**
 * Draws a page with its annotations and forms, and then blackens these boxes. No pixel keeps anything of their content.
 *
 * @throws {UnreadableFileError}
 */
export function readFlatPage(pdfium: Pdfium, index: number, boxes: readonly Box[]): FlatPage {
  const size = pdfium.pageSize(index);
  if (size === null || !isLength(size.width) || !isLength(size.height)) return undrawable(index);
  const page = pdfium.withPage(index, (opened): FlatPage | null => {
    const { width, height } = imageSize(size, (size.width / 72) * resolutionOf(size, opened.scanSize()));
    return opened.withPixels(width, height, (pixels) => {
      blacken(pixels, boxes);
      const { buffer, byteOffset, byteLength } = pixels.bytes;
      if (isShaded(new Uint32Array(buffer, byteOffset, byteLength >> 2), width))
        return { size, width, height, shades: colorsOf(pixels).bytes };
      const { colors, indexes } = toPalette(pixels);
      return { size, width, height, colors, pixels: new Uint8Array(deflateSync(indexes)) };
    });
  });
  return page ?? undrawable(index);
}

const isAlike = (one: number, other: number): boolean => Math.abs(one / other - 1) < 0.03;

/** In dots per inch. An image with other proportions than its page does not fill it. */
function resolutionOf(
  size: { width: number; height: number },
  scan: { width: number; height: number } | null,
): number {
  if (scan === null) return dotsPerInch.usual;
  const [across, down] = [scan.width / size.width, scan.height / size.height];
  const [turnedAcross, turnedDown] = [scan.height / size.width, scan.width / size.height];
  const dots = isAlike(across, down) ? across : isAlike(turnedAcross, turnedDown) ? turnedAcross : null;
  if (dots === null) return dotsPerInch.usual;
  return Math.min(dotsPerInch.max, Math.max(dotsPerInch.min, dots * 72));
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

/** Writes a PDF of these pages, in this order, as images with these boxes blackened and their codes on them. */
export async function writeFlatPages(
  pdf: { flat(page: number, boxes: readonly Box[]): Promise<FlatPage> },
  pages: readonly { page: number; boxes: readonly CodedBox[] }[],
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const file = new PdfFile(to);
  try {
    for (const { page, boxes } of pages) {
      signal.throwIfAborted();
      await addFlatPage(file, await pdf.flat(page, plainBoxes(boxes)), boxes);
    }
    file.end();
  } catch (error) {
    file.close();
    throw error;
  }
}

const plainBoxes = (boxes: readonly CodedBox[]): Box[] =>
  boxes.map(({ x1, x2, y1, y2 }) => ({ x1, x2, y1, y2 }));

/** Writes a PDF of pages that have nothing but boxes and their codes: so boxes look whatever they cover. */
export function writeBoxesAlone(
  to: string,
  pages: readonly (FlatSize & { boxes: readonly CodedBox[] })[],
): void {
  const file = new PdfFile(to);
  try {
    for (const { boxes, ...page } of pages) {
      const black = boxes.map((box) => rectangleOf(box, page)).join(" ");
      const content = file.addDeflated(Buffer.from(`${black} ${codesOn(boxes, page.size)}`));
      file.addPage(page.size.width, page.size.height, content, "");
    }
    file.end();
  } catch (error) {
    file.close();
    throw error;
  }
}

async function addFlatPage(file: PdfFile, page: FlatPage, boxes: readonly CodedBox[]): Promise<void> {
  const { size, width, height } = page;
  const { bytes, format } =
    "shades" in page ? await encodeJpeg(page) : { bytes: page.pixels, format: paletteOf(page) };
  const image = file.addStream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 ${format}`,
    bytes.length,
    [bytes],
  );
  const matrix = `${size.width.toFixed(3)} 0 0 ${size.height.toFixed(3)} 0 0`;
  // A JPEG has traces around edges, so that its boxes are not all black. They are drawn once more, above it.
  const above = "shades" in page ? boxes.map((box) => rectangleOf(box, page)).join(" ") : "";
  const parts = [`q ${matrix} cm /I Do Q`, above, codesOn(boxes, size)];
  const content = file.addDeflated(Buffer.from(parts.filter((part) => part !== "").join("\n")));
  file.addPage(size.width, size.height, content, `/XObject << /I ${image} 0 R >>`);
}

function paletteOf({ colors }: DrawnFlatPage): string {
  const table = Buffer.from(colors).toString("hex");
  return `/ColorSpace [/Indexed /DeviceRGB ${colors.length / 3 - 1} <${table}>] /Filter /FlateDecode`;
}

/** Of a scan, the difference cannot be seen; a lossless image is some eight times as large as the scan was. */
const jpegQuality = 80;

/** Runs in Node's thread pool. sharp is loaded with the first image. */
async function encodeJpeg({
  width,
  height,
  shades,
}: ShadedFlatPage): Promise<{ bytes: Uint8Array; format: string }> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  const isGrey = shades.every((value, at) => at % 3 === 0 || Math.abs(value - (shades[at - 1] ?? 0)) <= 2);
  const bytes = await sharp(shades, { raw: { width, height, channels: 3 } })
    .toColourspace(isGrey ? "b-w" : "srgb")
    .jpeg({ quality: jpegQuality })
    .toBuffer();
  return { bytes, format: `/ColorSpace /${isGrey ? "DeviceGray" : "DeviceRGB"} /Filter /DCTDecode` };
}

/** Draws every pixel that the box touches in black. */
function rectangleOf(box: Box, { size, width, height }: FlatSize): string {
  const { left, right, top, bottom } = pixelsUnder(box, width, height);
  const [across, down] = [size.width / width, size.height / height];
  const lengths = [
    left * across,
    size.height - bottom * down,
    (right - left) * across,
    (bottom - top) * down,
  ];
  return `q 0 g ${lengths.map((length) => length.toFixed(3)).join(" ")} re f Q`;
}
