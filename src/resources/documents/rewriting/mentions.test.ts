import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { countMentions, findMentions, readPhrase } from "./mentions.ts";

/** Words on lines of a page, each a tenth of its width. */
const laidOut = (lines: readonly string[]): PageWord[] =>
  lines.flatMap((line, row) =>
    line
      .split(" ")
      .filter((text) => text !== "")
      .map((text, column) => ({
        text,
        x1: 0.1 + column * 0.1,
        x2: 0.19 + column * 0.1,
        y1: 0.1 + row * 0.05,
        y2: 0.13 + row * 0.05,
        upright: true,
        direction: 1 as const,
      })),
  );

const textsOf = (lines: readonly string[], q: string): string[] =>
  findMentions(laidOut(lines), readPhrase(q)).map(({ text }) => text);

describe("mentions of words", () => {
  it("are found as a search finds them", () => {
    expect(textsOf(["Müller, MULLER; Mullerin l'Muller"], "müller")).toEqual([
      "Müller,",
      "MULLER;",
      "l'Muller",
    ]);
    expect(textsOf(["Holloways Holloway hollow"], "holloway*")).toEqual(["Holloways", "Holloway"]);
    expect(textsOf(["O'Brien OBrien O Brien"], "o'brien")).toEqual(["O'Brien", "O Brien"]);
  });

  it("may go over the end of a line, in a word and between words", () => {
    expect(textsOf(["Ada Hollo-", "way and Ada", "Holloway"], "ada holloway")).toEqual([
      "Ada Hollo- way",
      "Ada Holloway",
    ]);
    expect(textsOf(["the rapist"], "therapist")).toEqual([]);
    expect(countMentions("Ada Hollo-\nway and Ada\nHolloway", readPhrase("ada holloway"))).toBe(2);
  });

  it("have one box for each line, that covers their words and the gaps between", () => {
    const [mention] = findMentions(
      laidOut(["of Ada Byron", "Lovelace in"]),
      readPhrase("ada byron lovelace"),
    );
    expect(mention?.boxes).toEqual([
      { x1: 0.198, x2: 0.392, y1: 0.099, y2: 0.131 },
      { x1: 0.098, x2: 0.192, y1: 0.149, y2: 0.181 },
    ]);
    expect([mention?.before, mention?.after]).toEqual(["of", "in"]);
  });

  it("cover only the letters in a script without spaces", () => {
    const line = { ...(laidOut(["東京都港区"])[0] as PageWord), x1: 0.1, x2: 0.6 };
    const [mention] = findMentions([line], readPhrase("港区"));
    expect(mention?.boxes).toEqual([{ x1: 0.398, x2: 0.602, y1: 0.099, y2: 0.131 }]);
  });

  it("are never lost, whatever surrounds them", () => {
    const word = fc.string({ unit: "grapheme", maxLength: 6 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 8 }), (before, after) => {
        const lines = [[...before, "Holloway", ...after].join(" ").replaceAll(/\s+/g, " ")];
        const found = findMentions(laidOut(lines), readPhrase("holloway"));
        expect(found.length).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
