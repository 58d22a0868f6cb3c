import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/runs.ts";
import { mendedCharacters } from "./mended-characters.ts";
import type { PageCharacters } from "./page-words.ts";
import { plainTextOfCharacters, textOfCharacters } from "./page-words.ts";

/** A page whose characters are these, each 10 points wide, from left to right or from right to left. */
function page(text: string, { fromRight = false, isUnmapped = false } = {}): PageCharacters {
  const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return {
    count: codes.length,
    codeAt: (index) => codes[index] ?? 0,
    boxAt(index) {
      const left = fromRight ? 10 * (codes.length - index) : 10 * index;
      return codes[index] === 0x0a ? null : [left, 20, left + 10, 10];
    },
    angleAt: () => 0,
    isHyphenAt: () => false,
    isUnmappedAt: (index) => isUnmapped && (codes[index] ?? 0) > 0x7f,
  };
}

function mendedText(characters: PageCharacters): string {
  const { text } = plainTextOfCharacters(characters);
  const mended = mendedCharacters(characters, text);
  return mended === null ? text : plainTextOfCharacters(mended.characters).text;
}

/** Each letter of two bytes in UTF-8 as one code of 16 bits. */
const misnamed = (text: string): string =>
  text.replaceAll(/[^\0-\x7F]/g, (letter) => {
    const [first = 0, second = 0] = Buffer.from(letter);
    return String.fromCharCode(first * 256 + second);
  });

describe("letters in UTF-8 where UTF-16 is due", () => {
  it("are decoded, whatever stands between them", () => {
    expect(misnamed("Масса")).toBe("킜킰톁톁킰");
    const word = fc.string({
      unit: fc.constantFrom(...Array.from("абвгдежзийклмнопрстуфхцчшщыэюяАБВМ")),
      minLength: 4,
      maxLength: 9,
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 5 }), (words) => {
        const text = `${words.join(" ")}\nA4, 1:1`;
        const characters = page(misnamed(text), { isUnmapped: true });
        expect(mendedText(characters)).toBe(text);
        expect(
          plainTextOfCharacters(mendedCharacters(characters, misnamed(text))?.characters ?? characters)
            .quality,
        ).toBe("good");
      }),
      { numRuns: runs(50) },
    );
  });

  it("are told from Korean", () => {
    for (const korean of [
      "안녕하세요 세계",
      "침하게 흐린 품이 눈이 올 듯하더니",
      "키키키",
      "킴 킬 킹 킷 킵 킥 킨 키 가",
    ]) {
      expect(mendedCharacters(page(korean), korean)).toBeNull();
    }
  });
});

describe("letters that are read from right to left", () => {
  const logical = "مرحبا بالعالم";
  const visual = Array.from(logical).toReversed().join("");

  it("are put in order where they stand from left to right in the order of the file", () => {
    expect(mendedText(page(visual))).toBe(logical);
    expect(mendedText(page(`Hello\n${visual}\nWorld`))).toBe(`Hello\n${logical}\nWorld`);
    expect(mendedText(page("םלוע םולש"))).toBe("שלום עולם");
    // The figures of a number run to the right, and a mark stays with its letter.
    expect(mendedText(page("ראוני 1950 םוי"))).toBe("יום 1950 ינואר");
    expect(mendedText(page("דּסח"))).toBe("חסדּ");
  });

  it("stay as they are where the first is at the right, and so do all others", () => {
    expect(mendedCharacters(page(logical, { fromRight: true }), logical)).toBeNull();
    expect(mendedCharacters(page("Hello 1950"), "Hello 1950")).toBeNull();
  });
});

/** The same, but every second character stands so far from the one before. */
const drawnTwice = (text: string, shift: number): PageCharacters => {
  const characters = page(text);
  const boxAt = (index: number): ArrayLike<number> | null => {
    const left = 10 * Math.floor(index / 2) + (index % 2) * shift;
    return [left, 20, left + 10, 10];
  };
  return { ...characters, boxAt };
};

describe("words of which each letter is drawn twice", () => {
  it("have each once", () => {
    expect(mendedText(drawnTwice("BBoolldd  ddee\n\nCCooffffeeee", 3))).toBe("Bold  de\n\nCoffee");
  });

  it("are told from letters and figures that stand beside each other", () => {
    expect(mendedText(page("112233 aabbcc office"))).toBe("112233 aabbcc office");
    expect(mendedText(drawnTwice("112233  aabbcc", 10))).toBe("112233  aabbcc");
  });
});

/** Each character below the one before, 10 points apart, and a column beside another from the second line end on. */
const inColumns = (text: string): PageCharacters => {
  const characters = page(text);
  const boxAt = (index: number): ArrayLike<number> | null => {
    if (text[index] === "\n") return null;
    const [column, row] = [text.slice(0, index).split("\n\n").length, text.slice(0, index).length];
    return [100 - 20 * column, 500 - 5 * row, 110 - 20 * column, 490 - 5 * row];
  };
  return { ...characters, boxAt };
};

describe("Japanese in columns with each character on a line of its own", () => {
  const stacked = "第\n二\n条\n第\n一\n項\nの\n表\nの\n青\n色";

  it("has the lines of its columns", () => {
    const text = `${stacked}\n\nの\n灯\n火`;
    expect(mendedText(inColumns(text))).toBe("第二条第一項の表の青色\n\nの灯火");
    const mended = mendedCharacters(inColumns(text), text)?.characters ?? inColumns(text);
    const frame = { left: 0, top: 500, right: 110, bottom: 0, quarterTurns: 0 };
    expect(textOfCharacters(mended, frame).words).toMatchObject([
      { text: "第二条第一項の表の青色", upright: false, direction: 1 },
      { text: "の灯火", upright: false, direction: 1 },
    ]);
  });

  it("is told from lists, whose characters do not stand below one another", () => {
    expect(mendedText(page(stacked))).toBe(stacked);
  });
});
