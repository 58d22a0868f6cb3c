/** Enough for a page three times as high as it is wide, at 2000 pixels; 48 MB in pdfium. */
const maxPixels = 12_000_000;
/** The largest side of a GIF. */
export const maxGifSide = 65_535;
/** The largest side of a WebP. */
export const maxWebpSide = 16_383;

/** The size in pixels. An image that would be too large is scaled down in both directions. */
export function imageSize(
  page: { width: number; height: number },
  width: number,
  maxSide = maxGifSide,
): { width: number; height: number } {
  const height = (width * page.height) / page.width;
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)), maxSide / Math.max(width, height));
  const pixels = (length: number): number => Math.max(1, Math.round(length * scale));
  return { width: pixels(width), height: pixels(height) };
}
