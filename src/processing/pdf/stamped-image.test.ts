import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { StampingError, stampedJpeg, stampedTiff } from "./stamped-image.ts";

const [width, height] = [600, 800];
const words = { left: "", right: "ABC0000001" };

const grain = (x: number, y: number): number => (x * 7 + y * 13) % 9;

/** The share of black on the page, without the strip below it. */
async function blackShare(shadeAt: (x: number, y: number) => number): Promise<number> {
  const bytes = Uint8Array.from({ length: width * height }, (_, index) =>
    shadeAt(index % width, Math.floor(index / width)),
  );
  const tiff = await stampedTiff({ width, height, bytes }, 595, words);
  const page = sharp(tiff).extract({ left: 0, top: 0, width, height }).extractChannel(0);
  const pixels = await page.raw().toBuffer();
  return pixels.filter((value) => value < 128).length / pixels.length;
}

describe("a page in black and white", () => {
  it("has white paper, whatever the shade of the scan's, and black letters", async () => {
    const share = await blackShare((x, y) => (y % 40 < 4 ? 90 : 205 + grain(x, y)));
    expect(share).toBeCloseTo(0.1, 3);
  });

  it("keeps the shades of a picture as dots", async () => {
    const share = await blackShare((x) => (x / width) * 255);
    expect(share).toBeCloseTo(0.5, 1);
    expect(await blackShare(() => 90)).toBeCloseTo(1 - 90 / 255, 1);
  });

  it("is said to be too large for a kind of image, instead of failing in any other way", async () => {
    const [across, down] = [4, 65_530];
    const page = {
      size: { width: 1, height: 16_000 },
      width: across,
      height: down,
      shades: new Uint8Array(across * down * 3),
    };
    await expect(stampedJpeg(page, { left: "", right: "ABC1" })).rejects.toThrow(StampingError);
  });

  it("has a strip below it, however wide it is", async () => {
    const [across, down] = [60_000, 10];
    const white = { width: across, height: down, bytes: new Uint8Array(across * down).fill(255) };
    const tiff = await stampedTiff(white, 14_400, { left: "CONFIDENTIAL", right: "ABC0000001" });
    const { data, info } = await sharp(tiff).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([across, 10 + 108]);
    // The last number is at the right end, and the endorsement at the left one.
    for (const [from, to] of [
      [0, 5000],
      [55_000, across],
    ] as const) {
      const rows = Array.from({ length: info.height }, (_, row) =>
        data.subarray(row * across + from, row * across + to),
      );
      expect(rows.some((row) => row.includes(0))).toBe(true);
    }
  });
});
