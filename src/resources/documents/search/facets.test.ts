import * as fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { Query as Parameters } from "../../../http/request/query.ts";
import { type Viewer, anonymous } from "../../../http/request/viewer.ts";
import { explainQuery } from "../../../search/explain-query.ts";
import { planSearch } from "../../../search/plan.ts";
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
import { estimateDocuments } from "../../../testing/estimates.ts";
import { readSearch } from "./search-request.ts";
import { searchDocuments } from "./statement-store.ts";
import { readFacets } from "./facets.ts";

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

const notes = (): RawBuilder<boolean> => sql`1 = 1`;

/** The first of the owners whom `addDocuments` gives the documents to. */
const owner: Viewer = {
  kind: "user",
  id: 1,
  username: "owner",
  name: "",
  language: "",
  timeZone: "",
  isAdministrator: false,
  unread: 0,
  hasWork: false,
  organization: null,
  organizations: new Set(),
  projects: new Map(),
  mayWrite: true,
  hasPersonalToken: false,
  csrfToken: null,
};

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

  it("count the newest documents alone, and say so, where a search finds many", async () => {
    await app.context.database.write((writer) => writer.deleteFrom("documents").execute());
    const rows = ["eng", "eng", "fra", "fra", "spa"].map((language, index) => ({
      language,
      access: index % 2 === 0 ? ("public" as const) : ("private" as const),
      data: JSON.stringify({ k: ["one"] }),
    }));
    const ids = await addDocuments(app.context, rows);
    const search = async (q: string, maxFaceted: number, viewer: Viewer) => {
      const { query, ordering } = readSearch(Parameters.parse("").with("q", q).with("sort", "id"), viewer);
      const plan = await planSearch(query);
      const facets = readFacets(Parameters.parse("").with("facets", "language,data_k"));
      const asked = { viewer, notes, plan, ordering, after: null, offset: 0, limit: 1, facets, maxFaceted };
      const { total, facets: found } = await searchDocuments(app.context.database, asked, 20);
      return [total, ...found.map((facet) => [facet.counted, facet.counts.map((one) => Object.values(one))])];
    };
    const all = [
      ["eng", 2],
      ["fra", 2],
      ["spa", 1],
    ];
    expect(await search("", 6, owner)).toEqual([5, [null, all], [null, [["one", 5]]]]);
    expect(await search("", 3, owner)).toEqual([
      5,
      [
        3,
        [
          ["fra", 2],
          ["spa", 1],
        ],
      ],
      [3, [["one", 3]]],
    ]);
    expect(await search("", 2, anonymous)).toEqual([
      3,
      [
        2,
        [
          ["fra", 1],
          ["spa", 1],
        ],
      ],
      [2, [["one", 2]]],
    ]);
    expect(await search("-language:spa", 3, owner)).toEqual([
      4,
      [
        3,
        [
          ["fra", 2],
          ["eng", 1],
        ],
      ],
      [3, [["one", 3]]],
    ]);
    // PostgreSQL reads them in another way if it knows how many there are.
    for (const estimate of [-1, 5, 100]) {
      await estimateDocuments(app, estimate);
      expect(await search("document", 3, owner)).toEqual(await search("", 3, owner));
      expect(await search("document", 2, anonymous)).toEqual(await search("", 2, anonymous));
      expect(await search("document", 5, owner)).toEqual(await search("", 6, owner));
    }
    const named = `id:(${ids.slice(0, 4).join(" OR ")})`;
    expect(await search(named, 3, owner)).toEqual([
      4,
      [
        3,
        [
          ["fra", 2],
          ["eng", 1],
        ],
      ],
      [3, [["one", 3]]],
    ]);
    expect(await search(named, 5, owner)).toEqual([
      4,
      [
        null,
        [
          ["eng", 2],
          ["fra", 2],
        ],
      ],
      [null, [["one", 4]]],
    ]);
  });
});
