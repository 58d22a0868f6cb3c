import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../src/testing/factories.ts";
import { type DocumentJson, answerAt, idsAt, idsOf, pageAt } from "../src/testing/lists.ts";
import { type TestApp, defaultEngines, startTestApp, useApp } from "../src/testing/test-app.ts";

/** The promises of the list to its readers, a test for each. */

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const integer = expect.toSatisfy(Number.isInteger);
const fields: Record<keyof DocumentJson, unknown> = {
  id: integer,
  access: expect.any(String),
  admin_noindex: expect.any(Boolean),
  asset_url: expect.stringMatching(/^https?:\/\/.+\/$/),
  canonical_url: expect.stringMatching(/^https?:\/\/[^/]+\/documents\/\d+-[^/]+\/$/),
  created_at: expect.stringMatching(moment),
  data: expect.any(Object),
  description: expect.any(String),
  edit_access: expect.any(Boolean),
  file_hash: expect.stringMatching(/^([0-9a-f]{40})?$/),
  noindex: expect.any(Boolean),
  language: expect.stringMatching(/^[a-z]{3}$/),
  organization: integer,
  original_extension: expect.any(String),
  page_count: integer,
  page_spec: expect.any(String),
  projects: expect.any(Array),
  publish_at: null,
  published_url: expect.any(String),
  related_article: expect.any(String),
  revision_control: expect.any(Boolean),
  slug: expect.any(String),
  source: expect.any(String),
  status: expect.any(String),
  title: expect.any(String),
  updated_at: expect.stringMatching(moment),
  user: integer,
};

const hash = "0123456789abcdef0123456789abcdef01234567";

/** Sixty documents that everyone may see, among others that are hidden. */
async function fill(app: TestApp): Promise<number[]> {
  const ids = await addDocuments(
    app.context,
    Array.from({ length: 90 }, (_, index) => ({
      access: index % 3 === 1 ? "private" : "public",
      title: `Document ${index}`,
      slug: `document-${index}`,
    })),
  );
  return ids.filter((_, index) => index % 3 !== 1);
}

