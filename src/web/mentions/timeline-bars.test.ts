import { assert, date, property, uniqueArray, constantFrom } from "fast-check";
import { describe, expect, it } from "vitest";
import { positionsOf } from "./timeline-bars.ts";

describe("the bars of a timeline", () => {
  it("stand in order, inside the picture, and can be seen", () => {
    const days = uniqueArray(
      date({ min: new Date("1000-01-01"), max: new Date("2999-12-31"), noInvalidDate: true }),
      {
        minLength: 1,
        maxLength: 120,
        selector: (day) => day.toISOString().slice(0, 10),
      },
    );
    assert(
      property(days, constantFrom(4, 7, 10), (chosen, length) => {
        const dates = [...new Set(chosen.map((day) => day.toISOString().slice(0, length)))].toSorted();
        const { bars, first, last } = positionsOf(dates, 1000);
        expect([first, last]).toEqual([dates[0], dates.at(-1)]);
        expect(bars.map(({ x }) => x)).toEqual(bars.map(({ x }) => x).toSorted((one, other) => one - other));
        for (const { x, width } of bars) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(1000.01);
          expect(width).toBeGreaterThanOrEqual(4);
        }
      }),
    );
  });

  it("leave a gap where no document is", () => {
    const { bars } = positionsOf(["2000", "2001", "2003"], 400);
    const [one, two, four] = bars.map(({ x }) => x);
    expect((four ?? 0) - (two ?? 0)).toBeCloseTo(2 * ((two ?? 0) - (one ?? 0)));
  });
});
