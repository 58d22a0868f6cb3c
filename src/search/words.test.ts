import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, maxWordLength } from "./word-folding.ts";
import { isLoneLetter, plainWordsOf, soughtWords, wordsOf } from "./words.ts";
import { runs } from "../testing/runs.ts";

const examples: readonly (readonly [name: string, text: string, words: string])[] = [
  ["case and punctuation", "The Harbour (12 May): late!", "the harbour 12 may late"],
  ["French accents", "Éléonore, l'été à Œuvre", "eleonore l ete a oeuvre"],
  ["a curly apostrophe", "l’été", "l ete"],
  ["an Irish name", "O'Brien", "o brien"],
  ["an English possessive", "Smith's", "smith s"],
  ["German", "Straße STRASSE ẞ Äpfel über", "strasse strasse ss apfel uber"],
  ["Scandinavian", "Ærø Åse øl þorn Eðvarð", "aero ase ol thorn edvard"],
  ["Polish", "Łódź żółw", "lodz zolw"],
  ["Turkish", "İstanbul ILIK ılık", "istanbul ilik ilik"],
  ["Vietnamese", "Đường Nguyễn", "duong nguyen"],
  ["combining accents", "e\u0301te\u0301 Caf\u00e9", "ete cafe"],
  ["Cyrillic", "Ёлка ЁЛКА елка мой", "елка елка елка мои"],
  ["Greek", "Σίσυφος ΣΙΣΥΦΟΣ", "σισυφοσ σισυφοσ"],
  ["Arabic vowels and tatweel", "مُحَمَّد محمـــد", "محمد محمد"],
  [
    "forms of alef, ya and ta",
    "أحمد إحمد آحمد احمد مدرسة مدرسه علی على",
    "احمد احمد احمد احمد مدرسه مدرسه علي علي",
  ],
  ["Hebrew points", "שָׁלוֹם שלום", "שלום שלום"],
  ["Chinese", "東京都", "東京 京都 都"],
  ["a heading that is set wide", "関 東 地 方 の Tokyo 東 京", "関東 東地 地方 方の の tokyo 東 京"],
  ["wide Korean, and words of one syllable", "한 국 법 그 사람", "한국 국법 법그 그 사람 람"],
  ["Japanese", "カタカナとひらがな", "カタ タカ カナ ナと とひ ひら らが がな な"],
  ["half-width and composed Japanese", "ｶﾞｽ カ\u3099ス ガス", "ガス ス ガス ス ガス ス"],
  ["Korean, and taken apart", `한국의 ${"한국".normalize("NFD")}`, "한국 국의 의 한국 국"],
  ["Thai", "ไทย", "ไท ทย ย"],
  ["adjacent scripts", "iPhone手机2024年", "iphone 手机 机 2024 年"],
  ["Hindi", "हिन्दी भाषा", "हिन्दी भाषा"],
  ["full width", "ＡＢＣ １２３", "abc 123"],
  ["ligatures and signs", "ﬁnance №5 x²", "finance 5 x2"],
  ["a soft hyphen", "Donau\u00ADdampf\u00AD schiff", "donaudampf schiff"],
  ["addresses", "jane.doe@example.org", "jane doe example org"],
  ["an underscore", "snake_case", "snake case"],
  ["letters beyond 16 bits", "𝐁old 𠮷野家", "bold 𠮷野 野家 家"],
  ["nothing", " -–—…!?. ", ""],
];

const separated = fc
  .array(fc.constantFrom(..."abcÉßøЁжΣ5 '-.,’\u0301\u00ADमु".split("")), { maxLength: 20 })
  .map((letters) => letters.join(""));

describe("the words of a text", () => {
  it.each(examples)("has rules for %s", (_, text, words) => {
    expect(plainWordsOf(text).join(" ")).toBe(words);
  });

  it("are the same with their offsets", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(wordsOf(text).map(({ word }) => word)).toEqual(plainWordsOf(text));
      }),
    );
  });

  it("have the right offsets in the text", () => {
    for (const [, text] of examples) {
      for (const { word, start, end } of wordsOf(text)) expect(fold(text.slice(start, end))).toBe(word);
    }
    const text = "L’été à Zürich";
    expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "L",
      "été",
      "à",
      "Zürich",
    ]);
  });

  it("of two adjacent texts are those of each text", () => {
    fc.assert(
      fc.property(separated, separated, (one, other) => {
        expect(plainWordsOf(`${one} ${other}`)).toEqual([...plainWordsOf(one), ...plainWordsOf(other)]);
      }),
    );
  });

  it("are the same whether letters are folded one by one or in context", () => {
    const letters = Array.from({ length: 0x530 }, (_, code) => String.fromCharCode(code));
    const text = letters.filter((letter) => /[\p{L}\p{N}]/u.test(letter)).join(" ");
    expect(plainWordsOf(text)).toEqual(
      text
        .split(" ")
        .map(fold)
        .filter((word) => word !== ""),
    );
  });

  it("contain only letters, digits and marks, and are limited in length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const word of plainWordsOf(text)) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(Array.from(word).length).toBeLessThanOrEqual(maxWordLength);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("do not change when they are folded again", () => {
    for (const [, , words] of examples) for (const word of words.split(" ")) expect(fold(word)).toBe(word);
  });

  it("are truncated if they are too long", () => {
    expect(plainWordsOf("x".repeat(100))).toEqual(["x".repeat(60)]);
    expect(plainWordsOf("é".repeat(100))).toEqual(["e".repeat(60)]);
  });
});

/** Matches as phrases do. */
const isWithin = (words: readonly string[], text: readonly string[]): boolean =>
  text.some((_, start) =>
    words.every((word, index) =>
      index === words.length - 1 && isLoneLetter(word)
        ? text[start + index]?.startsWith(word)
        : text[start + index] === word,
    ),
  );

describe("the words to search for", () => {
  it("are found wherever the text occurs", () => {
    const japanese = fc
      .array(fc.constantFrom(..."東京都港区ガ".split("")), { minLength: 1, maxLength: 6 })
      .map((letters) => letters.join(""));
    fc.assert(
      fc.property(japanese, japanese, japanese, (before, sought, after) => {
        expect(isWithin(soughtWords(sought), plainWordsOf(before + sought + after))).toBe(true);
      }),
    );
  });

  it("omit a final single letter, which may be the start of a pair", () => {
    expect(soughtWords("東京都")).toEqual(["東京", "京都"]);
    expect(soughtWords("都")).toEqual(["都"]);
    expect(soughtWords("ab東京")).toEqual(["ab", "東京"]);
  });
});
