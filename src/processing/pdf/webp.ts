/*
 * Encodes a drawn page as a WebP. Measured on pages 1000 pixels wide (kB, and milliseconds of encoding: the better of
 * two runs on a busy machine, comparable only within a row):
 *
 *                       GIF         q75 effort 2   q75 effort 4   q75 effort 6   q75 effort 0   lossless, effort 2
 *   a report, charts     27          19   122 ms    18   517 ms    18   476 ms    33    54 ms    21    304 ms
 *   a scanned letter    335          48   243 ms    45   295 ms    43   839 ms    62    90 ms   209   1280 ms
 *   a page, with a plan 113          88   146 ms    86   283 ms    84   535 ms   109    76 ms    60    290 ms
 *
 * Quality 75 stays above 40 dB at this size, where the difference cannot be seen. Beyond effort 2, each percent of the
 * file costs several percent of time, and a reader waits for the image. Lossless, text is a little larger and scans are
 * four times as large.
 */

/** A drawn page. */
export interface PagePixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** The largest side of a WebP. */
export const maxWebpSide = 16_383;

/** Runs in Node's thread pool. sharp is loaded with the first image, so a server that draws none never loads it. */
export async function encodeWebp({ width, height, bytes }: PagePixels): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(bytes, { raw: { width, height, channels: 3 } }).webp({ quality: 75, effort: 2 });
  return new Uint8Array(await image.toBuffer());
}
