import { boxInWords } from "./box-drawing.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Box,
  boxAround,
  boxBetween,
  handles,
  movedBox,
  resizedBox,
  turnedBackBox,
  turnedBox,
} from "./boxes.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const somewhere = fc.record({
  x: fc.double({ min: -2, max: 2, noNaN: true }),
  y: fc.double({ min: -2, max: 2, noNaN: true }),
});
const someBox = fc
  .tuple(fc.record({ x: share, y: share }), fc.record({ x: share, y: share }))
  .map(([one, other]) => boxBetween(one, other));

const isOnPage = ({ x1, x2, y1, y2 }: Box): boolean =>
  x1 >= 0 && y1 >= 0 && x2 <= 1 && y2 <= 1 && x1 <= x2 && y1 <= y2;

describe("a box on a page", () => {
  it("stays on the page with its corners in order, however it is drawn, moved and resized", () => {
    const min = { x: 0.01, y: 0.02 };
    fc.assert(
      fc.property(somewhere, somewhere, somewhere, fc.constantFrom(...handles), (one, other, by, handle) => {
        const drawn = boxBetween(one, other);
        expect(isOnPage(drawn)).toBe(true);
        expect(isOnPage(movedBox(drawn, by))).toBe(true);
        expect(isOnPage(resizedBox(drawn, handle, by, min))).toBe(true);
        expect(isOnPage(boxAround(one, { x: Math.abs(by.x), y: Math.abs(by.y) }))).toBe(true);
      }),
    );
  });

  it("keeps its size when it is moved", () => {
    fc.assert(
      fc.property(someBox, somewhere, (box, by) => {
        const moved = movedBox(box, by);
        expect(moved.x2 - moved.x1).toBeCloseTo(box.x2 - box.x1, 9);
        expect(moved.y2 - moved.y1).toBeCloseTo(box.y2 - box.y1, 9);
      }),
    );
  });

  it("is at the same place after the page is rotated and rotated back", () => {
    fc.assert(
      fc.property(someBox, fc.integer({ min: 0, max: 3 }), (box, turns) => {
        const back = turnedBackBox(turnedBox(box, turns), turns);
        for (const edge of ["x1", "x2", "y1", "y2"] as const) expect(back[edge]).toBeCloseTo(box[edge], 9);
      }),
    );
  });

  it("is resized at the edges of the handle only", () => {
    const box = { x1: 0.2, x2: 0.4, y1: 0.2, y2: 0.4 };
    const min = { x: 0.05, y: 0.05 };
    expect(resizedBox(box, { x: 1, y: 0 }, { x: 0.1, y: 0.1 }, min)).toEqual({ ...box, x2: 0.5 });
    expect(resizedBox(box, { x: -1, y: -1 }, { x: 0.5, y: -0.5 }, min)).toEqual({
      ...box,
      x1: 0.4 - 0.05,
      y1: 0,
    });
  });

  it("is described in words", () => {
    expect(boxInWords({ x1: 0.1, x2: 0.5, y1: 0.25, y2: 0.3 })).toBe(
      "10 % from the left, 25 % from the top, 40 % wide, 5 % high",
    );
  });
});
