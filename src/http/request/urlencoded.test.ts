import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../testing/texts.ts";
import { countPairs, pairsIn } from "./urlencoded.ts";
import { runs } from "../../testing/runs.ts";

const piece = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "&",
    "=",
    "?",
    "+",
    "%",
    "%41",
    "%26",
    "%3D",
    "%zz",
    "%ff",
    "%C3%A9",
    "%ED%A0%80",
    "%EF%BB%BF",
    "é",
    "\0",
  ),
  anyText,
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

describe("the pairs of a form or a query", () => {
  it("are those of the URL standard", () => {
    fc.assert(
      fc.property(text, (given) => {
        // URLSearchParams takes a first question mark for the one that begins a query.
        expect([...pairsIn(given)]).toEqual([...new URLSearchParams(`?${given}`)]);
      }),
      { numRuns: runs(400) },
    );
  });

  it("are never more than are counted", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect([...pairsIn(given)].length).toBeLessThanOrEqual(countPairs(Buffer.from(given)));
      }),
    );
  });
});
