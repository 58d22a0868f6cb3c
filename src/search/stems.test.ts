import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { inflected } from "../testing/inflected.ts";
import { beginLikeStems, formLanguages, formStemsOf, loadStemmer, stemsOf } from "./stems.ts";
import { plainWordsOf } from "./words.ts";

const haveCommon = (language: string, one: string, other: string): boolean => {
  const [[word = ""], [another = ""]] = [plainWordsOf(one), plainWordsOf(other)];
  return stemsOf(language, word).some((stem) => stemsOf(language, another).includes(stem));
};

describe("the stems of words", () => {
  beforeAll(loadStemmer);

  it.each([
    ["eng", "slipstreams", "slipstream"],
    ["deu", "Häuser", "Haus"],
    ["fra", "parlée", "parler"],
    ["fra", "première", "premier"],
    ["spa", "licitación", "licitaciones"],
    ["por", "licitação", "licitações"],
    ["rus", "новый", "новая"],
    ["tur", "kitapları", "kitap"],
    ["hun", "házakban", "ház"],
    ["ell", "νόμους", "νόμος"],
    ["heb", "והמסמכים", "מסמך"],
    ["ara", "والكتاب", "كتاب"],
    ["ara", "القانون", "قانون"],
  ])("are common to forms of a word in %s, although letters are folded: %s, %s", (language, one, other) => {
    expect(haveCommon(language, one, other)).toBe(true);
  });

  it.each([
    ["eng", "harbour", "harbinger"],
    ["deu", "Haus", "Haut"],
    ["rus", "город", "горло"],
    ["heb", "ספר", "כתב"],
    ["tha", "บ้าน", "บ้าน"],
    ["deu", "Bücher", "книги"],
    ["eng", "a1b2", "a1b2"],
  ])("are not common to others in %s: %s, %s", (language, one, other) => {
    expect(haveCommon(language, one, other)).toBe(false);
  });

  it("begin like the words, in the languages that say so", () => {
    const words = inflected.flatMap(({ sentence }) => plainWordsOf(sentence));
    for (const language of formLanguages) {
      if (!beginLikeStems(language)) continue;
      for (const word of words)
        for (const stem of stemsOf(language, word)) expect(`${word} ${stem[0]}`).toBe(`${word} ${word[0]}`);
    }
  });

  it("are folded, and depend on the folded word alone, whatever was asked before", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."a à b c e é i n o r s š u ü x y z ß и й о д е".split(" ")) }),
        (text) => {
          for (const word of plainWordsOf(text)) {
            const stems = formStemsOf(word);
            for (const { stem } of stems) expect(plainWordsOf(stem)).toEqual([stem]);
            expect(formStemsOf(word)).toEqual(stems);
          }
        },
      ),
    );
  });
});
