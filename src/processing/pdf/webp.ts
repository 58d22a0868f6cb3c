/*
 * Encodes a drawn page as a WebP. Measured on pages 1000 pixels wide (kB, and milliseconds of processor time, the median
 * of seven runs):
 *
 *                       GIF   q75 effort 0   effort 1      effort 2      effort 4   lossless, effort 2
 *   a report, charts     27     33   39 ms    23   59 ms    19   61 ms    18          21    97 ms
 *   a scanned letter    335     62   45 ms    61   69 ms    47   93 ms    45         209   395 ms
 *   a page, with a plan 113    109   41 ms   107   61 ms    88   63 ms    86          60   161 ms
 *   a page full of text 203    161   69 ms   160   90 ms   133  107 ms                15   127 ms
 *
 * Quality 75 stays above 40 dB at this size, where the difference cannot be seen. A reader waits for the image, and for a
 * page that nobody has viewed yet the encoder takes longer than everything else. Effort 0 saves a third of its time or
 * more, for a quarter more bytes on pages that are full. Lossless images of text are smaller only if its lines repeat,
 * and those of scans are four times as large.
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
  const image = sharp(bytes, { raw: { width, height, channels: 3 } }).webp({ quality: 75, effort: 0 });
  return new Uint8Array(await image.toBuffer());
}
