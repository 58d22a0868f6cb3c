import { describe, expect, it } from "vitest";
import { planSearch } from "./plan.ts";
import type { Query, WordPattern, WordsQuery } from "./query-tree.ts";

const words = (patterns: readonly WordPattern[], more: Partial<WordsQuery> = {}): WordsQuery => ({
  kind: "words",
  field: null,
  words: patterns,
  slop: null,
  boost: 1,
  ...more,
});
const word = (text: string): WordsQuery => words([{ word: text }]);

const inNot = (of: Query): Query => ({ kind: "not", of });
const looked = async (query: Query): Promise<boolean[]> =>
  (await planSearch(query)).words.map(({ isLookedFor }) => isLookedFor);

const stems = async (query: Query): Promise<string[]> =>
  (await planSearch(query)).words.flatMap((condition) =>
    condition.stems.filter(({ language }) => ["eng", "rus"].includes(language)).map(({ stem }) => stem),
  );

describe("the plan of a query", () => {
  it("numbers the conditions on words from left to right, at every depth", async () => {
    const query: Query = {
      kind: "and",
      of: [word("a"), { kind: "or", of: [word("b"), { kind: "not", of: word("c") }] }, word("d")],
    };
    expect(await planSearch(query)).toMatchObject({
      query: {
        kind: "and",
        of: [
          { kind: "words", index: 0 },
          {
            kind: "or",
            of: [
              { kind: "words", index: 1 },
              { kind: "not", of: { kind: "words", index: 2 } },
            ],
          },
          { kind: "words", index: 3 },
        ],
      },
      words: ["a", "b", "c", "d"].map((text) => ({ wanted: { phrase: [{ word: text }] } })),
    });
  });

  it("says which words are looked for: not those in a negation, and those in two again", async () => {
    expect(await looked(word("a"))).toEqual([true]);
    expect(await looked(inNot(word("a")))).toEqual([false]);
    expect(await looked(inNot(inNot(word("a"))))).toEqual([true]);
    const mixed: Query = { kind: "and", of: [word("a"), inNot({ kind: "or", of: [word("b"), word("c")] })] };
    expect(await looked(mixed)).toEqual([true, false, false]);
  });

  it("keeps the field and the weight of words", async () => {
    const query = words([{ word: "a" }], { field: { page: 3 }, boost: 2.5 });
    expect((await planSearch(query)).words).toEqual([
      { field: { page: 3 }, wanted: { phrase: [{ word: "a" }] }, boost: 2.5, isLookedFor: true, stems: [] },
    ]);
  });

  it("has the stem of each single word that is looked for, unless it stands in quotes", async () => {
    expect(await stems(word("slipstreams"))).toEqual(["slipstream"]);
    expect(await stems(words([{ word: "slipstreams" }], { exact: true }))).toEqual([]);
    expect(await stems(inNot(word("slipstreams")))).toEqual([]);
    expect(await stems(words([{ word: "slip" }, { word: "streams" }]))).toEqual([]);
    expect(await stems(words([{ start: "slipstreams" }]))).toEqual([]);
    expect(await stems(word("москва"))).toEqual(["москв"]);
  });

  it.each<Query>([
    { kind: "everything" },
    { kind: "nothing" },
    { kind: "has", field: "title" },
    { kind: "is", field: "slug", value: "a" },
    { kind: "begins", field: { data: "k" }, value: "a" },
    { kind: "range", field: "id", from: { value: 1, isIncluded: true }, to: null },
  ])("leaves other conditions as they are: $kind", async (query) => {
    expect(await planSearch(query)).toEqual({ query, words: [] });
  });

  it.each<[string, WordsQuery, unknown]>([
    ["a word", word("a"), { phrase: [{ word: "a" }] }],
    ["a prefix", words([{ start: "a" }]), { phrase: [{ start: "a" }] }],
    ["a likeness", words([{ like: "a", edits: 1 }]), { pattern: { like: "a", edits: 1 } }],
    ["a pattern", words([{ pattern: "a*b" }]), { pattern: { pattern: "a*b" } }],
    ["a phrase", words([{ word: "a" }, { start: "b" }]), { phrase: [{ word: "a" }, { start: "b" }] }],
    [
      "words near each other",
      words([{ word: "a" }, { word: "b" }], { slop: 0 }),
      { near: [{ word: "a" }, { word: "b" }], slop: 0 },
    ],
    [
      "a phrase of which one word cannot be looked up",
      words([{ word: "a" }, { pattern: "b?c" }]),
      { phrase: [{ word: "a" }] },
    ],
    [
      "a phrase whose first word cannot be looked up",
      words([{ pattern: "b?c" }, { word: "a" }]),
      { phrase: [{ word: "a" }] },
    ],
    ["no word at all", words([]), { phrase: [] }],
  ])("looks for %s in the form of the index", async (_, query, wanted) => {
    expect((await planSearch(query)).words.map((planned) => planned.wanted)).toEqual([wanted]);
  });
});
