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
  it("are parsed as the URL standard says", () => {
    fc.assert(
      fc.property(text, (given) => {
        // URLSearchParams drops a question mark at the start.
        expect([...pairsIn(given)]).toEqual([...new URLSearchParams(`?${given}`)]);
      }),
      { numRuns: runs(400) },
    );
  });

  it("are never more than the count", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect([...pairsIn(given)].length).toBeLessThanOrEqual(countPairs(Buffer.from(given)));
      }),
    );
  });
});
