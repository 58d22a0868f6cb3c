import { describe, expect, it } from "vitest";
import { LookAhead } from "./look-ahead.ts";

/** The highest page that was looked for, counting from 0, when there is nothing more to find. */
function lastFoundAfter(
  read: readonly number[],
  { pageCount = 10_000, firstBroken = Infinity, thrown = false } = {},
): number {
  const sought: number[] = [];
  const lookAhead = new LookAhead({
    pageCount,
    pageSize(page) {
      sought.push(page);
      if (page >= firstBroken && thrown) throw new Error("pdfium aborted");
      return page < firstBroken ? { width: 1, height: 1 } : null;
    },
  });
  for (const page of read) {
    lookAhead.noteRead(page);
    for (let steps = 0; lookAhead.step(); steps++) expect(steps).toBeLessThan(pageCount);
  }
  return Math.max(-1, ...sought);
}

describe("looking for pages ahead", () => {
  it("finds all pages after a jump", () => {
    expect(lastFoundAfter([0, 5000])).toBe(9999);
  });

  it("does nothing for a reader who reads on, or back", () => {
    expect(lastFoundAfter([0, 1, 2, 40, 41, 150, 3])).toBe(-1);
  });

  it("begins behind the page that was jumped to, and does nothing twice", () => {
    expect(lastFoundAfter([9998])).toBe(9999);
    expect(lastFoundAfter([9999, 300])).toBe(-1);
  });

  it.each([false, true])("stops at a page that cannot be read, if pdfium aborts: %s", (thrown) => {
    const last = lastFoundAfter([1000], { firstBroken: 2000, thrown });
    expect(last).toBeGreaterThanOrEqual(2000);
    expect(last).toBeLessThan(2100);
  });

  it("does not follow a claim of a million pages to the end", () => {
    expect(lastFoundAfter([1000], { pageCount: 1_000_000 })).toBe(49_999);
  });
});
