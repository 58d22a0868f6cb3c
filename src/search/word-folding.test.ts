import { describe, expect, it, vi } from "vitest";
import { wordsOf } from "./words.ts";

/** The system's normalization takes time quadratic in the number of consecutive marks. */
describe("a letter with many marks", () => {
  it("is a word like any other, and at most 31 of its consecutive marks are sorted", () => {
    const normalize = vi.spyOn(String.prototype, "normalize");
    try {
      for (const marks of ["\u0300", "\u0316\u0300", "\u0E48", "\u05B0\u0301"]) {
        const text = `harbour e${marks.repeat(20_000)}nd`;
        expect(wordsOf(text).map(({ word }) => word)).toContain("harbour");
        const rows = normalize.mock.contexts.map((given) => String(given).match(/\p{M}+/gu) ?? []);
        expect(Math.max(...rows.flat().map(({ length }) => length))).toBeLessThanOrEqual(31);
        normalize.mockClear();
      }
      const [word] = wordsOf(`e${"\u0300\u0316".repeat(20_000)}nd`);
      expect(word?.word).toBe("end");
    } finally {
      normalize.mockRestore();
    }
  });
});
