import { describe, expect, it } from "vitest";
import { toFewColors } from "./few-colors.ts";
import type { Pixels } from "../pdfium/palette.ts";

function pixelsOf(width: number, height: number, colorAt: (x: number, y: number) => number): Pixels {
  const values = Uint32Array.from({ length: width * height }, (_, pixel) =>
    colorAt(pixel % width, Math.floor(pixel / width)),
  );
  return { width, height, bytes: new Uint8Array(values.buffer) };
}

const grey = (value: number): number => Math.round(value) * 0x01_01_01;

describe("toFewColors", () => {
  it("keeps the exact colours of areas, and gives edges 16 steps of each channel", () => {
    // Three areas, of which two are almost the same, and lines whose edges have every grey.
    const areas = [0xff_ff_ff, 0xf9_f9_fa, 0x12_34_57];
    const page = pixelsOf(600, 300, (x, y) => {
      if (y >= 200) return areas[Math.floor(x / 200)] ?? 0;
      return x % 20 === 0 && y < 100 ? grey((x * 7 + y * 3) % 256) : 0xff_ff_ff;
    });
    const image = toFewColors(page);
    const { colors = [], indexes = new Uint8Array() } = image ?? {};
    expect(indexes).toHaveLength(600 * 300);
    const values = new Uint32Array(page.bytes.buffer);
    let wrong = 0;
    for (const [pixel, value] of values.entries()) {
      const row = Math.floor(pixel / 600);
      // The first row of an area is its edge.
      const isInArea = row > 200 || (row > 0 && value === 0xff_ff_ff);
      for (const [channel, shift] of [16, 8, 0].entries()) {
        const difference = Math.abs(
          (colors[(indexes[pixel] ?? 0) * 3 + channel] ?? 0) - ((value >> shift) & 0xff),
        );
        if (difference > (isInArea ? 0 : 8)) wrong += 1;
      }
    }
    expect(wrong).toBe(0);
    expect(colors).toHaveLength(18 * 3);
  });

  it.each([
    [
      "a photograph on a twentieth of it",
      (x: number, y: number) => grey(128 + 90 * Math.sin(x / 30 + y / 20)),
    ],
    ["a gradient there", (_x: number, y: number) => grey(y)],
    ["too many colours there", (x: number, y: number) => (x * 7919 + y * 104_729) % 0xff_ff_ff],
  ])("returns null for a page with %s", (_what, colorAt) => {
    const page = pixelsOf(500, 500, (x, y) => (x < 125 && y < 100 ? colorAt(x, y) : 0xff_ff_ff));
    expect(toFewColors(page)).toBeNull();
  });
});
