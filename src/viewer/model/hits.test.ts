import { describe, expect, it } from "vitest";
import { boxesOfHits, readHits } from "./hits.ts";
import { addressOfSimilar, addressOfWords, formatFragment, readFragment } from "./destination.ts";
import { type PageWord, linesOf } from "./words.ts";

/** Words side by side, ten to a line, each about a tenth of the page wide. */
function wordsOf(text: string): PageWord[] {
  return text.split(" ").map((part, index) => {
    const [x1, y1] = [(index % 10) / 10, Math.floor(index / 10) / 10];
    return { text: part, x1, x2: x1 + 0.09, y1, y2: y1 + 0.05, upright: true, direction: 1 };
  });
}

/** The words under the boxes of each hit. */
function litIn(text: string, fragments: string[], query = "q"): string[] {
  const words = wordsOf(text);
  const [hits] = readHits([{ page_number: 0, fragments }], query);
  return boxesOfHits(hits?.fragments ?? [], words).map((boxes) =>
    boxes.map(({ x1, y1 }) => words.find((found) => found.x1 === x1 && found.y1 === y1)?.text).join(" "),
  );
}

describe("the hits on a page", () => {
  it("are counted, also on a page that matches without hits in its text", () => {
    const hits = readHits(
      [
        { page_number: 2, fragments: ["<em>b</em>", "d <em>b</em>"] },
        { page_number: 3, fragments: [] },
        { page_number: 11, fragments: ["a <em>b</em> <em>c</em>"] },
      ],
      "b c",
    );
    expect(hits.map(({ page, count }) => [page, count])).toEqual([
      [3, 2],
      [4, 0],
      [12, 2],
    ]);
  });

  it("are one hit for each phrase", () => {
    const [hits] = readHits(
      [{ page_number: 0, fragments: ["<em>the</em>\n<em>quay</em> and <em>the</em> <em>quay</em>"] }],
      '"the quay"',
    );
    expect(hits?.count).toBe(2);
  });

  it("cover the matching words, and not the same words elsewhere", () => {
    const text = "the ship and the quay, the ship-yard at the har- bour of ships";
    expect(litIn(text, ["the ship and the <em>quay</em>, the"])).toEqual(["quay,"]);
    expect(litIn(text, ["ship and <em>the</em> <em>quay</em>"], '"the quay"')).toEqual(["the quay,"]);
    expect(litIn(text, ["at the <em>harbour</em> of ships"])).toEqual(["har- bour"]);
    expect(litIn(text, ["the ship and\nthe quay", "the <em>ship</em>-yard"])).toEqual(["ship-yard"]);
  });

  it("are found separately if the surrounding text differs", () => {
    expect(litIn("one two three", ["other words <em>two</em> more"])).toEqual(["two"]);
    expect(litIn("one two three", ["<em>missing</em>"])).toEqual([""]);
  });

  it("cover only the matching part of a word", () => {
    const sign: PageWord = { text: "市场的广场计划", x1: 0, x2: 0.7, y1: 0, y2: 0.1, direction: 1 };
    const [hits] = readHits([{ page_number: 0, fragments: ["市场的<em>广场</em>计划"] }], "q");
    const [[box] = []] = boxesOfHits(hits?.fragments ?? [], [sign]);
    expect(box?.x1).toBeCloseTo(0.3);
    expect(box?.x2).toBeCloseTo(0.5);
  });

  it("cover only the matching part of a column", () => {
    const sign: PageWord = {
      text: "市场的广场计划",
      x1: 0,
      x2: 0.1,
      y1: 0,
      y2: 0.7,
      upright: false,
      direction: 1,
    };
    const [hits] = readHits([{ page_number: 0, fragments: ["市场的<em>广场</em>计划"] }], "q");
    const [[box] = []] = boxesOfHits(hits?.fragments ?? [], [sign]);
    expect(box).toMatchObject({ x1: 0, x2: 0.1, y1: expect.closeTo(0.3), y2: expect.closeTo(0.5) });
  });
});

function wordAt(text: string, x1: number, y1: number, more: Partial<PageWord> = {}): PageWord {
  return { text, x1, x2: x1 + 0.1, y1, y2: y1 + 0.03, ...more };
}

describe("the lines of a page", () => {
  it("end at the next line, at another column and at vertical text", () => {
    const lines = linesOf([
      wordAt("one", 0, 0),
      wordAt("two", 0.12, 0.001),
      wordAt("column", 0.8, 0),
      wordAt("three", 0, 0.05),
      wordAt("side", 0.2, 0.05, { upright: false }),
    ]);
    expect(lines.map(({ words }) => words.map(({ text }) => text).join(" "))).toEqual([
      "one two",
      "column",
      "three",
      "side",
    ]);
  });

  it("run from right to left in Hebrew", () => {
    const [line] = linesOf([wordAt("שלום", 0.5, 0), wordAt("עולם", 0.38, 0)]);
    expect([line?.isToLeft, line?.words.length]).toEqual([true, 2]);
  });
});

describe("an address in a document", () => {
  it.each([
    ["#document/p217", { page: 217, note: null }],
    ["#document/p217/a12", { page: 217, note: 12 }],
  ])("%s names a place", (hash, destination) => {
    expect(readFragment(hash)).toEqual(destination);
    expect(formatFragment(destination)).toBe(hash);
  });

  it.each(["", "#content", "#document/p0", "#document/px", "#document/p1/b2"])("%j names none", (hash) => {
    expect(readFragment(hash)).toBeNull();
  });

  it("can point to words, as a search for the phrase", () => {
    const address = new URL(addressOfWords("https://a.org/documents/1-x/", 3, 'the "old"\nquay'));
    expect([address.searchParams.get("q"), address.hash]).toEqual(['"the old quay"', "#document/p3"]);
  });

  it("leads from a passage to the documents that are like it, on the server's own page", () => {
    const address = new URL(addressOfSimilar("https://a.org/quire/documents/1-x/", " the old\n quay "));
    expect([address.pathname, address.searchParams.get("like_text")]).toEqual(["/quire/", "the old quay"]);
    const long = new URL(addressOfSimilar("https://a.org/documents/1-x/", "quay ".repeat(3000)));
    expect(long.searchParams.get("like_text")).toHaveLength(10_000);
  });
});
