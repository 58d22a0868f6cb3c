import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGif } from "../../testing/gif.ts";
import { encodeGif } from "./gif.ts";
import type { Pixels } from "../pdfium/palette.ts";

function pixelsOf(width: number, height: number, colorAt: (x: number, y: number) => number): Pixels {
  const values = Uint32Array.from({ length: width * height }, (_, pixel) =>
    colorAt(pixel % width, Math.floor(pixel / width)),
  );
  return { width, height, bytes: new Uint8Array(values.buffer) };
}

const colorsOf = ({ bytes }: Pixels): number[] =>
  Array.from(new Uint32Array(bytes.buffer), (value) => value & 0xffffff);

/** Pixels like those of a photo: smooth, with some noise. */
function photo(width: number, height: number): Pixels {
  return pixelsOf(width, height, (x, y) => {
    const noise = ((x * 7919 + y * 104_729) % 13) - 6;
    const channel = (value: number): number => Math.max(0, Math.min(255, Math.round(value + noise)));
    const red = channel(128 + 100 * Math.sin(x / 60 + y / 90));
    const green = channel((255 * y) / height);
    const blue = channel(128 + 90 * Math.cos(x / 45));
    return (red << 16) | (green << 8) | blue;
  });
}

describe("a GIF", () => {
  it("reproduces any image of up to 256 colours exactly", () => {
    const image = fc.integer({ min: 1, max: 256 }).chain((colorCount) =>
      fc.record({
        width: fc.integer({ min: 1, max: 90 }),
        height: fc.integer({ min: 1, max: 90 }),
        seed: fc.integer({ min: 1, max: 1_000_000 }),
        colors: fc.array(fc.integer({ min: 0, max: 0xffffff }), { minLength: 1, maxLength: colorCount }),
      }),
    );
    fc.assert(
      fc.property(image, ({ width, height, seed, colors }) => {
        const pixels = pixelsOf(
          width,
          height,
          (x, y) => colors[(x * x * seed + y * 31) % colors.length] ?? 0,
        );
        expect(readGif(encodeGif(pixels))).toEqual({ width, height, colors: colorsOf(pixels) });
      }),
    );
  });

  it.each([
    ["one pixel", pixelsOf(1, 1, () => 0x123456)],
    ["one colour for longer than the longest code", pixelsOf(900, 300, () => 0xffffff)],
    ["noise that fills the table of codes many times", pixelsOf(300, 300, (x, y) => (x * y * 7919) % 251)],
    ["the widest image", pixelsOf(65_535, 1, (x) => x % 256)],
  ])("holds %s", (_what, pixels) => {
    expect(readGif(encodeGif(pixels)).colors).toEqual(colorsOf(pixels));
  });

  it("ignores the fourth byte", () => {
    const pixels = pixelsOf(2, 1, (x) => (x === 0 ? 0xff_00_00_ff : 0x00_00_00_ff));
    expect(readGif(encodeGif(pixels)).colors).toEqual([0xff, 0xff]);
  });

  // A palette of 256 colours spread evenly over the colours of this photo would achieve 28.5 dB.
  it("approximates a photo of many colours with 256", () => {
    const pixels = photo(640, 480);
    const shown = readGif(encodeGif(pixels)).colors;
    let squares = 0;
    for (const [pixel, color] of colorsOf(pixels).entries()) {
      const other = shown[pixel] ?? 0;
      for (const shift of [0, 8, 16]) squares += (((color >> shift) & 255) - ((other >> shift) & 255)) ** 2;
    }
    const noiseRatio = 10 * Math.log10(255 ** 2 / (squares / (640 * 480 * 3)));
    expect(noiseRatio).toBeGreaterThan(28.5);
  });
});
