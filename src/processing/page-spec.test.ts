import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstNotePart, partOfPage } from "../search/parts.ts";
import {
  type PageSize,
  PageSpecError,
  checkPageSpec,
  formatPageSpec,
  maxPageSpecLength,
  maxPages,
  pageSizeAt,
  pageSizeOf,
  parsePageSpec,
  storedPageSpec,
} from "./page-spec.ts";

const letter = { width: "612.0", height: "792.0" };
const nearlyLetter = { width: "611.99", height: "792.0" };

/** The pages of a spec one by one, for specs known to be short. */
function sizesOf(text: string, pageCount: number): PageSize[] {
  const groups = parsePageSpec(text);
  return Array.from({ length: pageCount }, (_, index) => {
    const size = pageSizeAt(groups, index);
    if (size === undefined) throw new Error(`no page ${index} in ${text}`);
    return size;
  });
}

const anySizeText = fc
  .tuple(fc.nat(20_000), fc.option(fc.stringMatching(/^\d{1,3}$/), { nil: undefined }))
  .map(([whole, decimals]) => (decimals === undefined ? `${whole}` : `${whole}.${decimals}`));
const anySizes = fc
  .uniqueArray(fc.record({ width: anySizeText, height: anySizeText }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ width, height }) => `${width}x${height}`,
  })
  .chain((sizes) => fc.array(fc.constantFrom(...sizes), { minLength: 1, maxLength: 60 }));

describe("a page spec", () => {
  it.each([
    ["612.0x792.0:0-46", 47],
    ["595.28x841.89:0-12", 13],
    ["612.0x792.0:0-427,429-431;611.99x792.0:428,432", 433],
    ["612.00x792.00:0", 1],
    ["612x792:0;792x612:1-2;0612.00x792:3", 4],
  ])("survives parsing and formatting unchanged: %s", (text, pageCount) => {
    checkPageSpec(parsePageSpec(text), pageCount);
    expect(formatPageSpec(sizesOf(text, pageCount))).toBe(text);
  });

  it("orders groups by first appearance and joins adjacent pages into ranges", () => {
    const sizes = [nearlyLetter, letter, letter, nearlyLetter, letter, letter, letter];
    expect(formatPageSpec(sizes)).toBe("611.99x792.0:0,3;612.0x792.0:1-2,4-6");
  });

  it("formats measured sizes with two decimals", () => {
    expect(formatPageSpec([pageSizeOf(612, 792), pageSizeOf(595.280029296875, 841.8900146484375)])).toBe(
      "612.00x792.00:0;595.28x841.89:1",
    );
  });

  it("has a limited length, however many sizes and pages there are", () => {
    const scans = Array.from({ length: 8000 }, (_, page) => pageSizeOf(600 + (page % 5000) / 1000, 800));
    const rounded = formatPageSpec(scans);
    expect(rounded.length).toBeLessThan(maxPageSpecLength);
    checkPageSpec(parsePageSpec(rounded), scans.length);
    expect(pageSizeAt(parsePageSpec(rounded), 3000)).toEqual(pageSizeOf(603, 800));
    const mixed = Array.from({ length: maxPages }, (_, page) => pageSizeOf(page % 3 === 0 ? 600 : 700, 800));
    expect(formatPageSpec(mixed)).toBe(`700.00x800.00:0-${maxPages - 1}`);
    expect(formatPageSpec(Array.from({ length: maxPages }, () => pageSizeOf(0.01, 1)))).toBe(
      `0.01x1.00:0-${maxPages - 1}`,
    );
  });

  it("may have as many pages as the word index has room for", () => {
    expect(partOfPage(maxPages - 1)).toBeLessThan(firstNotePart);
  });

  it("is no size of any page if it is stored and invalid", () => {
    expect(storedPageSpec("612x792:0-1")).toEqual(parsePageSpec("612x792:0-1"));
    for (const invalid of ["nonsense", `${"9".repeat(400)}x1:0`, "612x792:1-0"])
      expect([invalid, storedPageSpec(invalid)]).toEqual([invalid, []]);
  });

  it("is empty for no pages", () => {
    expect(formatPageSpec([])).toBe("");
    expect(parsePageSpec("")).toEqual([]);
  });

  it("always parses to the sizes that were formatted", () => {
    fc.assert(
      fc.property(anySizes, (sizes) => {
        const text = formatPageSpec(sizes);
        checkPageSpec(parsePageSpec(text), sizes.length);
        expect(sizesOf(text, sizes.length)).toEqual(sizes);
      }),
    );
  });

  it("never changes when it is parsed and formatted again", () => {
    fc.assert(
      fc.property(anySizes, (sizes) => {
        const text = formatPageSpec(sizes);
        expect(formatPageSpec(sizesOf(text, sizes.length))).toBe(text);
      }),
    );
  });
});

