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
  it("finds all pages of a long document after the first one", () => {
    expect(lastFoundAfter([0])).toBe(9999);
    expect(lastFoundAfter([5000])).toBe(9999);
  });

  it("does nothing in a document of few pages, or near the end of a long one", () => {
    expect(lastFoundAfter([0, 1, 2, 40], { pageCount: 200 })).toBe(-1);
    expect(lastFoundAfter([9800])).toBe(-1);
  });

  it("does nothing twice", () => {
    expect(lastFoundAfter([9999, 300])).toBe(-1);
  });

  it.each([false, true])("stops at a page that cannot be read, if pdfium aborts: %s", (thrown) => {
    const last = lastFoundAfter([0], { firstBroken: 2000, thrown });
    expect(last).toBeGreaterThanOrEqual(2000);
    expect(last).toBeLessThan(2100);
  });

  it("does not follow a claim of a million pages to the end", () => {
    expect(lastFoundAfter([0], { pageCount: 1_000_000 })).toBe(49_999);
  });
});
