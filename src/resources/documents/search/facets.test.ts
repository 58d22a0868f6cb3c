import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { explainQuery } from "../../../search/explain-query.ts";
import type { Query } from "../../../search/query-tree.ts";
import { addDocuments } from "../../../testing/factories.ts";
import type { Person } from "../../../testing/people.ts";
import { mentionsOf } from "../pages/mention-store.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import type { SearchedDocument } from "../../../testing/search-evaluation.ts";
import { queries } from "../../../testing/search-queries.ts";
import {
  type Asking,
  type World,
  addWorldsPeople,
  buildWorld,
  expected,
  people,
  worlds,
} from "../../../testing/search-world.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

type Value = string | number;

const mentioned = (pages: readonly string[]) => pages.flatMap((text) => mentionsOf(0, { page: 0, text }));
const valuesMentioned = (pages: readonly string[], kind: string) =>
  mentioned(pages).flatMap((mention) => (mention.kind === kind ? [mention.value] : []));

/** The values of a document for each facet, in plain words. */
const valuesOf: Readonly<Record<string, (document: SearchedDocument) => readonly Value[]>> = {
  access: ({ access }) => [access],
  status: ({ status }) => [status],
  user: ({ user_id }) => [user_id],
  organization: ({ organization_id }) => [organization_id],
  project: ({ projects }) => projects,
  language: ({ language }) => [language],
  original_extension: ({ original_extension }) => [original_extension],
  year: ({ created_at }) => [created_at.slice(0, 4)],
  data: ({ data }) => Object.keys(data),
  data_k: ({ data }) => [...new Set(data["k"])],
  data__tag: ({ data }) => [...new Set(data["_tag"])],
  data_none: () => [],
  mention: ({ pages }) => [...new Set(mentioned(pages).map(({ kind }) => kind))],
  mention_email: ({ pages }) => [...new Set(valuesMentioned(pages, "email"))],
  mention_date: ({ pages }) => [...new Set(valuesMentioned(pages, "date"))],
  mention_iban: () => [],
};

const labels: Readonly<Record<string, (id: Value) => string>> = {
  user: (id) => `person-${id}`,
  organization: (id) => `O${id}`,
  project: () => "A project",
};

function inOrder(one: Value, other: Value): number {
  if (typeof one === "number" || typeof other === "number") return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Each value with the number of documents that have it. */
function counted(name: string, documents: readonly SearchedDocument[]): unknown {
  const counts = new Map<Value, number>();
  for (const value of documents.flatMap((document) => valuesOf[name]?.(document) ?? [])) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const all = [...counts].toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || inOrder(one, other),
  );
  const labelOf = labels[name];
  const values = all.map(([value, count]) =>
    labelOf === undefined ? { value, count } : { value, label: labelOf(value), count },
  );
  return { values, more: false };
}

const target = (parameters: Record<string, string>): string =>
  `/api/documents/search/?${new URLSearchParams(parameters).toString()}`;

describe.each(engines)("facets on %s", (engine) => {
  const app = useApp(engine);
  let persons: Person[];
  beforeAll(async () => {
    persons = await addWorldsPeople(app);
  });

  const ask = (parameters: Record<string, string>, person: Asking = null): Promise<Reply> =>
    sendAs(app, person === null ? null : (persons[person - 1] ?? null), "GET", target(parameters));

  it("count the values of the documents that the viewer finds, and of no others", async () => {
    const one = fc.record({
      query: fc.oneof(queries, fc.constant<Query>({ kind: "everything" })),
      person: fc.constantFrom<Asking>(null, ...people),
      names: fc.shuffledSubarray(Object.keys(valuesOf), { minLength: 1 }),
      perPage: fc.constantFrom("1", "25"),
    });
    const six = fc.array(one, { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(worlds, six, async (world: World, all) => {
        await buildWorld(app, world);
        for (const { query, person, names, perPage } of all) {
          const q = query.kind === "everything" ? "" : explainQuery(query);
          // Wildcards, even `*:*`, are ordinary characters for anonymous viewers.
          if (person === null && /[*?~]/.test(q)) continue;
          const { status, body } = await ask({ q, facets: names.join(","), per_page: perPage }, person);
          const found = expected(world, person, query);
          const facets = Object.fromEntries(names.map((name) => [name, counted(name, found)]));
          expect([status, body.count, body.facets]).toEqual([200, found.length, facets]);
          expect(Object.keys(body.facets)).toEqual(names);
        }
      }),
      { numRuns: runsOn(engine, 25) },
    );
  });

  it("are in the answer only if the request asks for them", async () => {
    for (const parameters of [{ q: "" }, { q: "harbour" }, { q: "", facets: "" }]) {
      expect(Object.keys((await ask(parameters)).body)).toEqual([
        "count",
        "next",
        "previous",
        "results",
        "escaped",
      ]);
    }
  });

  it("refuse unknown names, and too many", async () => {
    for (const name of ["title", "data_", "data_a b", "Access", "projects"]) {
      const { status, body } = await ask({ facets: `access,${name}` });
      expect([status, body]).toEqual([400, { error: `Unknown facet: \`${name}\``, code: "unknown_facet" }]);
    }
    const many = Array.from({ length: 21 }, (_, index) => `data_${index}`).join(",");
    expect((await ask({ facets: many })).status).toBe(400);
    expect((await ask({ facets: many.replace(",data_20", "") })).status).toBe(200);
  });

  it("show the most frequent 50 values, say that there are more, and stay the same on later pages", async () => {
    const rows = Array.from({ length: 51 }, (_, index) => ({
      title: "series",
      created_at: `${1900 + index}-01-01T00:00:00.000000Z`,
      data: JSON.stringify({ k: [`v${index}`, "all"], one: [index < 50 ? String(index) : "0"] }),
    }));
    await app.context.database.write((writer) => writer.deleteFrom("documents").execute());
    await addDocuments(app.context, rows);
    for (const q of ["series", ""]) {
      const parameters = { q, facets: "year,data_k,data_one", per_page: "25", sort: "id" };
      const { body } = await ask(parameters);
      const { year, data_k: several, data_one: single } = body.facets;
      expect([year.values.length, year.more, year.values[0]]).toEqual([
        50,
        true,
        { value: "1900", count: 1 },
      ]);
      expect([several.values.length, several.more, several.values[0]]).toEqual([
        50,
        true,
        { value: "all", count: 51 },
      ]);
      expect([single.values.length, single.more, single.values[0]]).toEqual([
        50,
        false,
        { value: "0", count: 2 },
      ]);
      for (const page of ["2", "3", "4"]) {
        const later = await ask({ ...parameters, version: "1.0", page });
        expect(later.body.facets).toEqual(body.facets);
      }
    }
  });
});
