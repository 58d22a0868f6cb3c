import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { describingParts } from "../indexed-fields.ts";

const search = "/api/documents/search/";
const query = (parameters: Record<string, string>): string =>
  `${search}?${new URLSearchParams(parameters).toString()}`;
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const day = (number: number): string => `2025-01-0${number}T12:00:00.000000Z`;

/** The members of a result with numbers that can be searched for. */
interface Found {
  id: string;
  user: number;
  organization: number;
  page_count: number;
}

describe.each(engines)("search on %s", (engine) => {
  const app = useApp(engine);
  /** Ids of documents by title. */
  const ids: Record<string, number> = {};
  let open = 0;
  let closed = 0;

  const get = (target: string, person: Person | null = null): Promise<Reply> =>
    sendAs(app, person, "GET", target.startsWith("http") ? target.slice(app.url.length) : target);
  const find = async (
    parameters: Record<string, string>,
    person: Person | null = null,
  ): Promise<Reply["body"]> => {
    const { status, body } = await get(query(parameters), person);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  };
  const titles = async (
    parameters: Record<string, string>,
    person: Person | null = null,
  ): Promise<string[]> =>
    (await find(parameters, person)).results.map(({ title }: { title: string }) => title);

  /** All that the owner finds, by id. */
  const ask = async (q: string): Promise<Found[]> =>
    (await find({ q, sort: "id", per_page: "100" }, owner)).results;

  const within = (id: number | undefined, q: string, person: Person | null = null): Promise<Reply> =>
    get(`/api/documents/${id}/search/?${new URLSearchParams({ q }).toString()}`, person);
  /** Hits in the long document. */
  const hits = async (parameters: Record<string, string>): Promise<Reply["body"]> => {
    const asked = new URLSearchParams({ q: "port", paged: "true", ...parameters }).toString();
    const { status, body } = await get(`/api/documents/${ids["Albums"]}/search/?${asked}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  };
  const lengths = async (per_page: string, person: Person | null, version = "2.0"): Promise<number> =>
    (await titles({ q: "series", per_page, version }, person)).length;

  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  beforeAll(async () => {
    const user_id = owner.id;
    const rows = [
      {
        title: "Harbour report",
        source: "Zürich",
        description: "On dredging",
        page_spec: "612.00x792.00:0-1;300.00x400.00:2",
        pages: [
          "Nothing here",
          "The harbour, the Été: <b>harbour</b> & port",
          `${"far away ".repeat(50)} harbour ${"far away ".repeat(50)} harbour`,
        ],
        data: '{"k":["2","5"],"_tag":["press"]}',
        created_at: day(1),
        page_count: 3,
        user_id,
      },
      {
        title: "Albums",
        source: "b",
        data: '{"k":["3"]}',
        created_at: day(2),
        page_count: 9,
        user_id,
        pages: Array<string>(152).fill("port of call"),
      },
      { title: "Zebra", source: "a", data: '{"k":["1","4"]}', created_at: day(3), page_count: 1 },
      { title: "apple", source: "c", created_at: day(3), page_count: 3 },
      {
        title: "Secret harbour",
        access: "private",
        created_at: day(4),
        page_count: 2,
        user_id,
        pages: ["A hidden harbour"],
      },
      { title: "Shy", noindex: true, created_at: day(5), page_count: 4 },
      { title: "Waiting", status: "pending", created_at: day(6), page_count: 5, page_spec: "", user_id },
    ];
    const all = await addReadDocuments(app.context, rows);
    for (const [index, id] of all.entries()) ids[rows[index]?.title ?? ""] = id;
    open = await addProject(app.context, { title: "Open" }, [ids["Harbour report"] as number]);
    closed = await addProject(app.context, { title: "Closed", private: true }, [
      ids["Harbour report"] as number,
    ]);
  });

  describe("the response", () => {
    it("has all fields, and so have its results", async () => {
      const body = await find({ q: "harbour" });
      expect(Object.keys(body)).toEqual(["count", "next", "previous", "results", "escaped"]);
      expect(body).toMatchObject({ count: 1, next: null, previous: null, escaped: false });
      const [result] = body.results;
      const names = `access asset_url canonical_url created_at data description edit_access file_hash highlights id
        language noindex notes organization original_extension page_count page_spec projects publish_at published_url
        related_article slug source status title updated_at user`;
      expect(Object.keys(result).toSorted()).toEqual(names.split(/\s+/));
      expect(result).toMatchObject({
        id: String(ids["Harbour report"]),
        user: owner.id,
        organization: 1,
        projects: [open],
        page_count: 3,
        page_spec: "612.00x792.00:0",
        data: { k: ["2", "5"], _tag: ["press"] },
        edit_access: false,
        notes: [],
        highlights: null,
      });
      expect((await find({ q: "harbour report" }, owner)).results[0].edit_access).toBe(true);
      expect((await find({ q: "Waiting" }, owner)).results[0].page_spec).toBe("");
    });

    it("may not be cached", async () => {
      expect((await get(query({ q: "harbour" }))).headers.get("cache-control")).toContain("no-cache");
    });

    it("contains only documents that the viewer may see, and documents with noindex only for signed-in viewers", async () => {
      const counts = async (person: Person | null): Promise<number> => (await find({}, person)).count;
      expect([await counts(null), await counts(stranger), await counts(owner)]).toEqual([4, 5, 7]);
      expect(await titles({ q: "shy" })).toEqual([]);
      expect(await titles({ q: "shy" }, stranger)).toEqual(["Shy"]);
      expect((await find({ q: "hidden" })).count).toBe(0);
      expect((await find({ q: "NOT hidden", per_page: "25" }, stranger)).count).toBe(5);
    });

    it("expands references, and leaves out private projects", async () => {
      const { results } = await find({ q: "harbour", expand: "user,organization,projects" });
      expect(results[0]).toMatchObject({
        user: { id: owner.id, username: "owner" },
        organization: { id: 1, name: "Organization 1" },
        projects: [{ id: open, title: "Open" }],
      });
      expect((await find({ q: "harbour", expand: "sections,revisions" })).results[0]).toMatchObject({
        user: owner.id,
        projects: [open],
      });
      expect(await titles({ q: `project:${open}` })).toEqual(["Harbour report"]);
      expect(await titles({ q: `project:${closed}` }, owner)).toEqual([]);
      const collaborator = await addPerson(app.context, {
        username: "one-inside",
        projects: { [closed]: "view" },
      });
      expect(await titles({ q: `project:${closed}` }, collaborator)).toEqual(["Harbour report"]);
    });

    it.each(["container:x", "container:1*", "container:x*", "NOT container:* AND container:1"])(
      "has nothing if no document can be in %s",
      async (q) => {
        expect(await ask(q)).toEqual([]);
      },
    );

    it("reports queries that could only be read as text, and explains how a query was parsed", async () => {
      expect(await find({ q: "harbour (" })).toMatchObject({ count: 1, escaped: true });
      const { escaped, explain } = await find({ q: "user:1 harb*", title: "x", explain: "true" }, owner);
      expect({ escaped, explain }).toEqual({
        escaped: false,
        explain: "(user:[1 TO 1] AND (harb* OR title:x))",
      });
      expect(await find({ q: "harbour", explain: "no" })).not.toHaveProperty("explain");
      // Only signed-in viewers may use wildcards.
      expect((await find({ q: "harb*", explain: "true" })).explain).toBe("harb");
    });

    it("is 400 if a query exceeds the limits", async () => {
      const answer = await get(query({ q: "+x ".repeat(101) }));
      expect(answer).toMatchObject({
        status: 400,
        body: { error: "A query may ask for 100 words", code: "too_much" },
      });
    });

    it("respects both ends of a range of numbers, alone, negated and beside other numbers", async () => {
      const all = await ask("id:[* TO *]");
      const [other, another] = [Number(all[0]?.id), Number(all.at(-1)?.id)];
      for (const field of ["id", "user", "organization", "page_count"] as const) {
        const values = new Set(all.map((one) => Number(one[field])));
        const value = [...values][Math.floor(values.size / 2)] ?? 0;
        for (const [from, to] of [
          [value, value],
          [value - 1, value],
          [value, value + 1],
          [value - 1, value + 1],
        ] as const) {
          for (const [opening, closing] of ["[]", "{}", "[}", "{]"] as const) {
            const range = `${field}:${opening}${from} TO ${to}${closing}`;
            const isWithin = (one: Found): boolean => {
              const own = Number(one[field]);
              const isAfter = opening === "[" ? own >= from : own > from;
              return isAfter && (closing === "]" ? own <= to : own < to);
            };
            const asked: [string, (one: Found) => boolean][] = [
              [range, isWithin],
              [`NOT ${range}`, (one) => !isWithin(one)],
              [`${range} OR id:${other} OR id:${another}`, (one) => isWithin(one) || isOneOf(one)],
              [`NOT (${range} OR id:${other})`, (one) => !isWithin(one) && Number(one.id) !== other],
            ];
            const isOneOf = ({ id }: Found): boolean => [other, another].includes(Number(id));
            for (const [q, matches] of asked) expect([q, await ask(q)]).toEqual([q, all.filter(matches)]);
          }
        }
      }
    });

    it("matches a pattern with every word that it stands for, required or excluded", async () => {
      const words = Array.from({ length: 301 }, (_, index) => `ship${index + 100}x`);
      const own = { title: words.join(" "), access: "private", user_id: owner.id };
      const [id = 0] = await addDocuments(app.context, [own]);
      for (const title of [own.title, words[300] ?? ""]) {
        await app.context.database.write(async (writer) => {
          await writer.updateTable("documents").set({ title }).where("id", "=", id).execute();
          await indexTexts(writer, describingParts(id, { title, source: "", description: "" }));
        });
        for (const pattern of ["s*p*x", "ship40?x", "ship401x~1"]) {
          expect([pattern, (await find({ q: `title:${pattern}` }, owner)).count]).toEqual([pattern, 1]);
          const { count } = await find({ q: `id:${id} NOT title:${pattern}` }, owner);
          expect([pattern, count]).toEqual([pattern, 0]);
        }
      }
      expect((await find({ q: "title:report NOT s*p*x" }, stranger)).count).toBe(1);
    });
  });

  describe("highlights", () => {
    it("are given by page in the original text, only if requested", async () => {
      for (const q of ["harbour", "harbour hl:true"]) {
        const { results } = await find(q === "harbour" ? { q, hl: "True" } : { q });
        expect(results[0].highlights).toEqual({
          page_no_2: ["The <em>harbour</em>, the Été: <b><em>harbour</em></b> & port"],
          page_no_3: [expect.stringMatching(/^(?:\w+ )+ <em>harbour<\/em>(?: \w+)+$/)],
        });
      }
      expect((await find({ q: "harbour hl:true", hl: "false" })).results[0].highlights).toBe(null);
    });

    it("are empty if no page contains the words, and cover the first 150 pages only", async () => {
      expect((await find({ q: "dredging", hl: "true" })).results[0].highlights).toEqual({});
      expect((await find({ q: "title:harbour", hl: "true" })).results[0].highlights).toEqual({});
      expect((await find({ q: "page_no_1:harbour OR harbour", hl: "true" })).count).toBe(1);
      expect((await find({ q: "report NOT port", hl: "true" })).count).toBe(0);
      expect((await find({ q: "report -call", hl: "true" })).results[0].highlights).toEqual({});
      const albums = (await find({ q: "call", hl: "true" })).results[0].highlights;
      const numbers = Array.from({ length: 150 }, (_, index) => index + 1);
      expect(Object.keys(albums)).toEqual(numbers.map((number) => `page_no_${number}`));
    });
  });

  describe("the ordering", () => {
    const shown = ["Harbour report", "Albums", "Zebra", "apple"];
    const of = (...indexes: number[]): (string | undefined)[] => indexes.map((index) => shown[index]);

    it.each([
      ["created_at", of(3, 2, 1, 0)],
      ["-created_at", of(0, 1, 3, 2)],
      ["page_count", of(1, 3, 0, 2)],
      ["-page_count", of(2, 3, 0, 1)],
      ["title", of(1, 0, 2, 3)],
      ["-title", of(3, 2, 0, 1)],
      ["source", of(0, 2, 1, 3)],
      ["-source", of(3, 1, 2, 0)],
      ["id", of(0, 1, 2, 3)],
      ["-id", of(3, 2, 1, 0)],
      ["data_k", of(2, 0, 1, 3)],
      ["-data_k", of(0, 2, 1, 3)],
      ["updated_at", of(3, 2, 1, 0)],
      ["anything", of(3, 2, 1, 0)],
    ])("%s equals DocumentCloud's", async (sort, expected) => {
      expect(await titles({ sort })).toEqual(expected);
      expect(await titles({ order: sort, per_page: "25" })).toEqual(expected);
      expect(await titles({ q: `sort:${sort}` })).toEqual(expected);
      expect(await titles({ q: `order:${sort} *`, sort: "id" }, stranger)).toEqual([
        ...of(0, 1, 2, 3),
        "Shy",
      ]);
    });

    it("puts the best matches first and respects boosts", async () => {
      expect(await titles({ q: "harbour port" })).toEqual(["Harbour report", "Albums"]);
      expect(await titles({ q: "zebra^9 albums" })).toEqual(["Zebra", "Albums"]);
      expect(await titles({ q: "zebra albums^9" })).toEqual(["Albums", "Zebra"]);
      expect(await titles({ q: "zebra albums^9", sort: "-score" })).toEqual(["Albums", "Zebra"]);
    });
  });

  describe("pages of results", () => {
    it("are linked by next, which the last page does not have", async () => {
      const first = await find({ sort: "title", per_page: "3", q: "page_count:[1 TO *]" });
      expect(first).toMatchObject({ count: 4, previous: null });
      const { searchParams, pathname } = new URL(first.next);
      expect([pathname, searchParams.get("sort"), searchParams.get("per_page")]).toEqual([
        search,
        "title",
        "3",
      ]);
      const second = (await get(first.next)).body;
      expect(second).toMatchObject({ count: 4, next: null, previous: null });
      const seen = [...first.results, ...second.results].map(({ title }: { title: string }) => title);
      expect(seen).toEqual(["Albums", "Harbour report", "Zebra", "apple"]);
    });

    it("are numbered in version 1.0", async () => {
      const first = await find({ version: "1.0", per_page: "3", sort: "title" });
      expect([first.count, first.results.length, first.previous]).toEqual([4, 3, null]);
      expect(new URL(first.next).searchParams.get("page")).toBe("2");
      const second = (await get(first.next)).body;
      expect([second.results.length, second.next]).toEqual([1, null]);
      expect(new URL(second.previous).searchParams.get("page")).toBe("1");
      expect(await find({ version: "1.0", page: "99" })).toMatchObject({ count: 4, results: [], next: null });
      for (const odd of ["0", "x", "-3", ""]) {
        expect(await titles({ version: "1.0", page: odd })).toHaveLength(4);
      }
    });

    it("have a limit on their numbers", async () => {
      const asked = query({ version: "1.0", page: "101" });
      const error = "The selected `page` value of 101 is over the limit of 100";
      expect(await get(asked)).toMatchObject({ status: 400, body: { error, code: "max_page" } });
      expect((await get(asked, owner)).status).toBe(200);
      expect((await get(query({ version: "1.0", page: "1001" }), owner)).status).toBe(400);
    });

    it("have the requested length, up to the viewer's limit", async () => {
      await addDocuments(
        app.context,
        Array.from({ length: 101 }, (_, index) => ({ title: "Series", source: `${index}`, user_id: 2 })),
      );
      for (const unusual of ["0", "-1", "x", "", "1e1"]) expect(await lengths(unusual, null)).toBe(25);
      expect(await lengths("7", null)).toBe(7);
      expect(await lengths("26", null)).toBe(25);
      expect(await lengths("26", owner)).toBe(26);
      expect(await lengths("1000", owner)).toBe(101);
      expect(await lengths("999999999", owner)).toBe(101);
      expect(await lengths("101", owner, "1.0")).toBe(100);
    });

    it("return 404 for an invalid cursor", async () => {
      expect(await titles({ q: "report", cursor: "*" })).toEqual(["Harbour report"]);
      for (const cursor of [
        "x",
        encoded({}),
        encoded([1]),
        encoded([[], day(1), 1]),
        encoded([1, day(1), "1"]),
      ]) {
        expect(await get(query({ cursor }))).toMatchObject({
          status: 404,
          body: { detail: "Invalid cursor" },
        });
      }
    });

    it("return 400 for a blank id", async () => {
      for (const id of ["", "(", " ) "]) {
        expect(await get(query({ q: "harbour", id }))).toMatchObject({
          status: 400,
          body: { code: "max_page" },
        });
      }
    });

    it("have a cursor that never causes a server error in another ordering", async () => {
      const sorts = ["title", "data_k", "created_at", "page_count", "id", "score"];
      for (const original of sorts) {
        const { next } = await find({ q: "series OR harbour", sort: original, per_page: "1" });
        const cursor = new URL(next).searchParams.get("cursor") ?? "";
        for (const sort of sorts) {
          const { status, body } = await get(query({ q: "series OR harbour", sort, cursor }));
          expect([original, sort, status, body]).toEqual([
            original,
            sort,
            expect.toBeOneOf([200, 404]),
            body,
          ]);
        }
      }
    });
  });

  describe("within one document", () => {
    it("finds the pages that contain the words, with highlights", async () => {
      expect((await within(ids["Harbour report"], "harbour")).body).toEqual({
        page_no_2: [expect.stringContaining("<em>harbour</em>")],
        page_no_3: [expect.stringContaining("<em>harbour</em>"), expect.stringContaining("<em>harbour</em>")],
      });
      expect((await within(ids["Harbour report"], "ete AND nothing")).body).toEqual({
        page_no_1: ["<em>Nothing</em> here"],
        page_no_2: [expect.stringContaining("<em>Été</em>")],
      });
      expect(Object.keys((await within(ids["Albums"], "port")).body)).toHaveLength(152);
      for (const q of ["", "absent", "title:harbour", "NOT absent"]) {
        expect(await within(ids["Harbour report"], q)).toMatchObject({ status: 200, body: {} });
      }
      expect((await get(`/api/documents/${ids["Harbour report"]}/search/`)).body).toEqual({});
    });

    it("lists all matching pages, a few at a time, with their number", async () => {
      const numbers: number[] = [];
      let [at, pages] = [await hits({ per_page: "60" }), 1];
      expect(at).toMatchObject({ count: 152, previous: null });
      for (;;) {
        for (const { page_number, fragments } of at.results) {
          numbers.push(page_number);
          expect(fragments).toEqual([expect.stringContaining("<em>")]);
        }
        if (at.next === null) break;
        at = (await get(at.next)).body;
        pages += 1;
      }
      expect([numbers, pages]).toEqual([Array.from({ length: 152 }, (_, index) => index), 3]);
      expect(await hits({ page: "4", per_page: "60" })).toMatchObject({
        count: 152,
        results: [],
        next: null,
      });
      expect((await hits({ per_page: "1000" })).results).toHaveLength(100);
      expect((await hits({ page: "0" })).results).toHaveLength(25);
      expect(await hits({ q: "port NOT port" })).toMatchObject({ count: 0, results: [], next: null });
    });

    it("finds nothing in a document that does not match the query", async () => {
      const shown = Object.keys((await within(ids["Harbour report"], "harbour")).body);
      const asked: Record<string, boolean> = {
        "harbour AND nothing": true,
        "harbour AND absent": false,
        "+harbour +absent": false,
        "harbour -absent": true,
        "harbour NOT nothing": false,
        "harbour AND access:public": true,
        "access:private harbour": false,
        "page_count:3 harbour": true,
        "page_count:[4 TO *] harbour": false,
        "harbour AND title:report": true,
        "harbour AND tag:press": true,
        "harbour AND NOT tag:press": false,
      };
      for (const [q, isFound] of Object.entries(asked)) {
        const found = Object.keys((await within(ids["Harbour report"], q)).body);
        expect([q, found.filter((name) => shown.includes(name))]).toEqual([q, isFound ? shown : []]);
      }
    });

    it("returns 404 to viewers who may not see the document", async () => {
      for (const person of [null, stranger]) {
        expect((await within(ids["Secret harbour"], "harbour", person)).status).toBe(404);
      }
      expect((await within(999_999, "harbour", owner)).status).toBe(404);
      expect((await within(ids["Secret harbour"], "harbour", owner)).body).toEqual({
        page_no_1: ["A hidden <em>harbour</em>"],
      });
    });
  });
});
