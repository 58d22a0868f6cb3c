import * as fc from "fast-check";
import { SaxesParser } from "saxes";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { sendAs } from "../../testing/requests.ts";
import { runs } from "../../testing/runs.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { anyText } from "../../testing/texts.ts";
import { renderFeed } from "./feed.ts";

/** The texts of the elements with this name. Throws if the document is not well-formed. */
function textsIn(xml: string, name: string): string[] {
  const texts: string[] = [];
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", (tag) => {
    open.push(tag.name);
    if (tag.name === name) texts.push("");
  });
  parser.on("text", (text) => {
    if (open.at(-1) === name) texts[texts.length - 1] += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
  return texts;
}

const at = (day: number): string => `2026-01-${day}T12:00:00.000000Z`;

const unescaped = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));

describe.each(defaultEngines)("the sitemap and the feed on %s", (engine) => {
  const app = useApp(engine);
  const many = 520;
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    await addDocuments(app.context, [
      ...Array.from({ length: many }, (_, index) => ({ id: 1000 + index, slug: `d-${index}` })),
      { id: 1, access: "private" },
      { id: 2, noindex: true, created_at: at(31) },
      { id: 3, admin_noindex: true },
      { id: 4, status: "pending" },
      {
        id: 50_000,
        slug: "last-of-one",
        title: "Cod & <Herring>\u0001",
        created_at: at(30),
        page_count: 2,
        language: "deu",
      },
      { id: 50_001, slug: "first-of-two", description: "<b>Cod</b> &amp; chips", created_at: at(29) },
      { id: 150_001, slug: "é?&", created_at: at(28), language: "aze_cyrl" },
    ]);
  });

  const xml = async (target: string): Promise<string> => {
    const answer = await app.fetch(target);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    return answer.text();
  };

  it("are linked where programs look for them", async () => {
    const robots = await app.fetch("/robots.txt");
    expect(robots.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await robots.text()).split("\n")).toContain(`Sitemap: ${app.url}/sitemap.xml`);
    expect(await xml("/")).toContain(`type="application/atom+xml"`);
    expect(await xml("/documents/50000-last-of-one/")).toContain(`href="${app.url}/documents/feed.atom"`);
  });

  it("list every public document that search engines may show, once", async () => {
    const parts = textsIn(await xml("/sitemap.xml"), "loc");
    expect(parts).toEqual([1, 2, 4].map((part) => `${app.url}/sitemap-${part}.xml`));
    const found = await Promise.all(
      parts.map(async (part) => textsIn(await xml(part.slice(app.url.length)), "loc")),
    );
    const expected = [
      ...Array.from({ length: many }, (_, index) => `${1000 + index}-d-${index}`),
      "50000-last-of-one",
      "50001-first-of-two",
      `150001-${encodeURIComponent("é?&")}`,
    ];
    expect(found.flat()).toEqual(expected.map((name) => `${app.url}/documents/${name}/`));
    for (const address of [found[0]?.at(-1), found[1]?.[0], found[2]?.[0]]) {
      expect((await fetch(address ?? "")).status).toBe(200);
    }
    for (const part of ["0", "3", "5", "x", "01000000"]) {
      expect([part, (await app.fetch(`/sitemap-${part}.xml`)).status]).toEqual([part, 404]);
    }
    expect((await app.fetch("/sitemap-1.xml", { method: "HEAD" })).status).toBe(200);
  });

  it("show the newest documents, and the same ones to everyone", async () => {
    const feed = await xml("/documents/feed.atom");
    expect(textsIn(feed, "title").slice(0, 3)).toEqual([
      "New documents – Quire",
      "Cod & <Herring>\ufffd",
      "A document",
    ]);
    const addresses = ["50000-last-of-one", "50001-first-of-two", `150001-${encodeURIComponent("é?&")}`];
    expect(textsIn(feed, "id").slice(0, 4)).toEqual([
      `${app.url}/documents/feed.atom`,
      ...addresses.map((name) => `${app.url}/documents/${Number.parseInt(name, 10)}/`),
    ]);
    for (const name of addresses) expect(feed).toContain(`href="${app.url}/documents/${name}/"`);
    expect(feed).toContain('<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">');
    expect(
      feed
        .match(/<entry[^>]*>/g)
        ?.slice(0, 3)
        .map((tag) => /xml:lang="(.*)"/.exec(tag)?.[1]),
    ).toEqual(["de", "en", undefined]);
    expect(textsIn(feed, "summary")).toContain("Cod & chips");
    expect(textsIn(feed, "entry")).toHaveLength(49);
    const signedIn = await app.fetch("/documents/feed.atom", { headers: owner.headers });
    expect(await signedIn.text()).toBe(feed);
    const etag = signedIn.headers.get("etag") ?? "";
    const again = await app.fetch("/documents/feed.atom", { headers: { "if-none-match": etag } });
    expect([again.status, again.headers.get("content-type")]).toEqual([304, null]);
  });

  it("show what a search finds, or what a project or an organization has, among the public documents", async () => {
    const [shown = 0, hidden = 0] = await addDocuments(app.context, [
      { title: "Kelp", slug: "kelp", organization_id: 2 },
      { title: "Kelp", slug: "kelp", organization_id: 2, access: "private" },
    ]);
    const project = await addProject(app.context, { title: "Sea" }, [shown, hidden]);
    const secret = await addProject(app.context, { title: "Deep", private: true }, [shown]);
    const page = await xml(`/projects/${project}-a-project/`);
    expect(page).toContain(`href="${app.url}/documents/feed.atom?project=${project}"`);
    expect(await xml("/?q=kelp%20%26")).toContain(`href="${app.url}/documents/feed.atom?q=kelp%20%26"`);
    for (const query of ["?q=kelp", "?organization=2", `?project=${project}`, `?q=projects:${project}`]) {
      const ids = textsIn(await xml(`/documents/feed.atom${query}&x=1`), "id");
      expect([query, ids.slice(1)]).toEqual([query, [`${app.url}/documents/${shown}/`]]);
    }
    expect((await app.fetch(`/documents/feed.atom?project=${secret}`)).status).toBe(
      (await app.fetch("/documents/feed.atom?project=999999")).status,
    );
  });

  it("reflect changes at once", async () => {
    await addDocuments(app.context, [
      { id: 60_000, slug: "new", user_id: owner.id, created_at: "2027-01-01T00:00:00.000000Z" },
    ]);
    expect(await xml("/documents/feed.atom")).toContain("/documents/60000-new/");
    expect(await xml("/sitemap-2.xml")).toContain("/documents/60000-new/");
    expect((await sendAs(app, owner, "DELETE", "/api/documents/60000/")).status).toBe(204);
    expect(await xml("/documents/feed.atom")).not.toContain("/documents/60000-new/");
    expect(await xml("/sitemap-2.xml")).not.toContain("/documents/60000-new/");
  });
});

