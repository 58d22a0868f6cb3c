import { describe, expect, it } from "vitest";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { countsOf, foldedWords, wordsUnder } from "./hidden-words.ts";

/** A word that covers the square from (10, 10) to (20, 20). */
const word = (position: Partial<PageWord> = {}): PageWord => ({
  text: "Name",
  x1: 10,
  x2: 20,
  y1: 10,
  y2: 20,
  upright: true,
  direction: 1,
  ...position,
});

describe("a word under boxes", () => {
  it.each([
    ["exactly under one", { x1: 10, x2: 20, y1: 10, y2: 20 }, true],
    ["nine tenths of its width under one", { x1: 0, x2: 19, y1: 0, y2: 30 }, true],
    ["nine tenths of its height under one", { x1: 0, x2: 30, y1: 0, y2: 19 }, true],
    ["less than nine tenths under one", { x1: 0, x2: 18, y1: 0, y2: 30 }, false],
    ["the right part under one", { x1: 12, x2: 30, y1: 0, y2: 30 }, false],
    ["the lower part under one", { x1: 0, x2: 30, y1: 12, y2: 30 }, false],
    ["beside one in both directions", { x1: 30, x2: 40, y1: 30, y2: 40 }, false],
    ["left of one", { x1: 30, x2: 40, y1: 10, y2: 20 }, false],
    ["above one", { x1: 10, x2: 20, y1: 30, y2: 40 }, false],
  ])("is hidden, or not: %s", (_, box, isHidden) => {
    expect(wordsUnder([word()], [box])).toHaveLength(isHidden ? 1 : 0);
  });

  it("is hidden under any of them, and not by two halves together", () => {
    const far = { x1: 50, x2: 60, y1: 50, y2: 60 };
    expect(wordsUnder([word()], [far, word()])).toEqual([word()]);
    expect(wordsUnder([word()], [])).toEqual([]);
    const halves = [word({ x2: 15 }), word({ x1: 15 })];
    expect(wordsUnder([word()], halves)).toEqual([]);
  });

  it("is not hidden if it has no area, wherever the boxes are", () => {
    for (const empty of [word({ x2: 10 }), word({ y2: 10 }), word({ x2: 0 })])
      expect(wordsUnder([empty], [{ x1: 0, x2: 30, y1: 0, y2: 30 }])).toEqual([]);
  });

  it("stays in the order of the page", () => {
    const words = [word(), word({ x1: 70, x2: 80 }), word({ text: "other" })];
    expect(wordsUnder(words, [word()]).map(({ text }) => text)).toEqual(["Name", "other"]);
  });
});

describe("words that are compared", () => {
  it("are folded, each with its repetitions", () => {
    const words = foldedWords([{ text: "Été" }, { text: "Jean-Luc" }, { text: "été." }, { text: "—" }]);
    expect(words).toEqual(["ete", "jean", "luc", "ete"]);
    expect(countsOf(words)).toEqual(
      new Map([
        ["ete", 2],
        ["jean", 1],
        ["luc", 1],
      ]),
    );
  });
});
