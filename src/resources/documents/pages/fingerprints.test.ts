import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FingerprintMaker, bandsOf, minWords, similarityOf } from "./fingerprints.ts";

function hashesOf(text: string): string | null {
  const maker = new FingerprintMaker();
  maker.add(text);
  return maker.end().hashes;
}

const wordList = fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 400, maxLength: 400 });

/** The words with every `n`th replaced. */
const changed = (words: readonly string[], every: number): string =>
  words.map((word, index) => (index % every === 0 ? `${word}x` : word)).join(" ");

const shareBands = (one: string, other: string): boolean => {
  const bands = new Set(bandsOf(one));
  return bandsOf(other).some((band) => bands.has(band));
};

describe("fingerprints", () => {
  it("find a text of 400 words of which 4 or 12 were changed, and no other text", () => {
    fc.assert(
      fc.property(wordList, wordList, (words, others) => {
        const whole = hashesOf(words.join(" ")) ?? "";
        for (const every of [100, 34]) {
          const other = hashesOf(changed(words, every)) ?? "";
          expect(shareBands(whole, other)).toBe(true);
          expect(similarityOf(whole, other)).toBeGreaterThan(0.5);
        }
        const unlike = hashesOf(others.join(" ")) ?? "";
        expect(similarityOf(whole, unlike)).toBeLessThan(0.2);
      }),
      { numRuns: 20 },
    );
  });

  it("do not depend on how a text is divided into pages, nor on case", () => {
    fc.assert(
      fc.property(wordList, fc.nat(399), (words, at) => {
        const maker = new FingerprintMaker();
        maker.add(words.slice(0, at).join(" "));
        maker.add(words.slice(at).join("\n").toUpperCase());
        expect(maker.end()).toEqual({ words: 400, hashes: hashesOf(words.join(" ")) });
      }),
      { numRuns: 20 },
    );
  });

  it("are missing for short texts, and their bands are whole numbers", () => {
    expect(hashesOf("word ".repeat(minWords - 1))).toBeNull();
    const bands = bandsOf(hashesOf("word ".repeat(minWords)) ?? "");
    expect([bands.length, bands.every(Number.isSafeInteger)]).toEqual([16, true]);
  });
});
