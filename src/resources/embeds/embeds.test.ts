import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import type { Person } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, startTestApp, useApp } from "../../testing/test-app.ts";

describe.each(defaultEngines)("oEmbed on %s", (engine) => {
  const app = useApp(engine);
  let [shown, hidden, project] = [0, 0, 0];
  let note = 0;
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const documents = [
      {
        title: 'Cod & "Herring"',
        slug: "cod-herring",
        page_count: 2,
        page_spec: "600.00x800.00:0;800.00x400.00:1",
      },
      { access: "private", title: "Secret" },
    ];
    [shown = 0, hidden = 0] = await addDocuments(app.context, documents);
    project = await addProject(app.context, { title: "Fish", slug: "fish" }, [shown]);
    const value = { title: "Look", content: "<b>here</b><script>", page_number: 1, access: "public" };
    const box = { x1: 0.25, x2: 0.75, y1: 0, y2: 0.5 };
    const made = await sendAs(app, owner, "POST", `/api/documents/${shown}/notes/`, { ...value, ...box });
    note = made.body.id;
  });

  async function embed(url: string, more: Record<string, string> = {}, person: Person | null = null) {
    const query = new URLSearchParams({ url, ...more }).toString();
    return sendAs(app, person, "GET", `/api/oembed/?${query}`);
  }
  it("returns a frame that shows the document, page, note or project", async () => {
    const about = {
      version: "1.0",
      type: "rich",
      provider_name: "Quire",
      provider_url: app.url,
      cache_age: 300,
    };
    const expected = [
      [
        `/documents/${shown}-cod-herring/?lang=no`,
        { width: 600, height: 800 },
        `/documents/${shown}-cod-herring/?embed=1&lang=no`,
      ],
      [`/api/documents/${shown}/`, { width: 600, height: 800 }, `/documents/${shown}-cod-herring/?embed=1`],
      [
        `/documents/${shown}-cod-herring/#document/p2`,
        { width: 800, height: 400 },
        `/documents/${shown}/pages/2/?embed=1`,
      ],
      [
        `/documents/${shown}/pages/2.html`,
        { width: 800, height: 400 },
        `/documents/${shown}/pages/2/?embed=1`,
      ],
      [
        `/documents/${shown}-x/#document/p2/a${note}`,
        { width: 400, height: 300 },
        `/documents/${shown}/annotations/${note}/?embed=1`,
      ],
      [`/projects/${project}-fish/`, { width: 500, height: 500 }, `/projects/${project}-fish/?embed=1`],
      [`/projects/fish-${project}/`, { width: 500, height: 500 }, `/projects/${project}-fish/?embed=1`],
      [`/api/projects/${project}/`, { width: 500, height: 500 }, `/projects/${project}-fish/?embed=1`],
    ] as const;
    for (const [address, size, source] of expected) {
      const { status, body } = await embed(`${app.url}${address}`);
      expect([address, status]).toEqual([address, 200]);
      expect(body).toMatchObject({ ...about, ...size });
      expect(sourceIn(body.html)).toBe(`${app.url}${source}`);
    }
    const { body } = await embed(`${app.url}/documents/${shown}-cod-herring/`);
    expect(body.title).toBe('Cod & "Herring"');
    expect(body.html).toContain('title="Cod &#38; &#34;Herring&#34; (Hosted by Quire)"');
  });

  it("distinguishes a project's id from numbers in its slug, in either order", async () => {
    const added: number[] = [];
    for (const [title, slug] of [
      ["One", "budget-2024"],
      ["Two", "2024-budget"],
      ["Three", "2024"],
      ["Four", ""],
    ] as const) {
      added.push(await addProject(app.context, { title, slug }, [shown]));
    }
    const [one = 0, two = 0, three = 0, four = 0] = added;
    const other = await addProject(app.context, { title: "Another", slug: `${three}-x-${one}` }, [shown]);
    const hiddenOne = await addProject(app.context, { title: "Hidden", slug: "hidden", private: true }, [
      shown,
    ]);
    for (const [name, title] of [
      [`${one}-budget-2024`, "One"],
      [`budget-2024-${one}`, "One"],
      [`${two}-2024-budget`, "Two"],
      [`2024-budget-${two}`, "Two"],
      [`${three}-2024`, "Three"],
      [`2024-${three}`, "Three"],
      [`${four}`, "Four"],
      [`${other}-${three}-x-${one}`, "Another"],
      [`${three}-x-${one}-${other}`, "Another"],
      [`${one}-${two}`, "One"],
      [`a-wrong-slug-${two}`, "Two"],
      [`${hiddenOne}-hidden-${one}`, null],
    ] as const) {
      const { status, body } = await embed(`${app.url}/projects/${name}/`);
      expect([name, status, body.title ?? null]).toEqual([name, title === null ? 404 : 200, title]);
      const page = await app.fetch(`/projects/${name}/`);
      expect([name, page.status]).toEqual([name, status]);
      if (title === null) continue;
      expect(await page.text()).toContain(`<h1 dir="auto">${title}</h1>`);
      const source = sourceIn(body.html);
      expect(source).toMatch(/\/projects\/\d+(-[^/]+)?\/\?embed=1$/);
      expect(await (await fetch(source)).text()).toContain(`<h1 dir="auto">${title}</h1>`);
    }
  });

  it("returns frames with the same styles as DocumentCloud's", async () => {
    const filling = "width: 100%; height: 100%; aspect-ratio: ";
    for (const [path, style, isWhole] of [
      ["/", `border: 1px solid #d8dee2; border-radius: 0.5rem; ${filling}600 / 800;`, true],
      ["/pages/2/", `border: none; ${filling}800 / 400;`, false],
      [`/annotations/${note}/`, "border: none; width: 100%; height: 300px;", false],
    ] as const) {
      const { body } = await embed(`${app.url}/documents/${shown}${path}`);
      expect(body.html).toContain(` style="${style}" `);
      expect(body.html.includes('allow="fullscreen" data-source="oembed"')).toBe(isWhole);
      expect(body.html).toMatch(/^<iframe [^<>]*><\/iframe>\n$/);
    }
    const { body } = await embed(`${app.url}/projects/${project}/`);
    expect(body.html).toContain(' width="500" height="500" style="border: 1px solid #aaa;" ');
  });

  it("is linked by the pages that can be embedded", async () => {
    const pages = [
      [`/documents/${shown}-cod-herring/`, 'Cod & "Herring"'],
      [`/embed/documents/${shown}/`, 'Cod & "Herring"'],
      [`/documents/${shown}/pages/2/`, 'Cod & "Herring"'],
      [`/documents/${shown}/annotations/${note}/`, "Look"],
      [`/projects/${project}-fish/`, "Fish"],
      [`/projects/fish-${project}/`, "Fish"],
    ] as const;
    for (const [path, title] of pages) {
      const link = /<link[^>]*json\+oembed[^>]*>/.exec(await (await app.fetch(path)).text())?.[0] ?? "";
      const text = link.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
      expect(link.startsWith('<link rel="alternate" type="application/json+oembed" href="')).toBe(true);
      expect([path, text.endsWith(` title="${title}" />`)]).toEqual([path, true]);
      const href = /href="([^"]*)"/.exec(text)?.[1] ?? "";
      expect(href.startsWith(`${app.url}/api/oembed/?url=`)).toBe(true);
      const { status, body } = await sendAs(app, null, "GET", href.slice(app.url.length));
      expect([path, status, body.title]).toEqual([path, 200, title]);
    }
    for (const path of ["/", "/sign-in/", `/documents/${hidden}-secret/`])
      expect(await (await app.fetch(path)).text()).not.toContain("json+oembed");
  });

  it("responds the same with and without a trailing slash", async () => {
    const query = `?url=${encodeURIComponent(`${app.url}/documents/${shown}-cod-herring/`)}&maxwidth=300`;
    const answers = [];
    for (const path of ["/api/oembed/", "/api/oembed", "/api/oembed.json"]) {
      const answer = await app.fetch(path + query, { redirect: "manual" });
      answers.push([answer.status, await answer.text()]);
    }
    expect(answers[0]).toMatchObject([200, expect.stringContaining('"width":300')]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect((await sendAs(app, null, "POST", "/api/oembed", {})).status).toBe(403);
    expect((await sendAs(app, owner, "POST", "/api/oembed", {})).status).toBe(405);
  });

  it.each([
    [{ maxwidth: "300" }, { width: 300, height: 400 }],
    [{ maxheight: "400" }, { width: 300, height: 400 }],
    [
      { maxwidth: "300", maxheight: "100" },
      { width: 300, height: 100 },
    ],
    [
      { maxwidth: "wide", maxheight: "-5" },
      { width: 600, height: 800 },
    ],
  ])("returns a frame of the size for %j", async (limits, size) => {
    expect((await embed(`${app.url}/documents/${shown}/`, limits)).body).toMatchObject(size);
  });

  it("tells editors the size of a note's frame, and that there is no XML", async () => {
    const address = `${app.url}/documents/${shown}/annotations/${note}/`;
    const { body } = await embed(address, { maxwidth: "250", maxheight: "200" });
    expect(body).toMatchObject({ width: 250, height: 200 });
    for (const path of ["/api/oembed/", "/api/oembed", "/api/oembed.json"]) {
      const target = `${path}?format=xml&url=${encodeURIComponent(address)}`;
      expect([path, (await sendAs(app, null, "GET", target)).status]).toEqual([path, 501]);
      expect((await sendAs(app, null, "GET", target.replace("xml", "json"))).status).toBe(200);
    }
  });

  it("returns 404 for foreign addresses and for missing or hidden objects", async () => {
    const others = [
      "https://example.org/documents/1/",
      `${app.url}/documents/999/`,
      `${app.url}/nonsense/`,
      "x",
    ];
    for (const url of [
      ...others,
      `${app.url}/documents/${hidden}/`,
      `${app.url}/documents/${shown}/pages/3/`,
    ]) {
      expect([url, await embed(url)]).toMatchObject([url, { status: 404, body: { detail: "Not found." } }]);
    }
    expect(await sendAs(app, null, "GET", "/api/oembed/")).toMatchObject({
      status: 400,
      body: { error: "url required" },
    });
    expect((await embed(`${app.url}/documents/${hidden}/`, {}, owner)).status).toBe(404);
  });

  it("embeds pages that any site may frame, while all other pages refuse framing", async () => {
    const pages = [
      `/embed/documents/${shown}/`,
      `/documents/${shown}/pages/2/?embed=1`,
      `/documents/${shown}/annotations/${note}/?embed=1`,
    ];
    for (const path of pages) {
      const answer = await app.fetch(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors *");
      const markup = await answer.text();
      expect(markup).toContain('data-viewer="embedded"');
      expect(markup).not.toContain("<header");
    }
    expect(await (await app.fetch(pages[2] ?? "")).text()).toContain("<b>here</b>");
    const listed = await app.fetch(`/projects/fish-${project}/?embed=1`);
    expect(listed.headers.get("content-security-policy")).toContain("frame-ancestors *");
    expect(await listed.text()).toContain(`/documents/${shown}-cod-herring/`);
    const answer = await app.fetch(`/documents/${shown}-cod-herring/?embed=1&theme=dark`, {
      redirect: "manual",
    });
    expect(answer.headers.get("location")).toBe(`${app.url}/embed/documents/${shown}/?theme=dark`);
    for (const path of [
      `/embed/documents/${hidden}/`,
      `/documents/${shown}/pages/3/`,
      `/documents/${shown}/pages/3/?embed=1`,
      `/documents/${hidden}/pages/1/`,
      `/documents/${hidden}/pages/1/?embed=1`,
    ]) {
      expect([path, (await app.fetch(path)).status]).toEqual([path, 404]);
    }
  });
});

