import * as fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeLosslessWebp } from "./lossless-webp.ts";
import type { PaletteImage } from "../pdfium/palette.ts";

interface SizedImage extends PaletteImage {
  width: number;
}

/** The red, green and blue of each pixel, as another decoder reads the WebP. */
async function decoded(webp: Uint8Array | null): Promise<{ width: number; values: Buffer }> {
  if (webp === null) throw new Error("The image was not encoded");
  const { data, info } = await sharp(webp).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, values: data };
}

function valuesOf({ colors, indexes }: PaletteImage): Buffer {
  const values = Buffer.alloc(indexes.length * 3);
  for (const [pixel, index] of indexes.entries()) {
    for (let channel = 0; channel < 3; channel++)
      values[pixel * 3 + channel] = colors[index * 3 + channel] ?? 0;
  }
  return values;
}

async function isReproduced(image: SizedImage): Promise<boolean> {
  const { width, values } = await decoded(encodeLosslessWebp(image, image.width));
  return width === image.width && values.equals(valuesOf(image));
}

/** Rows of which some repeat, with pixels that repeat within them: other images are not encoded. */
const repetitive: fc.Arbitrary<SizedImage> = fc.integer({ min: 1, max: 256 }).chain((colorCount) =>
  fc
    .record({
      colors: fc.array(fc.integer({ min: 0, max: 255 }), {
        minLength: colorCount * 3,
        maxLength: colorCount * 3,
      }),
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 40 }),
      runs: fc.array(
        fc.record({
          length: fc.integer({ min: 1, max: 400 }),
          index: fc.integer({ min: 0, max: colorCount - 1 }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
    })
    .map(({ colors, width, height, runs }) => {
      const pixels = runs.flatMap(({ length, index }) => Array.from({ length }, () => index));
      const indexes = Uint8Array.from(
        { length: width * height },
        (_, pixel) => pixels[pixel % pixels.length] ?? 0,
      );
      return { colors, indexes, width };
    }),
);

describe("a lossless WebP", () => {
  it("reproduces any image of up to 256 colours", async () => {
    await fc.assert(
      fc.asyncProperty(repetitive, async (image) => {
        expect(await isReproduced(image)).toBe(true);
      }),
    );
  });

  it.each([
    [
      "symbols of which each is twice as frequent as the one before",
      300,
      300,
      (at: number) => Math.clz32(at),
    ],
    [
      "copies from further away than the format allows",
      2000,
      540,
      (at: number) => ((at + 24) % 1_048_480 < 500 ? at % 251 : 0),
    ],
    ["a copy longer than the format allows", 16_383, 1, () => 3],
  ])("reproduces %s", async (_what, width, height, indexAt) => {
    const colors = Array.from({ length: 256 * 3 }, (_, index) => (index * 7) % 256);
    const indexes = Uint8Array.from({ length: width * height }, (_, at) => indexAt(at));
    expect(await isReproduced({ colors, indexes, width })).toBe(true);
  });

  it("is not made of noise", () => {
    let state = 1;
    const indexes = Uint8Array.from({ length: 100_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
    expect(encodeLosslessWebp({ colors: Array.from({ length: 768 }, () => 1), indexes }, 1000)).toBeNull();
  });
});
