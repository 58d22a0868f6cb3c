import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../testing/runs.ts";
import { explainQuery } from "./explain-query.ts";
import { maxQuestionWords } from "./long-questions.ts";
import { parseQuery } from "./parse-query.ts";
import type { ParsedQuery } from "./query-tree.ts";

const parse = (text: string): ParsedQuery =>
  parseQuery(text, { hasPatterns: false, now: new Date("2026-01-01T00:00:00Z") });
const read = (text: string): { explain: string; leftOut: readonly string[] } => {
  const { query, leftOut } = parse(text);
  return { explain: explainQuery(query), leftOut };
};

describe("a question", () => {
  it("counts a repeated word as often as it was typed", () => {
    expect(read("to dredge the harbour or to dredge^3")).toEqual({
      explain: "(to^2 OR dredge^4 OR the OR harbour OR or)",
      leftOut: [],
    });
    expect(read('harbour "harbour" title:harbour +harbour').explain).toBe(
      '(harbour AND (*:* OR harbour OR "harbour" OR title:harbour))',
    );
  });

  it.each([
    [
      "what did the port office pay for the dredging of the old harbour",
      "(port OR office OR pay OR dredging OR old OR harbour)",
      ["what", "did", "the", "for", "of"],
    ],
    [
      "was hat das Hafenamt für die Baggerarbeiten in dem alten Hafen bezahlt",
      "(hafenamt OR baggerarbeiten OR alten OR hafen OR bezahlt)",
      ["was", "hat", "das", "fur", "die", "in", "dem"],
    ],
    [
      "combien la capitainerie doit pour le dragage de la darse et du quai",
      "(combien OR capitainerie OR doit OR dragage OR darse OR quai)",
      ["la", "pour", "le", "de", "et", "du"],
    ],
  ])("that is long is searched without the common words of its language: %s", (text, explain, leftOut) => {
    expect(read(text)).toEqual({ explain, leftOut });
  });

  it("keeps its common words if it is short, if it has hardly others, and where they are demanded", () => {
    expect(read("who was the harbour master")).toMatchObject({ leftOut: [] });
    expect(read("to be or not to be that is the question")).toMatchObject({ leftOut: [] });
    const { explain, leftOut } = read(
      'what did +the port office pay for "of" dredging title:the old harbour',
    );
    expect(leftOut).toEqual(["what", "did", "for"]);
    expect(explain).toMatch(/^\(the AND .*"of".*title:the/);
  });

  it("keeps every word if it has AND or OR", () => {
    const text = "what did the port office pay for the dredging of the harbour";
    expect(read(`${text} OR quay`)).toMatchObject({ leftOut: [] });
  });

  it("may stand in brackets beside conditions, but not in a negation or in a field", () => {
    const text = "what did the port office pay for the dredging of the harbour";
    const leftOut = ["what", "did", "the", "for", "of"];
    const kept = "(port OR office OR pay OR dredging OR harbour)";
    expect(read(`(${text}) AND access:public`)).toEqual({
      explain: `(${kept} AND access:"public")`,
      leftOut,
    });
    expect(read(`quay OR (${text})^2`).leftOut).toEqual(leftOut);
    for (const whole of [`quay NOT (${text})`, `quay -(a OR (${text}))`, `title:(${text}) AND quay`])
      expect([whole, read(whole).leftOut]).toEqual([whole, []]);
    expect(read(`(${text} OR quay) AND access:public`).leftOut).toEqual([]);
  });

  it("is searched for a limited number of words, the longest, however long it is", () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[b-z]{1,12}$/), { minLength: 8, maxLength: 400 });
    fc.assert(
      fc.property(words, (all) => {
        const { query, leftOut } = parse(all.map((word) => `${word}x1`).join(" "));
        const kept = query.kind === "or" ? query.of : [];
        expect(kept).toHaveLength(Math.min(all.length, maxQuestionWords));
        expect(leftOut).toHaveLength(all.length - kept.length);
        const shortest = Math.min(...kept.map((one) => explainQuery(one).length));
        expect(leftOut.every((word) => word.length <= shortest)).toBe(true);
      }),
      { numRuns: runs(50) },
    );
  });
});
