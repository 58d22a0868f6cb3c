import { describe, expect, it } from "vitest";
import { utcEnglish } from "../texts/formats.ts";
import { bytesInWords, dayInWords, languageInWords, momentInWords, pagesInWords } from "./wording.ts";

describe("wording", () => {
  it("formats days and times in UTC", () => {
    expect(dayInWords("2024-12-31T23:59:59.999999Z", utcEnglish)).toBe("31 December 2024");
    expect(momentInWords("2025-01-31T00:05:00.000001Z", utcEnglish)).toBe("31 January 2025, 00:05 UTC");
  });

  it("counts pages", () => {
    expect([0, 1, 2, 1234].map((count) => pagesInWords(count, utcEnglish))).toEqual([
      "0 pages",
      "1 page",
      "2 pages",
      "1,234 pages",
    ]);
  });

  it.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1000, "1 kB"],
    [1540, "1.5 kB"],
    [48_250, "48 kB"],
    [999_999, "1 MB"],
    [1_234_567, "1.2 MB"],
    [525_336_576, "525 MB"],
    [999_499, "999 kB"],
    [3e12, "3,000 GB"],
  ])("formats %d bytes as %s", (bytes, words) => {
    expect(bytesInWords(bytes, utcEnglish)).toBe(words);
  });

  it.each([
    ["eng", "English"],
    ["zho", "Chinese (Simplified)"],
    ["tra", "Chinese (Traditional)"],
    ["srp_latn", "Serbian (Latin)"],
    ["ita_old", "Italian (Old)"],
    ["frk", "German (Fraktur)"],
    ["qqz", "qqz"],
    ["x", "x"],
    ["<b>", "<b>"],
    ["", ""],
  ])("names the language %s %s", (code, name) => {
    expect(languageInWords(code, utcEnglish)).toBe(name);
  });
});
