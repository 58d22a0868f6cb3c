import * as fc from "fast-check";
import type { RawBuilder } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { explainQuery } from "../../../search/explain-query.ts";
import type { Person } from "../../../testing/people.ts";
import { parametersBeside, queries, typedQueries } from "../../../testing/search-queries.ts";
import {
  type Asking,
  type World,
  addWorldsPeople,
  buildWorld,
  people,
  withOthersHidden,
  worlds,
} from "../../../testing/search-world.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { runsOn } from "../../../testing/runs.ts";

/** Enough words to reach any reasonable limit: `p100t`, `p101t`, … */
const manyWords = fc
  .record({ from: fc.constantFrom(100, 150, 180), count: fc.constantFrom(0, 1, 100, 150) })
  .map(({ from, count }) => Array.from({ length: count }, (_, index) => `p${from + index}t`).join(" "));

/** A world with very many words in its documents and their notes. */
const crowded = fc.tuple(worlds, manyWords, manyWords).map(([world, inTexts, inNotes]): World => {
  const documents = world.documents.map((document, index) =>
    Object.assign({}, document, {
      description: index === 0 ? `${document.description} ${inTexts}` : document.description,
      notes: document.notes.map((note) => Object.assign({}, note, { content: `${note.content} ${inNotes}` })),
    }),
  );
  return Object.assign({}, world, { documents });
});

const patterns = fc.constantFrom(
  ..."p*? p*t p1?0t p*5* ?1??t p100t~ p180t~1 port~1 h*r h?rbour harbor~ title:p*t text:p*t p1*".split(" "),
);
const queryTexts = fc.oneof(
  { weight: 2, arbitrary: patterns },
  { weight: 3, arbitrary: patterns.map((pattern) => `NOT ${pattern}`) },
  { weight: 2, arbitrary: fc.tuple(patterns, patterns).map(([one, other]) => `${one} OR NOT ${other}`) },
  { weight: 2, arbitrary: queries.map(explainQuery) },
  { weight: 2, arbitrary: typedQueries },
);
const parameters = fc.record({
  q: queryTexts,
  sort: fc.constantFrom("score", "score", "-score", "title", "data_k", "-created_at"),
  hl: fc.constantFrom("true", "false"),
  explain: fc.constantFrom("true", "false"),
  per_page: fc.constantFrom("2", "25"),
  version: fc.constantFrom("1.0", "2.0"),
  suggest: fc.constantFrom("true", "false"),
  facets: fc.constantFrom("", "access,user,organization,status", "project,language,data_k,year"),
});
const targets = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(parameters, parametersBeside)
      .map(([all, beside]) => `/api/documents/search/?${query([...Object.entries(all), ...beside])}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 4 }), queryTexts)
      .map(([id, q]) => `/api/documents/${id}/search/?${query([["q", q]])}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .oneof(
        fc.integer({ min: 1, max: 4 }).map((id) => ["like", String(id)] as const),
        fc
          .constantFrom("harbour port p100t p150t", "The port of the harbour")
          .map((q) => ["like_text", q] as const),
      )
      .map((like) => `/api/documents/search/?${query([like, ["per_page", "2"]])}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("p10", "har", "h", "port harb", "str", "港", "port p15", "sch")
      .map((q) => `/api/documents/search/suggest/?${query([["q", q]])}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("habrour", "p10t", "port AND strase", "prt", "p999t").map(
      (q) =>
        `/api/documents/search/?${query([
          ["q", q],
          ["suggest", "true"],
        ])}`,
    ),
  },
  { weight: 1, arbitrary: queryTexts.map((q) => `/?${query([["q", q.trim() === "" ? "p" : q]])}`) },
);

function query(all: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(all.map(([name, value]): [string, string] => [name, value])).toString();
}

describe.each(engines)("documents that are hidden from the searcher on %s", (engine) => {
  const app = useApp(engine);
  let persons: Person[];
  /** The statements that run on the read worker, with their bound values. */
  const statements: unknown[] = [];
  beforeAll(async () => {
    // For queries that contain NOW.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    persons = await addWorldsPeople(app);
    const { database } = app.context;
    const run = database.queryWithTimeout.bind(database);
    vi.spyOn(database, "queryWithTimeout").mockImplementation(
      async <Row>(statement: RawBuilder<Row>, seconds: number) => {
        const { sql, parameters: bound } = statement.compile(database.reader);
        statements.push({ sql, bound });
        return run(statement, seconds);
      },
    );
  });
  afterAll(async () => {
    vi.useRealTimers();
  });

  async function answers(world: World, person: Asking, all: readonly string[]): Promise<unknown[]> {
    await buildWorld(app, world);
    const headers = person === null ? {} : persons[person - 1]?.headers;
    const responses: unknown[] = [];
    for (const target of all) {
      statements.length = 0;
      const answer = await app.fetch(target, {
        headers: { ...headers, accept: "text/html, application/json" },
      });
      const body = await answer.text();
      responses.push({ target, status: answer.status, body, statements: [...statements] });
    }
    return responses;
  }

  it("change neither the response nor the statements that the database runs for it", async () => {
    const person = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<Asking>(...people) },
      { weight: 1, arbitrary: fc.constant<Asking>(null) },
    );
    // A target that is asked twice may be answered from the cache, or not if a job commits in between.
    const eight = fc.uniqueArray(targets, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(crowded, crowded, person, eight, async (world, other, asking, all) => {
        const here = await answers(world, asking, all);
        expect(await answers(withOthersHidden(world, asking, other), asking, all)).toEqual(here);
      }),
      { numRuns: runsOn(engine, 12) },
    );
  });
});
