import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, pixelsUnder, runsUnder } from "./flat-page.ts";

const part = fc.double({ min: 0, max: 1, noNaN: true });
const box = fc.tuple(part, part, part, part).map(([a, b, c, d]): Box => ({
  x1: Math.min(a, b),
  x2: Math.max(a, b),
  y1: Math.min(c, d),
  y2: Math.max(c, d),
}));

describe("the pixels under boxes", () => {
  it("cover each box with its margin, each pixel once", () => {
    const side = fc.integer({ min: 1, max: 40 });
    const margins = fc.integer({ min: -3, max: 3 });
    fc.assert(
      fc.property(fc.array(box, { maxLength: 8 }), side, side, margins, (boxes, width, height, margin) => {
        const expected = new Set<number>();
        for (const one of boxes) {
          const { left, right, top, bottom } = pixelsUnder(one, width, height);
          for (let row = Math.max(0, top - margin); row < Math.min(height, bottom + margin); row++) {
            for (let at = Math.max(0, left - margin); at < Math.min(width, right + margin); at++) {
              expected.add(row * width + at);
            }
          }
        }
        const found: number[] = [];
        for (const { row, first, end } of runsUnder(boxes, width, height, margin)) {
          for (let at = first; at < end; at++) found.push(row * width + at);
        }
        expect(found).toEqual([...expected].toSorted((one, other) => one - other));
      }),
    );
  });

  it("are no more for a thousand boxes over the whole page than for one", () => {
    const all: Box = { x1: 0, x2: 1, y1: 0, y2: 1 };
    const runs = [
      ...runsUnder(
        Array.from({ length: 1000 }, () => all),
        2550,
        3300,
      ),
    ];
    expect(runs).toHaveLength(3300);
  });
});
