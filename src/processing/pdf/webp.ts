/*
 * Encodes a drawn page as a WebP with losses, unless it has few colours: such a page gets a lossless one
 * (few-colors.ts, lossless-webp.ts), which is sharper, smaller and made in a third of the time. Measured on pages 1000
 * pixels wide, in kB and milliseconds of processor time, on a busy machine:
 *
 *                              sharp, quality 75    sharp, lossless     here, lossless
 *                                       effort 0   16 steps, effort 0
 *   a page of repeated lines          164   59 ms        30   39 ms        16   16 ms
 *   a page full of text               107   57 ms        77   46 ms        52   17 ms
 *   a page of text                     80   44 ms        69   30 ms        37   16 ms
 *   a report, charts                   33   44 ms                          17   16 ms
 *   a page, with a table              109   50 ms                          61   20 ms
 *   a scanned letter                   62   46 ms                        (has shadings)
 *
 * For scans and photographs, quality 75 stays above 40 dB at this size, where the difference cannot be seen. Their
 * lossless images are four times as large. A reader waits for the image; effort 1 takes half as long again, and makes
 * the letter smaller by 1 kB.
 */

/** A drawn page. */
export interface PagePixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Runs in Node's thread pool. sharp is loaded with the first image, so a server that draws none never loads it. */
export async function encodeWebp({ width, height, bytes }: PagePixels): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(bytes, { raw: { width, height, channels: 3 } }).webp({ quality: 75, effort: 0 });
  return new Uint8Array(await image.toBuffer());
}
