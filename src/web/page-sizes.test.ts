import { utcEnglish } from "../texts/formats.ts";
import { describe, expect, it } from "vitest";
import { pageSizesInWords } from "./page-sizes.ts";

describe("page sizes in words", () => {
  it.each([
    ["612.0x792.0:0-11", ["Letter, 216 × 279 mm"]],
    ["595.28x841.89:0", ["A4, 210 × 297 mm"]],
    ["842x595:0", ["A4 landscape, 297 × 210 mm"]],
    ["100x200.5:0-3", ["35 × 71 mm"]],
    ["612x1008:0;612.0x792.0:1-3,5", ["Letter, 216 × 279 mm: 4 pages", "Legal, 216 × 356 mm: 1 page"]],
    ["612.0x792.0:0;611.99x792.0:1", ["Letter, 216 × 279 mm"]],
  ])("of %s", (spec, words) => {
    expect(pageSizesInWords(spec, utcEnglish)).toEqual(words);
  });

  it("names the four most common sizes of many", () => {
    const spec = Array.from({ length: 9 }, (_, index) => `${100 * (index + 1)}x100:${index}`).join(";");
    expect(pageSizesInWords(`${spec};612x792:9-20`, utcEnglish)).toEqual([
      "Letter, 216 × 279 mm: 12 pages",
      "35 × 35 mm: 1 page",
      "71 × 35 mm: 1 page",
      "106 × 35 mm: 1 page",
      "and 6 other sizes",
    ]);
  });

  it.each(["", "what?", "612x792"])("are empty for %j", (spec) => {
    expect(pageSizesInWords(spec, utcEnglish)).toEqual([]);
  });

  it("does not count pages one by one", () => {
    expect(pageSizesInWords("1x1:0-999999999999;612x792:1000000000000", utcEnglish)).toEqual([
      "0 × 0 mm: 1,000,000,000,000 pages",
      "Letter, 216 × 279 mm: 1 page",
    ]);
  });
});
