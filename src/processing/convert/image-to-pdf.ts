import { closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { readBmp } from "./bmp.ts";
import type { Converted } from "./conversion.ts";
import { PdfFile } from "../pdf-file.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/** An A4 page at 600 dots per inch has 35 million pixels. A program that draws the page has to decode all of them. */
const maxPixels = 50_000_000;
/** An image with more pixels is not opened. This is 24,000 pixels square. */
const maxPixelsRead = 576_000_000;
const maxPages = 2000;
/** A lossless image with more bytes than this, and more per pixel than a drawing has, is a photo and becomes a JPEG. */
const maxLosslessBytes = 6_000_000;
const photographBytesPerPixel = 0.8;

/**
 * Makes a page of each image in the file. JPEGs are embedded unchanged. Other images stay lossless, except for large
 * photographs and for images of more than {@link maxPixels}, which are scaled down.
 */
export async function imageToPdf(from: string, extension: string, to: string): Promise<Converted> {
  sharp.cache(false);
  sharp.concurrency(1);
  const images = await ImageFile.open(from, extension);
  const pdf = new PdfFile(to);
  const notes: string[] = [];
  for (let index = 0; index < images.count; index++) {
    const page = await images.page(index);
    const { width, height } = uprightSize(page.metadata);
    if (width * height > maxPixelsRead) throw tooLarge(width, height);
    const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
    if (scale < 1) notes.push(`Page ${index + 1} has ${width} × ${height} pixels and is shown smaller`);
    const size = pageSize(page.metadata);
    const asItIs = scale === 1 && isPlainJpeg(page.metadata);
    if (asItIs) await checkJpeg(page, notes);
    const image = asItIs
      ? addJpegFile(pdf, from, page.metadata)
      : await addPixels(pdf, page, scale, `${to}.page`);
    const matrix = asItIs ? orientations[page.metadata.orientation ?? 1] : undefined;
    const scaled = scaledMatrix(size, matrix ?? upright);
    const content = pdf.addDeflated(Buffer.from(`q ${scaled} cm /I Do Q`));
    pdf.addPage(size.width, size.height, content, `/XObject << /I ${image} 0 R >>`);
  }
  pdf.end();
  return { engine: "image", pages: images.count, notes };
}

interface ImagePage {
  metadata: Metadata;
  /** Starts to decode the image again. */
  open: (this: void, failOn: "error" | "none") => Sharp;
}

type OpenPage = (page: number, failOn: "error" | "none") => Sharp;

class ImageFile {
  readonly count: number;
  readonly #open: OpenPage;
  /** The density that the file states, if its decoder does not report it. */
  readonly #density: number | undefined;

  private constructor(count: number, open: OpenPage, density?: number) {
    this.count = count;
    this.#open = open;
    this.#density = density;
  }

  static async open(from: string, extension: string): Promise<ImageFile> {
    if (extension === "bmp") {
      const { data, width, height, channels, density } = await readBmp(from);
      return new ImageFile(1, () => sharp(data, { raw: { width, height, channels } }), density);
    }
    const isMany = extension === "tif" || extension === "tiff";
    // An SVG is read from memory, so it has no folder from which it could load other files.
    const source = extension === "svg" ? await readFile(from) : from;
    const file = new ImageFile(1, (page, failOn) =>
      sharp(source, {
        page: isMany ? page : 0,
        failOn,
        limitInputPixels: maxPixelsRead,
        sequentialRead: true,
        ...(extension === "svg" && { density: 150 }),
      }),
    );
    const { metadata } = await file.page(0);
    const count = isMany ? (metadata.pages ?? 1) : 1;
    if (count > maxPages)
      throw new UnreadableFileError("too-large", `too long: it has more than ${maxPages} pages`);
    return new ImageFile(count, file.#open);
  }

  async page(index: number): Promise<ImagePage> {
    const open = (failOn: "error" | "none"): Sharp => this.#open(index, failOn);
    const metadata = await open("none").metadata();
    return {
      metadata: this.#density === undefined ? metadata : { ...metadata, density: this.#density },
      open,
    };
  }
}

const isPlainJpeg = ({ format, space }: Metadata): boolean =>
  format === "jpeg" && (space === "srgb" || space === "b-w");

/** Adds a note if a JPEG is truncated. It is shown as far as it can be decoded. */
async function checkJpeg({ open }: ImagePage, notes: string[]): Promise<void> {
  // For this size, the decoder decodes at an eighth of the resolution if it can.
  const isWhole = (failOn: "error" | "none"): Promise<unknown> => open(failOn).resize(64).raw().toBuffer();
  await isWhole("error").catch(async () => {
    await isWhole("none");
    notes.push("The image is damaged, and shown as far as it can be read");
  });
}

function addJpegFile(pdf: PdfFile, from: string, { width, height, channels }: Metadata): number {
  const colors = channels === 1 ? "DeviceGray" : "DeviceRGB";
  return pdf.addStream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /${colors} /Filter /DCTDecode`,
    statSync(from).size,
    chunksOf(from, [{ position: 0, length: statSync(from).size }]),
  );
}

async function addPixels(pdf: PdfFile, page: ImagePage, scale: number, temporary: string): Promise<number> {
  const { metadata } = page;
  const isGray = metadata.space === "b-w" || metadata.space === "grey16";
  const { width, height } = uprightSize(metadata);
  const drawn = (): Sharp => {
    const image = page.open("none").autoOrient().flatten({ background: "white" });
    if (scale < 1)
      image.resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), {
        fit: "fill",
      });
    return image.toColourspace(isGray ? "b-w" : "srgb");
  };
  try {
    const {
      width: wide,
      height: high,
      channels,
      size,
    } = await drawn().png({ compressionLevel: 6 }).toFile(temporary);
    const common = `/Type /XObject /Subtype /Image /Width ${wide} /Height ${high} /BitsPerComponent 8 /ColorSpace /${channels === 1 ? "DeviceGray" : "DeviceRGB"}`;
    if (size > maxLosslessBytes && size / (wide * high) > photographBytesPerPixel) {
      rmSync(temporary);
      const jpeg = await drawn().jpeg({ quality: 88 }).toFile(temporary);
      return pdf.addStream(
        `${common} /Filter /DCTDecode`,
        jpeg.size,
        chunksOf(temporary, [{ position: 0, length: jpeg.size }]),
      );
    }
    // PDF supports PNG's compression and predictors, so the compressed bytes are copied as they are.
    const parts = dataOfPng(temporary);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const parameters = `/Predictor 15 /Colors ${channels} /BitsPerComponent 8 /Columns ${wide}`;
    return pdf.addStream(
      `${common} /Filter /FlateDecode /DecodeParms << ${parameters} >>`,
      length,
      chunksOf(temporary, parts),
    );
  } finally {
    rmSync(temporary, { force: true });
  }
}

interface Part {
  position: number;
  length: number;
}

/** The positions of the compressed pixels in a PNG file that Quire wrote. */
function dataOfPng(path: string): Part[] {
  const file = openSync(path, "r");
  try {
    const parts: Part[] = [];
    const head = Buffer.alloc(8);
    for (let position = 8; readSync(file, head, 0, 8, position) === 8;) {
      const length = head.readUInt32BE(0);
      if (head.toString("latin1", 4, 8) === "IDAT") parts.push({ position: position + 8, length });
      position += length + 12;
    }
    return parts;
  } finally {
    closeSync(file);
  }
}

function* chunksOf(path: string, parts: readonly Part[]): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (const { position, length } of parts) {
      for (let done = 0; done < length;) {
        const chunk = Buffer.alloc(Math.min(1024 * 1024, length - done));
        const count = readSync(file, chunk, 0, chunk.length, position + done);
        if (count === 0) throw new Error("the image ended while it was read");
        yield chunk.subarray(0, count);
        done += count;
      }
    }
  } finally {
    closeSync(file);
  }
}

const isOnItsSide = ({ orientation = 1 }: Metadata): boolean => orientation >= 5;

function uprightSize(metadata: Metadata): { width: number; height: number } {
  const { width, height } = metadata;
  return isOnItsSide(metadata) ? { width: height, height: width } : { width, height };
}

const maxSide = 14_400;
const posterInches = 24;

/**
 * The size in points. Cameras write 72 dots per inch into ordinary photos, so a density that would make the page
 * implausibly large is ignored.
 */
function pageSize(metadata: Metadata): { width: number; height: number } {
  const { width, height } = uprightSize(metadata);
  const longest = Math.max(width, height);
  const { density = 0, format } = metadata;
  const isMeant =
    format !== "svg" &&
    density >= 36 &&
    density <= 4800 &&
    !(density <= 96 && longest / density > posterInches);
  const dots =
    format === "svg"
      ? 150
      : isMeant
        ? density
        : Math.max(Math.min(Math.max(longest / 11.7, 72), 150), longest / posterInches);
  const scale = Math.min(72 / dots, maxSide / longest);
  return { width: Math.max(3, width * scale), height: Math.max(3, height * scale) };
}

type Matrix = readonly [number, number, number, number, number, number];

const upright: Matrix = [1, 0, 0, 1, 0, 0];
/** The matrix that maps the unit square to the page, for each EXIF orientation. */
const orientations: Readonly<Record<number, Matrix>> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

function scaledMatrix({ width, height }: { width: number; height: number }, matrix: Matrix): string {
  return matrix.map((value, index) => (value * (index % 2 === 0 ? width : height)).toFixed(3)).join(" ");
}

const tooLarge = (width: number, height: number): UnreadableFileError =>
  new UnreadableFileError("too-large", `too large: it has ${width} × ${height} pixels`);
