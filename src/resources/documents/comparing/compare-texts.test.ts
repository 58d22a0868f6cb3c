import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareTokens, tokensOf } from "./compare-texts.ts";

const word = fc.constantFrom("a ", "b ", "c\n", "d ", "東", "e\n", "  ");
const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(""));

const compare = (left: string, right: string) => compareTokens(tokensOf(left), tokensOf(right));
const joined = (parts: readonly { text: string }[]): string => parts.map((part) => part.text).join("");

describe("the comparison of two texts", () => {
  it("has all of both texts, and calls equal only what both have", () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const lines = compare(left, right);
        expect(lines.map((line) => joined(line.left)).join("")).toBe(left);
        expect(lines.map((line) => joined(line.right)).join("")).toBe(right);
        const equal = (side: "left" | "right"): string =>
          joined(lines.flatMap((line) => line[side].filter((part) => !part.differs)));
        const plain = (side: "left" | "right"): string => equal(side).replaceAll(/\s+/g, "");
        expect(plain("left")).toBe(plain("right"));
      }),
    );
  });

  it("marks the words that were changed, added or left out, and nothing else", () => {
    const [line] = compare("The sum of 100 Euro is due", "The sum of 200 Euro is now due");
    expect(line).toEqual({
      left: [
        { text: "The sum of ", differs: false },
        { text: "100 ", differs: true },
        { text: "Euro is due", differs: false },
      ],
      right: [
        { text: "The sum of ", differs: false },
        { text: "200 ", differs: true },
        { text: "Euro is ", differs: false },
        { text: "now ", differs: true },
        { text: "due", differs: false },
      ],
    });
  });

  it("divides long texts at words that both have once", () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `w${index % 5000}_${index % 7} x `);
    const left = words.join("");
    const right = words.map((one, index) => (index % 4000 === 1 ? "changed x " : one)).join("");
    const differing = compare(left, right).flatMap((line) => line.right.filter((part) => part.differs));
    expect(differing.map((part) => part.text)).toEqual(Array.from({ length: 5 }, () => "changed "));
  });
});