describe("a feed", () => {
  it("is well-formed, whatever the texts of its documents are", () => {
    const addresses = { api: "https://a.org", web: "https://a.org", assets: "https://a.org/files/" };
    fc.assert(
      fc.property(anyText, anyText, anyText, (title, description, organization) => {
        const href = "https://a.org/documents/1-a/";
        const moment = "2025-01-31T12:00:00.000000Z";
        const times = { createdAt: moment, updatedAt: moment };
        const entry = {
          id: href,
          title,
          href,
          language: "en",
          ...times,
          organization,
          description,
          image: null,
        };
        expect(
          textsIn(renderFeed(addresses, { words: "", query: "" }, [entry, entry]), "entry"),
        ).toHaveLength(2);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("the head of a document's page", () => {
  const app = useApp("sqlite");
  let nextId = 987_654_000;
  const owner = app.person("owner", { organizations: [1] });

  async function headOf(row: Parameters<typeof addDocuments>[1][number]): Promise<{
    meta: Record<string, string>;
    links: string[];
    robots: string | null;
  }> {
    nextId += 1;
    const id = nextId;
    await addDocuments(app.context, [{ id, slug: "a", user_id: owner.id, ...row }]);
    const answer = await app.fetch(`/documents/${id}-a/`, { headers: owner.headers });
    expect(answer.status).toBe(200);
    const page = (await answer.text()).replaceAll(String(id), "ID");
    const meta = Array.from(
      page.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g),
      ([, name = "", value = ""]): [string, string] => [name, unescaped(value)],
    );
    const links = Array.from(
      page.matchAll(/<link\s+rel="alternate"[^>]*href="([^"]*)"/g),
      ([, href = ""]) => href,
    );
    return { meta: Object.fromEntries(meta), links, robots: answer.headers.get("x-robots-tag") };
  }

  it("has a card with the first page, for a public document", async () => {
    const { meta, links, robots } = await headOf({
      title: 'Cod & "Herring"',
      description: `<p>${"Many words. ".repeat(40)}</p>`,
      page_count: 2,
      page_spec: "600.00x900.00:0-1",
    });
    expect(meta).toMatchObject({
      "og:type": "article",
      "og:title": 'Cod & "Herring"',
      "og:url": `${app.url}/documents/ID-a/`,
      "og:image": `${app.url}/files/documents/ID/pages/a-p1-large.gif`,
      "og:image:width": "1000",
      "og:image:height": "1500",
      "twitter:card": "summary_large_image",
      description: expect.stringMatching(/^Many words\. .{200,290}…$/),
    });
    expect(links).toEqual(
      expect.arrayContaining([`${app.url}/iiif/ID/manifest.json`, `${app.url}/documents/feed.atom`]),
    );
    expect(links.some((href) => href.includes("/api/oembed/?url="))).toBe(true);
    expect(robots).toBeNull();
  });

  it("has no card for a document that is not public, and a robots directive if the record asks for one", async () => {
    const hidden = await headOf({ access: "private", page_count: 1, description: "Secret" });
    expect(Object.keys(hidden.meta).filter((name) => /^og:|^twitter:|^description/.test(name))).toEqual([]);
    const { meta, robots } = await headOf({ noindex: true, page_count: 0 });
    expect([meta["robots"], robots]).toEqual(["noindex", "noindex"]);
    expect([meta["og:image"], meta["twitter:card"]]).toEqual([undefined, "summary"]);
  });
});
