import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { planSearch } from "../../search/plan.ts";
import { loadStemmer } from "../../search/stems.ts";
import { type SearchedDocument, evaluate } from "../../testing/search-evaluation.ts";
import { moments, queries, wordedText } from "../../testing/search-queries.ts";
import { runs } from "../../testing/runs.ts";
import { TouchedWords } from "./touched-words.ts";

const languages = ["eng", "deu", "fra"];

/** With few words each, so that a query often depends on one of them. */
const documents = fc.array(
  fc.record({
    title: wordedText,
    pages: fc.array(wordedText, { maxLength: 1 }),
    notes: fc.array(wordedText, { maxLength: 1 }),
    language: fc.constantFrom(...languages),
  }),
  { minLength: 1, maxLength: 4 },
);

const rest: Omit<SearchedDocument, "id" | "title" | "pages" | "notes" | "language"> = {
  source: "",
  description: "",
  data: {},
  user_id: 1,
  organization_id: 1,
  access: "public",
  status: "success",
  slug: "x",
  original_extension: "pdf",
  created_at: moments[0] ?? "",
  updated_at: moments[1] ?? "",
  page_count: 2,
  noindex: false,
  projects: [],
};

function touched(all: readonly SearchedDocument[]): TouchedWords {
  const words = new TouchedWords(languages);
  for (const { id, title, pages, notes } of all)
    for (const text of [title, ...pages, ...notes]) words.add(id, text);
  return words;
}

type Texts = Pick<SearchedDocument, "title" | "pages" | "notes" | "language">;
const documentOf = (id: number, texts: Texts): SearchedDocument => ({ ...rest, ...texts, id });

const named = (word: string) =>
  ({ kind: "words", field: null, words: [{ word }], slop: null, boost: 1 }) as const;

describe("the words of documents that searches are compared with", () => {
  beforeAll(() => loadStemmer());

  it("never leave out a document that a query matches", async () => {
    await fc.assert(
      fc.asyncProperty(queries, documents, async (query, texts) => {
        const all = texts.map((each, index) => documentOf(index + 1, each));
        const may = touched(all).mayMatch(await planSearch(query));
        const matching = all.filter((each) => evaluate(query, each)).map(({ id }) => id);
        expect(matching.filter((id) => may !== null && !may.has(id))).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("leave out what lacks a required word", async () => {
    const plain = { pages: [], notes: [], language: "eng" };
    const words = touched([
      documentOf(1, { ...plain, title: "Harbour dues" }),
      documentOf(2, { ...plain, title: "Harbours" }),
      documentOf(3, { ...plain, title: "Pilot" }),
    ]);
    const both = { kind: "and", of: [named("harbour"), named("dues")] } as const;
    const either = { kind: "or", of: [both, named("pilots")] } as const;
    const without = { kind: "and", of: [named("harbour"), { kind: "not", of: named("dues") }] } as const;
    const found = async (query: Parameters<typeof planSearch>[0]) => words.mayMatch(await planSearch(query));
    expect(await found(named("harbour"))).toEqual(new Set([1, 2]));
    expect(await found({ ...named("harbour"), exact: true })).toEqual(new Set([1]));
    expect(await found(both)).toEqual(new Set([1]));
    expect(await found(either)).toEqual(new Set([1, 3]));
    expect(await found(without)).toEqual(new Set([1, 2]));
    expect(await found({ kind: "not", of: named("dues") })).toBe(null);
  });
});