/** The order matters: the response cache must not answer a frame with the response for a whole page, or vice versa. */
describe("the address of a part of a document", () => {
  it("shows the whole viewer, and redirects frames to the small one", async () => {
    await using app = await startTestApp("sqlite");
    const [id = 0] = await addDocuments(app.context, [
      { slug: "a", page_count: 2, page_spec: "612x792:0-1" },
    ]);
    const path = `/documents/${id}/pages/2/`;
    const whole = { "sec-fetch-dest": "document" };
    for (const headers of [
      {},
      whole,
      { "sec-fetch-dest": "iframe" },
      whole,
      { "sec-fetch-dest": "object" },
    ]) {
      const answer = await app.fetch(`${path}?theme=dark`, { headers, redirect: "manual" });
      expect(answer.headers.get("vary")).toContain("Sec-Fetch-Dest");
      const isFrame = /iframe|object/.test(JSON.stringify(headers));
      expect(answer.status).toBe(isFrame ? 302 : 200);
      expect(answer.headers.get("location")).toBe(isFrame ? `${path}?theme=dark&embed=1` : null);
      expect((await answer.text()).includes('data-fragment="#document/p2"')).toBe(!isFrame);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy.includes("frame-ancestors *")).toBe(false);
    }
  });

  it("has its own preview card", async () => {
    await using app = await startTestApp("sqlite");
    const [id = 0] = await addDocuments(app.context, [
      { slug: "a", page_count: 2, page_spec: "612x792:0-1" },
    ]);
    const page = await (await app.fetch(`/documents/${id}/pages/2/`)).text();
    expect(page).toContain(`<meta property="og:url" content="${app.url}/documents/${id}/pages/2/" />`);
    expect(page).toContain(`${app.url}/files/documents/${id}/pages/a-p2-large.gif`);
    expect(page).toContain(`<link rel="canonical" href="${app.url}/documents/${id}-a/" />`);
  });
});

function sourceIn(markup: string): string {
  return (/src="([^"]*)"/.exec(markup)?.[1] ?? "").replaceAll("&#38;", "&");
}