describe("parsing a page spec", () => {
  it.each([
    ["letter:0", 'has "letter:0" where <width>x<height>:<pages> belongs'],
    ["612x792", 'has "612x792" where <width>x<height>:<pages> belongs'],
    ["-612x792:0", 'has "-612x792:0" where <width>x<height>:<pages> belongs'],
    ["612.x792:0", 'has "612.x792:0" where <width>x<height>:<pages> belongs'],
    ["612x792:0;", 'has "" where <width>x<height>:<pages> belongs'],
    ["612x792:", 'has "" where a page or <first>-<last> belongs'],
    ["612x792:0,,1", 'has "" where a page or <first>-<last> belongs'],
    ["612x792:0 ", 'has "0 " where a page or <first>-<last> belongs'],
    ["612x792:1e3", 'has "1e3" where a page or <first>-<last> belongs'],
    ["612x792:0-1-2", 'has "0-1-2" where a page or <first>-<last> belongs'],
    ["612x792:3-1", "has pages backwards: 3-1"],
    [`612x792:${"9".repeat(500)}`, `has "${"9".repeat(40)}…" where a page or <first>-<last> belongs`],
  ])("refuses %s", (text, reason) => {
    expect(() => parsePageSpec(text)).toThrow(new PageSpecError(reason));
  });

  it("refuses any invalid text with a reason, and never fails in another way", () => {
    const almost = fc.stringMatching(/^[0-9x:;,.-]{0,30}$/);
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), (text) => {
        expect(["read", "refused"]).toContain(outcomeOf(text));
      }),
    );
  });
});

function outcomeOf(text: string): string {
  try {
    checkPageSpec(parsePageSpec(text), 3);
    return "read";
  } catch (error) {
    return error instanceof PageSpecError ? "refused" : "another error";
  }
}

describe("checking a page spec", () => {
  it.each([
    ["612x792:1-2", 3, "gives page 0 of 3 no size, counting from 0"],
    ["612x792:0,2", 3, "gives page 1 of 3 no size, counting from 0"],
    ["612x792:0-1", 3, "gives page 2 of 3 no size, counting from 0"],
    ["612x792:0-2;1x1:2", 3, "gives page 2 two sizes, counting from 0"],
    ["612x792:0-2,1", 3, "gives page 1 two sizes, counting from 0"],
    ["612x792:0-3", 3, "goes up to page 3 of 3, counting from 0"],
    ["612x792:0-2,7", 3, "goes up to page 7 of 3, counting from 0"],
  ])("finds the fault of %s for %i pages", (text, pageCount, reason) => {
    expect(() => checkPageSpec(parsePageSpec(text), pageCount)).toThrow(new PageSpecError(reason));
  });

  it("accepts unknown sizes for all pages", () => {
    expect(() => checkPageSpec(parsePageSpec(""), 5)).not.toThrow();
  });

  it("takes no longer for a spec of a trillion pages", () => {
    const groups = parsePageSpec("612x792:0-999999999999");
    expect(groups).toEqual([
      { size: { width: "612", height: "792" }, runs: [{ first: 0, last: 999_999_999_999 }] },
    ]);
    expect(() => checkPageSpec(groups, 3)).toThrow("goes up to page 999999999999 of 3");
    expect(() => checkPageSpec(groups, 1_000_000_000_000)).not.toThrow();
  });
});

describe("the size of a page", () => {
  it("is the size of its group, and undefined after the last page", () => {
    const groups = parsePageSpec("612.0x792.0:0-1,3;611.99x792.0:2");
    expect([0, 1, 2, 3, 4].map((index) => pageSizeAt(groups, index))).toEqual([
      letter,
      letter,
      nearlyLetter,
      letter,
      undefined,
    ]);
  });
});
