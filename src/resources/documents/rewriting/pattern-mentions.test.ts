import { describe, expect, it } from "vitest";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { findPatterns } from "./pattern-mentions.ts";

/** The words of lines, each a tenth of the page wide and high. */
function wordsOf(lines: readonly string[]): PageWord[] {
  return lines.flatMap((line, row) =>
    line.split(" ").map((text, column): PageWord => ({
      text,
      x1: column / 10,
      x2: column / 10 + 0.09,
      y1: row / 10,
      y2: row / 10 + 0.05,
      upright: true,
      direction: 1,
    })),
  );
}

describe("numbers and addresses on a page", () => {
  const words = wordsOf(["Pay to DE89 3704 0044 0532", "0130 00, ask ada@example.org (or b@example.org)."]);

  it("have the words that they are in, and a box for each line", () => {
    const [iban, ...others] = findPatterns(words, "iban");
    expect(others).toEqual([]);
    expect(iban).toMatchObject({
      text: "DE89 3704 0044 0532 0130 00,",
      before: "Pay to",
      after: "ask ada@example.org (or b@example.org).",
    });
    expect(iban?.boxes).toEqual([
      { x1: 0.198, x2: 0.592, y1: 0, y2: 0.051 },
      { x1: 0, x2: 0.192, y1: 0.099, y2: 0.151 },
    ]);
  });

  it("are those of the kind alone, in reading order", () => {
    expect(findPatterns(words, "email").map(({ text }) => text)).toEqual([
      "ada@example.org",
      "b@example.org).",
    ]);
    expect(findPatterns(words, "phone")).toEqual([]);
    expect(findPatterns([], "phone")).toEqual([]);
  });
});
