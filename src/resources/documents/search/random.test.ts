import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explainQuery } from "../../../search/explain-query.ts";
import { parseQuery } from "../../../search/parse-query.ts";
import type { Query } from "../../../search/query-tree.ts";
import type { Person } from "../../../testing/people.ts";
import { pagesHolding } from "../../../testing/search-evaluation.ts";
import { parametersBeside, queries, typedQueries } from "../../../testing/search-queries.ts";
import {
  type Asking,
  type World,
  addWorldsPeople,
  buildWorld,
  expected,
  ordered,
  people,
  worlds,
} from "../../../testing/search-world.ts";
import { type TestApp, engines, startTestApp } from "../../../testing/test-app.ts";
import { runs } from "../../../testing/runs.ts";

const orderings = ["score", "created_at", "-created_at", "page_count", "-page_count", "title", "-title"];
const sorts = fc.constantFrom(
  ...orderings,
  "source",
  "-source",
  "id",
  "-id",
  "data_k",
  "-data_k",
  "updated_at",
  "-updated_at",
  "unknown",
);

interface SearchInput {
  q: string;
  parameters: readonly (readonly [string, string])[];
  sort: string;
  perPage: number;
  isNumbered: boolean;
}

interface Walked {
  ids: number[];
  /** The texts of the pages. */
  counts: number[];
}

describe("search results for random documents on both engines", () => {
  const apps: TestApp[] = [];
  const persons = new Map<TestApp, Person[]>();
  beforeAll(async () => {
    for (const engine of engines) {
      const app = await startTestApp(engine);
      apps.push(app);
      persons.set(app, await addWorldsPeople(app));
    }
  });
  afterAll(async () => {
    for (const app of apps) await app[Symbol.asyncDispose]();
  });

  const build = async (world: World): Promise<void> => {
    for (const app of apps) await buildWorld(app, world);
  };

  const ask = async (app: TestApp, person: Asking, target: string): Promise<unknown> => {
    const by = person === null ? {} : { headers: { ...persons.get(app)?.[person - 1]?.headers } };
    const answer = await app.fetch(target, by);
    if (answer.status !== 200) throw new Error(`${answer.status} at ${target}: ${await answer.text()}`);
    return answer.json();
  };

  /** The results of all pages. */
  async function walk(app: TestApp, person: Asking, input: SearchInput): Promise<Walked> {
    const walked: Walked = { ids: [], counts: [] };
    const query = new URLSearchParams({ q: input.q, sort: input.sort, per_page: String(input.perPage) });
    for (const [name, value] of input.parameters) query.append(name, value);
    if (input.isNumbered) query.set("version", "1.0");
    for (let target: string | null = `/api/documents/search/?${query.toString()}`; target !== null;) {
      const page = (await ask(app, person, target)) as {
        count: number;
        next: string | null;
        results: { id: string }[];
      };
      walked.ids.push(...page.results.map(({ id }) => Number(id)));
      walked.counts.push(page.count);
      if (page.results.length > input.perPage || walked.counts.length > 9)
        throw new Error(`too long: ${target}`);
      target = page.next === null ? null : page.next.slice(app.url.length);
    }
    return walked;
  }

  /** The pages of a document that hold the words. */
  async function pagesWithin(
    app: TestApp,
    person: Asking,
    id: number,
    input: SearchInput,
  ): Promise<{ count: number; pages: number[] }> {
    const query = new URLSearchParams({ q: input.q, paged: "true" });
    for (const [name, value] of input.parameters) query.append(name, value);
    const address = `/api/documents/${id}/search/?${query.toString()}`;
    const { count, results } = (await ask(app, person, address)) as {
      count: number;
      results: { page_number: number }[];
    };
    return { count, pages: results.map(({ page_number }) => page_number) };
  }

  interface Finding {
    about: unknown;
    engine: string;
    ids: readonly number[];
    counts: readonly number[];
    /** The matching pages of the found document with the lowest id. */
    within: { count: number; pages: readonly number[] } | null;
  }

  /**
   * The results of both engines and the expected ones. If weights decide, they are in the order of the first engine.
   */
  async function findings(
    world: World,
    person: Asking,
    query: Query,
    input: SearchInput,
  ): Promise<{ found: Finding[]; due: Finding[] }> {
    const about = { person, understood: explainQuery(query), ...input };
    const matching = expected(world, person, query);
    const ids = matching.map(({ id }) => id);
    const [lowest] = matching;
    const found: Finding[] = [];
    for (const [index, app] of apps.entries()) {
      const walked = await walk(app, person, input);
      const counts = [...new Set(walked.counts)];
      const within = lowest === undefined ? null : await pagesWithin(app, person, lowest.id, input);
      found.push({ about, engine: engines[index] as string, ids: walked.ids, counts, within });
    }
    const first = found[0]?.ids ?? [];
    const isSame = first.toSorted((one, other) => one - other).join() === ids.join();
    const order = ordered(matching, input.sort) ?? (isSame ? first : ids);
    const pages = lowest === undefined ? [] : pagesHolding(query, lowest);
    const within = lowest === undefined ? null : { count: pages.length, pages };
    const due = engines.map((engine) => ({ about, engine, ids: order, counts: [ids.length], within }));
    return { found, due };
  }

  const ways = fc.record({ sort: sorts, perPage: fc.constantFrom(2, 3, 25), isNumbered: fc.boolean() });

  it("match the query and the viewer's access, for queries written from a known meaning", async () => {
    const one = fc.record({ query: queries, person: fc.constantFrom(...people), way: ways });
    const eight = fc.array(one, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(worlds, eight, async (world, all) => {
        await build(world);
        for (const { query, person, way } of all) {
          const input = { q: explainQuery(query), parameters: [], ...way };
          const { found, due } = await findings(world, person, query, input);
          expect(found).toEqual(due);
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it("match the parsed query, for any input", async () => {
    const person = fc.constantFrom<Asking>(null, ...people);
    const one = fc.record({ q: typedQueries, parameters: parametersBeside, person, way: ways });
    const eight = fc.array(one, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(worlds, eight, async (world, all) => {
        await build(world);
        for (const { q, parameters, person: asking, way } of all) {
          const options = { parameters, hasPatterns: asking !== null, now: new Date() };
          const { query } = parseQuery(q, options);
          const { found, due } = await findings(world, asking, query, { q, parameters, ...way });
          expect(found).toEqual(due);
        }
      }),
      { numRuns: runs(25) },
    );
  });
});
