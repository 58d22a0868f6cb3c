import { readFile } from "node:fs/promises";
import { UnreadableFileError } from "../unreadable-file.ts";

const maxPixels = 100_000_000;

export interface Bitmap {
  /** Red, green, blue of each pixel, row by row from the top. */
  data: Buffer;
  width: number;
  height: number;
  channels: 3;
  /** In dots per inch, if the file states it. */
  density: number | undefined;
}

/**
 * Reads an uncompressed BMP. Nearly all BMPs are uncompressed.
 *
 * @throws {UnreadableFileError}
 */
export async function readBmp(path: string): Promise<Bitmap> {
  const bytes = await readFile(path);
  if (bytes.length < 54 || bytes.readUInt32LE(14) < 40) throw broken("it has no header that is known");
  const start = bytes.readUInt32LE(10);
  const width = bytes.readInt32LE(18);
  const rows = bytes.readInt32LE(22);
  const bits = bytes.readUInt16LE(28);
  const height = Math.abs(rows);
  const packing = bytes.readUInt32LE(30);
  if (width <= 0 || height === 0) throw broken("it has no pixels");
  if (width * height > maxPixels) {
    throw new UnreadableFileError("too-large", `too large: it has ${width} × ${height} pixels`);
  }
  if (![1, 4, 8, 24, 32].includes(bits) || (packing !== 0 && !(packing === 3 && bits === 32))) {
    throw broken("its pixels are packed in a way that is not known");
  }
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (start + stride * height > bytes.length) throw broken("it ends early");
  const palette = 14 + bytes.readUInt32LE(14);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = start + stride * (rows > 0 ? height - 1 - y : y);
    for (let x = 0; x < width; x++) {
      const at = bits >= 24 ? row + (x * bits) / 8 : palette + 4 * indexAt(bytes, row, x, bits);
      const to = (y * width + x) * 3;
      data[to] = bytes[at + 2] ?? 0;
      data[to + 1] = bytes[at + 1] ?? 0;
      data[to + 2] = bytes[at] ?? 0;
    }
  }
  return {
    data,
    width,
    height,
    channels: 3,
    density: Math.round(bytes.readInt32LE(38) * 0.0254) || undefined,
  };
}

function indexAt(bytes: Buffer, row: number, x: number, bits: number): number {
  const byte = bytes[row + ((x * bits) >> 3)] ?? 0;
  return (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
}

const broken = (reason: string): UnreadableFileError =>
  new UnreadableFileError("broken", `broken: ${reason}`);
