import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fragmentsOf } from "./fragments.ts";
import type { WordCondition } from "./matches.ts";
import type { PlainPattern } from "./query-tree.ts";
import { plainWordsOf } from "./words.ts";
import { runs } from "../testing/runs.ts";

const phrase = (...words: string[]): WordCondition => ({ phrase: words.map(startOf) });
const near = (slop: number, ...words: string[]): WordCondition => ({ near: words.map(startOf), slop });

/** `harb*` is a prefix. */
function startOf(word: string): PlainPattern {
  return word.endsWith("*") ? { start: word.slice(0, -1) } : { word };
}

const fragments = (text: string, ...wanted: WordCondition[]): string[] =>
  fragmentsOf(
    text,
    wanted.map((condition) => ({
      field: null,
      wanted: condition,
      boost: 1,
      isLookedFor: true,
      stems: [],
    })),
    25,
  );

const examples: readonly (readonly [
  name: string,
  text: string,
  wanted: WordCondition,
  fragment: string | null,
])[] = [
  ["a word", "The Harbour, at night", phrase("harbour"), "The <em>Harbour</em>, at night"],
  ["a word with accents", "à l’Été prochain", phrase("ete"), "à l’<em>Été</em> prochain"],
  [
    "a word in which a letter was expanded",
    "die STRASSE, Straße",
    phrase("strasse"),
    "die <em>STRASSE</em>, <em>Straße</em>",
  ],
  [
    "words that match wildcards",
    "harbour, harmful, harbours",
    { pattern: { pattern: "h*b??r" } },
    "<em>harbour</em>, harmful, harbours",
  ],
  [
    "similar words",
    "harbuor arbour port",
    { pattern: { like: "harbour", edits: 1 } },
    "<em>harbuor</em> arbour port",
  ],
  ["words with a prefix", "harbours and harm", phrase("harb*"), "<em>harbours</em> and harm"],
  [
    "a phrase, but not its words elsewhere",
    "new york, york new",
    phrase("new", "york"),
    "<em>new</em> <em>york</em>, york new",
  ],
  ["a phrase that ends in a prefix", "new yorkers", phrase("new", "york*"), "<em>new</em> <em>yorkers</em>"],
  [
    "nearby words",
    "cost of harbour work; harbour",
    near(1, "harbour", "cost"),
    "<em>cost</em> of <em>harbour</em> work; harbour",
  ],
  ["words too far apart", "cost of the harbour", near(1, "cost", "harbour"), null],
  ["overlapping pairs of letters as one match", "在東京都内", phrase("東京", "京都"), "在<em>東京都</em>内"],
  ["a lone letter with the one after it", "港の名", phrase("港*"), "<em>港の</em>名"],
  ["Arabic with its vowels", "قال مُحَمَّد نعم", phrase("محمد"), "قال <em>مُحَمَّد</em> نعم"],
  ["what would be a sign of HTML", "a < b & harbour > c", phrase("harbour"), "a < b & <em>harbour</em> > c"],
  [
    "lines, tabs and spaces unchanged",
    " the\n\tharbour\r\n at  night ",
    phrase("harbour"),
    "the\n\t<em>harbour</em>\r\n at  night",
  ],
  ["a missing word", "nothing of it", phrase("harbour"), null],
  ["an empty condition", "nothing of it", phrase(), null],
];

