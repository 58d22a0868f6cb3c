import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { plainWordsOf } from "../../../search/words.ts";
import type { Person } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import type { SearchedDocument } from "../../../testing/search-evaluation.ts";
import {
  type Asking,
  addWorldsPeople,
  buildWorld,
  expected,
  people,
  worlds,
} from "../../../testing/search-world.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { addDocuments } from "../../../testing/factories.ts";

/** By word, the number of titles, sources, descriptions and documents' pages that have it, in plain words. */
function blocksByWord(documents: readonly SearchedDocument[]): Map<string, number> {
  const blocks = new Map<string, number>();
  for (const { title, source, description, pages } of documents) {
    for (const text of [title, source, description, pages.join("\n")]) {
      for (const word of new Set(plainWordsOf(text))) blocks.set(word, (blocks.get(word) ?? 0) + 1);
    }
  }
  return blocks;
}

describe.each(engines)("suggestions on %s", (engine) => {
  const app = useApp(engine);
  let persons: Person[];
  beforeAll(async () => {
    persons = await addWorldsPeople(app);
  });

  const get = (path: string, q: string, person: Asking = null): Promise<Reply> => {
    const target = `/api/documents/search/${path}${new URLSearchParams({ q }).toString()}`;
    return sendAs(app, person === null ? null : (persons[person - 1] ?? null), "GET", target);
  };
  const complete = async (q: string, person: Asking = null): Promise<{ text: string; word: string }[]> => {
    const { status, body } = await get("suggest/?", q, person);
    expect([status, Object.keys(body)]).toEqual([200, ["results"]]);
    return body.results;
  };
  const completed = async (q: string): Promise<string[]> => (await complete(q)).map(({ text }) => text);
  const correct = async (q: string): Promise<unknown> => (await get("?suggest=true&", q)).body.suggestion;

  it("complete a word with those that the viewer finds, the most frequent first", async () => {
    const one = fc.record({
      person: fc.constantFrom<Asking>(null, ...people),
      typed: fc.constantFrom("har", "harbour", "Harb", "por", "été", "stras", "東", "京", "港", "zzz"),
    });
    const six = fc.array(one, { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(worlds, six, async (world, all) => {
        await buildWorld(app, world);
        for (const { person, typed } of all) {
          const [start = ""] = plainWordsOf(typed);
          const blocks = blocksByWord(expected(world, person, { kind: "everything" }));
          const due = [...blocks]
            .filter(([word]) => word.startsWith(start) && word !== start)
            .toSorted(([a, m], [b, n]) => n - m || Buffer.compare(Buffer.from(a), Buffer.from(b)))
            .map(([word]) => ({ text: `old ${word}`, word }));
          expect(await complete(`old ${typed}`, person)).toEqual(due.slice(0, 10));
        }
      }),
      { numRuns: runsOn(engine, 25) },
    );
  });

  describe("for some documents", () => {
    beforeAll(async () => {
      await app.context.database.write((writer) => writer.deleteFrom("documents").execute());
      await addDocuments(app.context, [
        { title: "Harbour dredging", description: "Of the harbours" },
        { title: "Harbour costs", source: "Hafenamt" },
        { title: "Secret haricots", access: "private" },
        { title: "Haricots verts", status: "pending" },
        { title: "Unlisted harmony", noindex: true },
      ]);
    });

    it("complete only the last word, if it is a search word", async () => {
      expect(await completed("har")).toEqual(["harbour", "harbours"]);
      expect(await completed("costs AND (title:Harb")).toEqual([
        "costs AND (title:harbour",
        "costs AND (title:harbours",
      ]);
      for (const q of [
        "",
        "ha",
        "har ",
        "harb*",
        "access:pub",
        "user:har",
        "NOT",
        "hari",
        "harm",
        "harbours",
      ]) {
        expect([q, await completed(q)]).toEqual([q, []]);
      }
    });

    it("correct words that are not found, if the corrected query finds something", async () => {
      expect(await correct("habrour dredgin")).toBe("harbour dredging");
      expect(await correct('title:"Harbuor" AND costs')).toBe('title:"harbour" AND costs');
      expect(await correct("+harbour +habrours -costs")).toBe("+harbour +harbours -costs");
      for (const q of [
        "haricos",
        "harmonie",
        "zzzzz",
        "dredging AND costs",
        "1234",
        "habrour AND access:private",
      ]) {
        expect([q, await correct(q)]).toEqual([q, undefined]);
      }
    });

    it("are given only if nothing is found and the request asks for them", async () => {
      for (const [path, q] of [
        ["?suggest=true&", "harbour"],
        ["?", "habrour"],
        ["?suggest=false&", "habrour"],
      ] as const) {
        expect(Object.keys((await get(path, q)).body)).toEqual([
          "count",
          "next",
          "previous",
          "results",
          "escaped",
        ]);
      }
    });
  });
});