describe.each(defaultEngines)("GET {base_url}/api/documents/ on %s", (engine) => {
  const app = useApp(engine);
  let visible: number[];
  let described: number;
  let projects: number[];
  beforeAll(async () => {
    visible = await fill(app);
    [described = 0] = await addDocuments(app.context, [
      {
        created_at: "2025-09-24T16:09:01.460974Z",
        updated_at: "2025-09-24T16:09:01.000001Z",
        data: JSON.stringify({ email: ["a@b.org", "c@d.org"], cid: ["7"], sidekick_score: [] }),
        description: "What it is",
        file_hash: hash,
        language: "spa",
        organization_id: 2,
        original_extension: "xlsx",
        page_count: 3,
        page_spec: "612.00x792.00:0,2;792.00x612.00:1",
        published_url: "https://news.org/a",
        related_article: "https://news.org/b",
        slug: "a-budget",
        source: "The council",
        status: "readable",
        title: "A “budget” <2025>",
        user_id: 2,
      },
    ]);
    visible.push(described);
    projects = [
      await addProject(app.context, {}, [described]),
      await addProject(app.context, { private: true }, [described]),
      await addProject(app.context, {}, [described]),
    ];
  });

  describe("the document record", () => {
    it("rule 1: has every field, exactly these, in this order", async () => {
      for (const record of (await pageAt(app, "/api/documents/?per_page=1000")).results)
        expect(Object.keys(record)).toEqual(Object.keys(fields));
    });

    it("has each field in its type and format", async () => {
      const { results } = await pageAt(app, "/api/documents/?per_page=1000");
      expect(results).toHaveLength(visible.length);
      for (const record of results) expect(record).toEqual(fields);
    });

    it("rule 2: names organization, user and projects by bare integers", async () => {
      const [record] = (await pageAt(app, `/api/documents/?id__in=${described}`)).results;
      expect(record).toMatchObject({ organization: 2, user: 2, projects: [projects[0], projects[2]] });
      const [other] = (await pageAt(app, `/api/documents/?id__in=${visible[0]}`)).results;
      expect(other).toMatchObject({ organization: 1, user: 1, projects: [] });
    });

    it("has the values that were stored, with timestamps to the microsecond", async () => {
      const [record] = (await pageAt(app, `/api/documents/?id__in=${described}`)).results;
      expect(record).toEqual({
        id: described,
        access: "public",
        admin_noindex: false,
        asset_url: `${app.url}/files/`,
        canonical_url: `${app.url}/documents/${described}-a-budget/`,
        created_at: "2025-09-24T16:09:01.460974Z",
        data: { email: ["a@b.org", "c@d.org"], cid: ["7"], sidekick_score: [] },
        description: "What it is",
        edit_access: false,
        file_hash: hash,
        noindex: false,
        language: "spa",
        organization: 2,
        original_extension: "xlsx",
        page_count: 3,
        page_spec: "612.00x792.00:0,2;792.00x612.00:1",
        projects: [projects[0], projects[2]],
        publish_at: null,
        published_url: "https://news.org/a",
        related_article: "https://news.org/b",
        revision_control: false,
        slug: "a-budget",
        source: "The council",
        status: "readable",
        title: "A “budget” <2025>",
        updated_at: "2025-09-24T16:09:01.000001Z",
        user: 2,
      });
    });
  });

  describe("the answer", () => {
    it("has status 200 and the four headers, to the letter", async () => {
      for (const address of [
        "/api/documents/",
        "/api/documents/",
        "/api/documents/",
        "/api/documents/?format=json",
      ]) {
        const answer = await answerAt(app, address);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("allow")).toBe("GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS");
        expect(answer.headers.get("cache-control")).toBe("no-cache");
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(answer.headers.get("vary")).toBe("Accept");
        await answer.text();
      }
    });

    it("has exactly the members next, previous and results, in this order", async () => {
      const page = await pageAt(app, "/api/documents/");
      expect(Object.keys(page)).toEqual(["next", "previous", "results"]);
    });

    it("rule 1: has no total count", async () => {
      for (const address of ["/api/documents/", "/api/documents/?page=1", "/api/documents/?per_page=1"])
        expect(await pageAt(app, address)).not.toHaveProperty("count");
    });

    it("rule 2: has records in ascending order of ids, which need not be consecutive", async () => {
      const ids = await idsAt(app, "/api/documents/?per_page=1000");
      expect(ids).toEqual(visible);
      expect(ids.toSorted((one, other) => one - other)).toEqual(ids);
    });
  });

  describe("the links", () => {
    it("are absolute, and have cursor, format and page, in this order", async () => {
      const first = await pageAt(app, "/api/documents/?page=3&format=json&per_page=20");
      expect(first.next).toMatch(/^http/);
      const { next, previous } = await pageAt(app, "/api/documents/?page=3&format=json&cursor=cD0yMA%3D%3D");
      const base = `${app.url}/api/documents/`;
      expect(next).toMatch(/^[^?]+\?cursor=[\w%]+&format=json&page=3$/);
      expect(previous).toMatch(/^[^?]+\?cursor=[\w%]+&format=json&page=3$/);
      expect(next?.startsWith(base)).toBe(true);
      expect(previous?.startsWith(base)).toBe(true);
    });

    it.each([
      ["", /^\?cursor=[\w%]+$/],
      ["?format=json", /^\?cursor=[\w%]+&format=json$/],
      ["?page=7", /^\?cursor=[\w%]+&page=7$/],
      ["?page=last&format=json", /^\?cursor=[\w%]+&format=json&page=last$/],
      ["?page=", /^\?cursor=[\w%]+&page=$/],
    ])("rule 3: carry format and page as the request %j has them, and no other", async (query, expected) => {
      let address: string | null = `/api/documents/${query}`;
      for (let page = 0; page < 2; page++) {
        const { next }: { next: string | null } = await pageAt(app, address ?? "");
        expect(new URL(next ?? "").search).toMatch(expected);
        address = next;
      }
      const { previous } = await pageAt(app, address ?? "");
      expect(new URL(previous ?? "").search).toMatch(expected);
    });

    it("rule 4: lead on to larger ids, and back to the page before", async () => {
      const first = await pageAt(app, "/api/documents/");
      const second = await pageAt(app, first.next ?? "");
      const third = await pageAt(app, second.next ?? "");
      expect([first, second, third].flatMap(idsOf)).toEqual(visible);
      expect(idsOf(await pageAt(app, third.previous ?? ""))).toEqual(idsOf(second));
      expect(await pageAt(app, second.previous ?? "")).toEqual(first);
    });

    it("are null at the ends of the list", async () => {
      const first = await pageAt(app, "/api/documents/");
      expect(first.previous).toBeNull();
      const last = await pageAt(app, "/api/documents/?cursor=cj0x");
      expect(last.next).toBeNull();
      expect(idsOf(last)).toEqual(visible.slice(-25));
      expect(await pageAt(app, "/api/documents/?per_page=1000")).toMatchObject({
        next: null,
        previous: null,
      });
    });

    it("keep every other parameter, sorted by name", async () => {
      const { next } = await pageAt(app, "/api/documents/?zzz=1&user=1,2&a=b%20c&per_page=2&zzz=0&b=");
      expect(new URL(next ?? "").search).toMatch(
        /^\?a=b\+c&b=&cursor=[\w%]+&per_page=2&user=1%2C2&zzz=1&zzz=0$/,
      );
    });
  });

  describe("the page", () => {
    it("has 25 records by default", async () => {
      expect(await idsAt(app, "/api/documents/")).toEqual(visible.slice(0, 25));
    });

    it.each([
      ["1", 1],
      ["60", 60],
      ["1000", 61],
      ["1001", 61],
      ["0", 25],
      ["-3", 25],
      ["", 25],
      ["many", 25],
    ])("with per_page=%s has %i of 61", async (text, expected) => {
      const page = await pageAt(app, `/api/documents/?per_page=${text}`);
      expect(page.results).toHaveLength(expected);
      expect(page.next ?? `&per_page=${text}`).toContain(`&per_page=${text}`);
    });

    it("ignores the parameter page", async () => {
      expect(await idsAt(app, "/api/documents/?page=2")).toEqual(visible.slice(0, 25));
    });
  });

  it("allows the methods that it names", async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
      const answer = await answerAt(app, "/api/documents/", { method });
      expect(answer.status).not.toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS");
    }
  });

  it("shows an empty list as an empty page", async () => {
    expect(await pageAt(app, "/api/documents/?id__in=0")).toEqual({
      next: null,
      previous: null,
      results: [],
    });
  });
});

describe.each(defaultEngines)("a page with more records than the maximum on %s", (engine) => {
  it("has 1000", async () => {
    await using app = await startTestApp(engine);
    await addDocuments(
      app.context,
      Array.from({ length: 1001 }, () => ({})),
    );
    expect(await idsAt(app, "/api/documents/?per_page=1001")).toHaveLength(1000);
    expect(await idsAt(app, "/api/documents/?per_page=99999999999999999999")).toHaveLength(1000);
  });
});