describe("fragments of a text", () => {
  it.each(examples)("show %s", (_, text, wanted, fragment) => {
    expect(fragments(text, wanted)).toEqual(fragment === null ? [] : [fragment]);
  });

  it("mark every word of the query, each once", () => {
    const all = fragments("new york harbour", phrase("new", "york"), phrase("york"), phrase("harbour"));
    expect(all).toEqual(["<em>new</em> <em>york</em> <em>harbour</em>"]);
  });

  it("start and end with whole words, some distance around the match", () => {
    const [piece = "", ...others] = fragments(
      `${"before ".repeat(50)}harbour${" after".repeat(50)}`,
      phrase("harbour"),
    );
    expect(others).toEqual([]);
    expect(piece).toMatch(/^(?:before ){16,17}<em>harbour<\/em>(?: after){20,21}$/);
  });

  it("have their full length at the start and the end of a text, and repeat nothing", () => {
    const atStart = fragments(`harbour${" after".repeat(90)}`, phrase("harbour"));
    const atEnd = fragments(`${"before ".repeat(90)}harbour`, phrase("harbour"));
    for (const piece of [...atStart, ...atEnd]) expect(piece.length).toBeGreaterThan(240);
    const text = Array.from({ length: 90 }, (_, index) => `${index} harbour`).join("\n");
    const pieces = fragments(text, phrase("harbour"));
    expect(
      pieces
        .join("\n")
        .replaceAll(/<\/?em>/g, "")
        .split(/\s/),
    ).toEqual(text.split(/\s/));
  });

  it("are about 240 characters long on average", () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 11 }), {
      minLength: 200,
      maxLength: 200,
    });
    const count = runs(100);
    const lengths = fc
      .sample(fc.tuple(words, fc.nat({ max: 199 })), { numRuns: count, seed: 1 })
      .flatMap(([all, at]) => fragments(all.with(at, "harbour").join("\n"), phrase("harbour")))
      .map((piece) => piece.replaceAll(/<\/?em>/g, "").length);
    expect(lengths).toHaveLength(count);
    expect(lengths.reduce((sum, length) => sum + length, 0) / count).toSatisfy(
      (mean) => mean > 235 && mean < 250,
    );
  });

  it("are several if the words are far apart, and one if they are close", () => {
    const gap = " between".repeat(40);
    const three = fragments(`harbour port${gap} harbour${gap} harbour`, phrase("harbour"), phrase("port"));
    expect(three).toHaveLength(3);
    expect(three[0]).toMatch(/^<em>harbour<\/em> <em>port<\/em> between/);
  });

  it("do not exceed their number and length", () => {
    const text = "harbour ".repeat(5000);
    const words = [{ field: null, wanted: phrase("harbour"), boost: 1, isLookedFor: true, stems: [] }];
    const pieces = fragmentsOf(text, words, 3);
    expect(pieces).toHaveLength(3);
    for (const piece of pieces) expect(piece.replaceAll(/<\/?em>/g, "").length).toBeLessThan(400);
  });

  it("are well-formed Unicode, wherever the text is cut", () => {
    const text = `${"😀".repeat(100)} harbour ${"😀".repeat(100)}`;
    for (let shift = 0; shift < 4; shift++) {
      const [piece = ""] = fragments("x".repeat(shift) + text, phrase("harbour"));
      expect(piece.isWellFormed()).toBe(true);
      expect(piece).toContain("<em>harbour</em>");
    }
  });

  it("end after a match of overlapping pairs of letters, and do not cut it", () => {
    for (let length = 120; length < 130; length++) {
      const text = `harbour ${"x".repeat(length)} ${"x".repeat(110)} 東京都 ${"x".repeat(300)}`;
      const pieces = fragments(text, phrase("harbour"), phrase("東京", "京都"));
      expect(pieces.join("").match(/<em>.*?<\/em>/g)).toEqual(["<em>harbour</em>", "<em>東京都</em>"]);
    }
  });

  it("quote the text unchanged and mark only the words of the query", () => {
    const words = fc.constantFrom("harbour", "Été", "東京都", "port", "l'été", "x".repeat(70), "the");
    const texts = fc
      .array(fc.tuple(words, fc.constantFrom(" ", "\n\n", ", ", "")), { maxLength: 60 })
      .map((all) => all.flat().join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = fragments(text, phrase("ete"), phrase("harb*"), phrase("東京", "京都"));
        const all = plainWordsOf(text);
        const isThere = all.some((word) => word === "ete" || word.startsWith("harb") || word === "東京");
        expect(pieces.length > 0).toBe(isThere);
        for (const piece of pieces) {
          expect(text).toContain(piece.replaceAll(/<\/?em>/g, ""));
          const marked = [...piece.matchAll(/<em>(.*?)<\/em>/gs)].map(([, one = ""]) => one);
          expect(marked.length).toBeGreaterThan(0);
          for (const one of marked) {
            expect(["ete", "東京 京都 都"].includes(plainWordsOf(one).join(" ")) || /^harb/i.test(one)).toBe(
              true,
            );
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
