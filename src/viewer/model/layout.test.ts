import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOut } from "./layout.ts";
import { type PageSizes, pageSizesOf } from "./page-sizes.ts";
import { ScrollScale, maxElementHeight } from "./scroll-scale.ts";

describe("the sizes of pages", () => {
  it("come from page_spec, and default to US letter for other pages", () => {
    const sizes = pageSizesOf("612.0x792.0:0-1,4;841.89x595.28:2;broken;0x5:3", 6);
    expect([...sizes.widths].map(Math.round)).toEqual([612, 612, 842, 612, 612, 612]);
    expect([...sizes.heights].map(Math.round)).toEqual([792, 792, 595, 792, 792, 792]);
  });

  it("ignore pages that the document does not have", () => {
    expect(pageSizesOf("100x100:0-999999999999", 3).widths).toHaveLength(3);
  });
});

const someSizes: fc.Arbitrary<PageSizes> = fc
  .array(fc.tuple(fc.integer({ min: 50, max: 3000 }), fc.integer({ min: 50, max: 3000 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((pages) => ({
    count: pages.length,
    widths: Float32Array.from(pages, ([width]) => width),
    heights: Float32Array.from(pages, ([, height]) => height),
  }));
const someOptions = fc.record({
  zoom: fc.oneof(
    fc.constantFrom("auto" as const, "width" as const, "page" as const),
    fc.double({ min: 0.2, max: 6, noNaN: true }),
  ),
  window: fc.record({
    width: fc.integer({ min: 200, max: 2500 }),
    height: fc.integer({ min: 200, max: 2000 }),
  }),
  quarterTurns: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
  isTwoUp: fc.boolean(),
});

describe("the layout", () => {
  it("finds each page by its position, and no two pages overlap", () => {
    fc.assert(
      fc.property(someSizes, someOptions, (sizes, options) => {
        const layout = layOut(sizes, options);
        for (let page = 0; page < sizes.count; page++) {
          const box = layout.boxOf(page);
          const found = layout.pagesBetween(box.top + 1, box.top + 1);
          expect(found.first).toBeLessThanOrEqual(page);
          expect(found.last).toBeGreaterThanOrEqual(page);
          expect(box.top + box.height).toBeLessThan(layout.height);
          if (page === 0) continue;
          const last = layout.boxOf(page - 1);
          const isBelow = box.top > last.top + last.height - 1;
          const isBeside = box.left >= last.left + last.width;
          expect(isBelow || isBeside).toBe(true);
        }
      }),
    );
  });

  it("fits pages to the width unless a zoom is chosen", () => {
    const sizes = pageSizesOf("612x792:0;100x100:1", 2);
    const window = { width: 400, height: 600 };
    const options = { window, quarterTurns: 0, isTwoUp: false } as const;
    expect(layOut(sizes, { ...options, zoom: "width" }).boxOf(0).width).toBe(400 - 32);
    expect(layOut(sizes, { ...options, zoom: "auto" }).boxOf(1).width).toBe(333);
    expect(layOut(sizes, { ...options, zoom: "page" }).boxOf(0).height).toBe(476);
    expect(layOut(sizes, { ...options, zoom: 1 }).boxOf(0).width).toBe(816);
  });
});

const heights = fc.integer({ min: 1000, max: 200_000_000 });

describe("the scale of the scroll bar", () => {
  it("reaches every position, and both ends", () => {
    fc.assert(
      fc.property(heights, fc.double({ min: 0, max: 1, noNaN: true }), (height, share) => {
        const scale = new ScrollScale(height, 800);
        expect(scale.elementHeight).toBeLessThanOrEqual(maxElementHeight);
        const end = height - 800;
        const scrollTop = scale.moveTo(share * end);
        expect(scale.top).toBeCloseTo(share * end, 3);
        expect(scrollTop).toBeLessThanOrEqual(scale.elementHeight - 800);
        expect(scale.elementPositionOf(scale.top)).toBeCloseTo(scrollTop, 3);
        scale.moveTo(Number.MAX_SAFE_INTEGER);
        expect([scale.top, scale.settle()]).toEqual([end, scale.elementHeight - 800]);
        scale.moveTo(-1);
        expect([scale.top, scale.settle()]).toEqual([0, 0]);
      }),
    );
  });

  it("follows small movements pixel by pixel, up to both ends", () => {
    fc.assert(
      fc.property(
        heights,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: -1500, max: 1500 }),
        (height, share, step) => {
          const scale = new ScrollScale(height, 800);
          const from = scale.moveTo(share * (height - 800));
          const before = scale.top;
          const to = Math.max(0, Math.min(scale.elementHeight - 800, from + step));
          scale.scrolled(to);
          expect(scale.top).toBeCloseTo(before + to - from, 3);
        },
      ),
    );
  });

  it("goes to the position to which the scroll bar is dragged", () => {
    const scale = new ScrollScale(60_000_000, 800);
    scale.scrolled(maxElementHeight / 2 - 400);
    expect(scale.top).toBeCloseTo(30_000_000 - 400, 0);
    scale.scrolled(maxElementHeight - 800);
    expect(scale.top).toBe(60_000_000 - 800);
    scale.scrolled(0);
    expect(scale.top).toBe(0);
  });
});
