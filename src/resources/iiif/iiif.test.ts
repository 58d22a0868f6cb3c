import { Readable } from "node:stream";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  formatPageSpec,
  pageSizeAt,
  pageSizeOf,
  pageSizes,
  parsePageSpec,
} from "../../processing/page-spec.ts";
import type { PageWord } from "../../processing/pdfium/page-words.ts";
import { addDocuments } from "../../testing/factories.ts";
import { buildPdf } from "../../testing/pdf.ts";
import type { Person } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { addReadDocument } from "../../testing/read-documents.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { turnsDuring } from "../../testing/turns.ts";
import { anonymous } from "../../http/request/viewer.ts";
import { findDocument } from "../documents/store.ts";
import { linesOf } from "./annotations.ts";
import { matchesOn } from "./content-search.ts";
import { writeManifest } from "./manifest.ts";

/** The size of a WebP: of one with losses, or of a lossless one. */
function webpSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.toString("latin1", 12, 16) === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

describe.each(defaultEngines)("IIIF on %s", (engine) => {
  const app = useApp(engine);
  let [shown, hidden, empty, elsewhere] = [0, 0, 0, 0];
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const row = {
      user_id: owner.id,
      page_count: 2,
      page_spec: "600.00x800.00:0;800.00x400.00:1",
      file_hash: "a",
    };
    [shown = 0, hidden = 0, empty = 0, elsewhere = 0] = await addDocuments(app.context, [
      {
        ...row,
        title: 'Cod & "Herring"',
        slug: "cod",
        description: "<b>Fish</b> &amp; more",
        language: "ara",
      },
      { ...row, access: "private" },
      { ...row, page_count: 0, page_spec: "" },
      { ...row, asset_url: "https://files.example.org/", slug: "far" },
    ]);
    const pages = [
      { width: 600, height: 800, lines: ["One line", "Another line"] },
      { width: 800, height: 400 },
    ];
    await app.context.files.put(`documents/${shown}/cod.pdf`, Readable.from([buildPdf({ pages })]));
    const box = { x1: 0.25, x2: 0.75, y1: 0.5, y2: 0.75 };
    for (const note of [
      { title: "A <place>", content: "<b>here</b><script>", page_number: 1, access: "public", ...box },
      { title: "The page", page_number: 1, access: "public" },
      { title: "Mine", page_number: 0, access: "private" },
    ]) {
      await sendAs(app, owner, "POST", `/api/documents/${shown}/notes/`, note);
    }
    const section = { title: "Part two", page_number: 1 };
    await sendAs(app, owner, "POST", `/api/documents/${shown}/sections/`, section);
  });

  const get = (target: string, person: Person | null = null): ReturnType<typeof sendAs> =>
    sendAs(app, person, "GET", target);

  it("shows a document as a manifest with a canvas for each page", async () => {
    const { status, headers, body } = await get(`/iiif/${shown}/manifest.json`);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(headers.get("content-type")).toContain("application/ld+json");
    expect(body).toMatchObject({
      "@context": "http://iiif.io/api/presentation/3/context.json",
      id: `${app.url}/iiif/${shown}/manifest.json`,
      type: "Manifest",
      label: { none: ['Cod & "Herring"'] },
      summary: { none: ["Fish & more"] },
      viewingDirection: "right-to-left",
      homepage: [{ id: `${app.url}/documents/${shown}-cod/` }],
      rendering: [{ id: `${app.url}/files/documents/${shown}/cod.pdf` }],
      structures: [
        {
          type: "Range",
          label: { none: ["Part two"] },
          items: [{ id: `${app.url}/iiif/${shown}/canvas/2` }],
        },
      ],
    });
    expect(body.items).toHaveLength(2);
    const [first, second] = body.items;
    expect(first).toMatchObject({ type: "Canvas", label: { none: ["1"] }, width: 2000, height: 2667 });
    expect(second).toMatchObject({ id: `${app.url}/iiif/${shown}/canvas/2`, width: 2000, height: 1000 });
    const [painting] = second.items[0].items;
    expect(painting).toMatchObject({ motivation: "painting", target: second.id });
    expect(painting.body).toMatchObject({ type: "Image", width: 2000, height: 1000 });
    expect(painting.body).not.toHaveProperty("format");
    expect(body.provider).toEqual([
      {
        id: `${app.url}/api/organizations/1/`,
        type: "Agent",
        label: { none: [expect.any(String)] },
        homepage: [expect.objectContaining({ id: `${app.url}/?organization=1` })],
      },
    ]);
    const image = await fetch(painting.body.id);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(image.headers.get("access-control-allow-origin")).toBe("*");
    const referenced = (canvas: { annotations: { id: string }[] }): string[] =>
      canvas.annotations.map(({ id }) => id.slice(`${app.url}/iiif/${shown}/`.length));
    expect(referenced(first)).toEqual(["text/1.json"]);
    expect(referenced(second)).toEqual(["text/2.json", "notes/2.json"]);
    const ofOwner = await get(`/iiif/${shown}/manifest.json`, owner);
    expect(referenced(ofOwner.body.items[0])).toEqual(["text/1.json", "notes/1.json"]);
    expect(ofOwner.headers.get("cache-control")).toContain("private");
    const far = await get(`/iiif/${elsewhere}/manifest.json`);
    expect(far.body.items[0].items[0].items[0].body).toMatchObject({
      id: `https://files.example.org/documents/${elsewhere}/pages/far-p1-xlarge.gif`,
    });
  });

  it("has the text of a page as lines, and its notes, all at their positions", async () => {
    const text = await get(`/iiif/${shown}/text/1.json`);
    expect(text.body).toMatchObject({ type: "AnnotationPage", id: `${app.url}/iiif/${shown}/text/1.json` });
    expect(text.body.items.map((item: any) => item.body.value)).toEqual(["One line", "Another line"]); // oxlint-disable-line typescript/no-explicit-any
    const canvas = `${app.url}/iiif/${shown}/canvas`;
    for (const { target, motivation } of text.body.items) {
      expect([motivation, target.startsWith(`${canvas}/1#xywh=`)]).toEqual(["supplementing", true]);
      expect(target).toMatch(/#xywh=\d+,\d+,[1-9]\d*,[1-9]\d*$/);
    }
    expect((await get(`/iiif/${shown}/text/2.json`)).body.items).toEqual([]);
    expect((await get(`/iiif/${elsewhere}/text/1.json`)).body.items).toEqual([]);
    const notes = await get(`/iiif/${shown}/notes/2.json`);
    expect(notes.body.items).toMatchObject([
      {
        motivation: "commenting",
        target: `${canvas}/2#xywh=500,500,1000,250`,
        body: { value: "<p><b>A &#60;place&#62;</b></p><b>here</b>", format: "text/html" },
      },
      { target: `${canvas}/2` },
    ]);
    expect((await get(`/iiif/${shown}/notes/1.json`)).body.items).toEqual([]);
    expect((await get(`/iiif/${shown}/notes/1.json`, owner)).body.items).toHaveLength(1);
  });

  it("has each page image as an image service of level 0, in the sizes that there are", async () => {
    const { body } = await get(`/iiif/${shown}/manifest.json`);
    const [service] = body.items[0].items[0].items[0].body.service;
    expect(service).toEqual({
      id: `${app.url}/iiif/${shown}/image/1`,
      type: "ImageService3",
      profile: "level0",
    });
    const information = await get(`/iiif/${shown}/image/1/info.json`);
    expect([information.status, information.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(information.headers.get("content-type")).toContain("http://iiif.io/api/image/3/context.json");
    expect(information.body).toMatchObject({
      ...service,
      width: 2000,
      height: 2667,
      preferredFormats: ["webp"],
    });
    const { sizes } = information.body;
    expect(sizes.map(({ width }: { width: number }) => width)).toEqual([60, 180, 700, 1000, 2000]);
    const image = async (size: string, page = 1): Promise<Response> =>
      app.fetch(`/iiif/${shown}/image/${page}/full/${size}/0/default.webp`);
    for (const { width, height } of sizes) {
      const answer = await image(`${width},${height}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([width, webpSize(bytes)]).toEqual([width, { width, height }]);
    }
    expect((await image("max", 2)).url).toBe(`${app.url}/files/documents/${shown}/pages/cod-p2-xlarge.webp`);
    for (const size of ["60,1", "pct:50", "^max", "constructor"])
      expect((await image(size)).status).toBe(404);
    const far = await get(`/iiif/${elsewhere}/manifest.json`);
    expect(far.body.items[0].items[0].items[0].body).not.toHaveProperty("service");
  });

  it("finds words, and shows where they are, by both versions of Content Search", async () => {
    const lines = ["The grey heron stood", "a heron, and grey", "heron here"];
    const id = await addReadDocument(app.context, {
      title: "Log",
      slug: "log",
      page_spec: "600.00x800.00:0-11",
      file_hash: "b",
      pages: Array.from({ length: 12 }, () => lines.join("\n")),
      pdf: buildPdf({ pages: Array.from({ length: 12 }, () => ({ width: 600, height: 800, lines })) }),
    });
    const { body } = await get(`/iiif/${id}/manifest.json`);
    const [second, first] = body.service;
    expect(second).toMatchObject({ id: `${app.url}/iiif/${id}/search/2.json`, type: "SearchService2" });
    expect(first).toMatchObject({ profile: "http://iiif.io/api/search/1/search" });
    const found = await get(`/iiif/${id}/search/2.json?q=${encodeURIComponent('"grey heron"')}&user=x`);
    expect(found.headers.get("access-control-allow-origin")).toBe("*");
    const next = `${app.url}/iiif/${id}/search/2.json?q=%22grey+heron%22&user=x&page=2`;
    expect(found.body).toMatchObject({ type: "AnnotationPage", ignored: ["user"], next });
    // The phrase that is divided between two lines has an annotation on each.
    expect(found.body.items.slice(0, 3)).toMatchObject([
      { motivation: "highlighting", body: { value: "grey heron" } },
      { body: { value: "grey heron" } },
      { body: { value: "grey heron" } },
    ]);
    const canvas = `${app.url}/iiif/${id}/canvas/1#xywh=`;
    expect(found.body.items[0].target.startsWith(canvas)).toBe(true);
    expect(new Set(found.body.items.map((item: { target: string }) => item.target)).size).toBe(30);
    expect(found.body.annotations[0].items[0].target).toMatchObject({
      source: found.body.items[0].id,
      selector: [{ prefix: "The ", exact: "grey heron", suffix: expect.stringMatching(/^ stood a heron/) }],
    });
    const rest = await get(next.slice(app.url.length));
    expect([rest.body.items.length, rest.body.next]).toEqual([6, undefined]);
    const old = await get(`/iiif/${id}/search/1.json?q=stood`);
    expect(old.body.resources).toHaveLength(10);
    const [hit] = old.body.hits;
    expect(hit).toMatchObject({
      match: "stood",
      before: "The grey heron ",
      annotations: [old.body.resources[0]["@id"]],
    });
    expect(old.body.resources[0].on).toMatch(/\/canvas\/1#xywh=\d+,\d+,[1-9]\d*,[1-9]\d*$/);
    for (const target of ["1.json", "2.json?q=", "2.json?q=osprey"]) {
      const { status, body: none } = await get(`/iiif/${id}/search/${target}`);
      expect([target, status, none.items ?? none.resources]).toEqual([target, 200, []]);
    }
  });

  it("names the page of a match whose position is unknown", async () => {
    const at = {
      addresses: { api: "", web: "", assets: "" },
      document: 1,
      page: 2,
      canvas: { width: 9, height: 9 },
    };
    expect(matchesOn(at, [], [])).toEqual([
      { text: "", before: "", after: "", targets: ["/iiif/1/canvas/3"] },
    ]);
  });

  it("is sent again only after a change", async () => {
    const target = `/iiif/${shown}/manifest.json`;
    const etag = (await get(target)).headers.get("etag") ?? "";
    const again = async (): Promise<number> =>
      (await app.fetch(target, { headers: { "if-none-match": etag } })).status;
    expect(await again()).toBe(304);
    await sendAs(app, owner, "PATCH", `/api/documents/${shown}/`, { source: "The harbour" });
    expect(await again()).toBe(200);
    const head = await app.fetch(target, { method: "HEAD" });
    expect([head.status, head.headers.get("etag")]).not.toEqual([200, null]);
  });

  it("returns the same 404 for hidden and for missing documents and pages", async () => {
    const missing = await get("/iiif/999999/manifest.json");
    for (const target of [
      `/iiif/${hidden}/manifest.json`,
      `/iiif/${hidden}/text/1.json`,
      `/iiif/${hidden}/notes/1.json`,
      `/iiif/${hidden}/image/1/info.json`,
      `/iiif/${hidden}/image/1/full/max/0/default.webp`,
      `/iiif/${hidden}/search/1.json?q=a`,
      `/iiif/${hidden}/search/2.json?q=a`,
      `/iiif/${elsewhere}/image/1/info.json`,
      `/iiif/${shown}/image/3/info.json`,
      `/iiif/${shown}/image/1/full/max/90/default.webp`,
      `/iiif/${empty}/manifest.json`,
      `/iiif/${shown}/text/3.json`,
      `/iiif/${shown}/text/0.json`,
      `/iiif/${shown}/notes/x.json`,
      "/iiif/x/manifest.json",
      `/iiif/${shown}/`,
    ]) {
      const { status, body } = await get(target);
      expect([target, status, body]).toEqual([target, 404, missing.body]);
    }
    expect((await get(`/iiif/${hidden}/manifest.json`, owner)).status).toBe(200);
  });

  it("is generated once for a revision and a viewer, whatever coding a client accepts", async () => {
    const [id = 0] = await addDocuments(app.context, [{ page_count: 300, page_spec: "600x800:0-299" }]);
    const target = `/iiif/${id}/manifest.json`;
    const texts = await Promise.all(
      ["br", "gzip", "identity"].map(async (coding) => {
        const answer = await app.fetch(target, { headers: { "accept-encoding": coding } });
        expect(answer.headers.get("content-encoding")).toBe(coding === "identity" ? null : coding);
        return answer.text();
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? "").items).toHaveLength(300);
    await sendAs(app, owner, "POST", `/api/documents/${id}/notes/`, { title: "Mine", page_number: 4 });
    expect((await get(target)).body.items[4].annotations).toHaveLength(1);
  });

  it("lists its sections, however many there are", async () => {
    const [id = 0] = await addDocuments(app.context, [{ page_count: 1200, page_spec: "600x800:0-1199" }]);
    const sections = Array.from({ length: 1200 }, (_, page) => ({
      document_id: id,
      page_number: page,
      title: `Part ${page}`,
    }));
    await app.context.database.write((writer) => writer.insertInto("sections").values(sections).execute());
    const { structures } = (await get(`/iiif/${id}/manifest.json`)).body;
    expect(structures.map(({ id: range }: { id: string }) => range.split("/").at(-1))).toEqual(
      sections.map((_, index) => String(index + 1)),
    );
    const record = await get(`/api/documents/${id}/?expand=sections`);
    expect(record.body.sections.map(({ title }: { title: string }) => title)).toEqual(
      sections.map(({ title }) => title),
    );
  });

  it("has no manifest for more pages than a viewer can show", async () => {
    const [most = 0, more = 0] = await addDocuments(app.context, [
      { page_count: 50_000, page_spec: "600x800:0-49999" },
      { page_count: 50_001, page_spec: "600x800:0-50000" },
    ]);
    expect((await app.fetch(`/iiif/${most}/manifest.json`, { method: "HEAD" })).status).toBe(200);
    expect((await get(`/iiif/${more}/manifest.json`)).status).toBe(404);
    const links = async (id: number): Promise<boolean> =>
      (await (await app.fetch(`/documents/${id}-a-document/`)).text()).includes("manifest.json");
    expect([await links(most), await links(more)]).toEqual([true, false]);
  });

  it("lets the event loop turn while a manifest is written", async () => {
    const addresses = { api: app.url, web: app.url, assets: `${app.url}/files/` };
    const document = await findDocument(app.context.database, anonymous, shown);
    if (document === null) throw new Error("no document");
    const long = { ...document, page_count: 5000 };
    const sections = Array.from({ length: 5000 }, (_, page) => ({ title: "A part", page_number: page }));
    const parts = { notedPages: new Set<number>(), sections, organization: "", description: "" };
    const written = (): Promise<unknown> => Array.fromAsync(writeManifest(addresses, long, parts));
    expect(await turnsDuring(written)).toBeGreaterThan(50);
  });

  it("streams a long manifest", async () => {
    const count = 3000;
    const spec = formatPageSpec(
      Array.from({ length: count }, (_, page) => pageSizeOf(600 + (page % 7), 800)),
    );
    const [id = 0] = await addDocuments(app.context, [{ page_count: count, page_spec: spec }]);
    const { body } = await get(`/iiif/${id}/manifest.json`);
    expect(body.items).toHaveLength(count);
    expect(body.items[count - 1].id).toBe(`${app.url}/iiif/${id}/canvas/${count}`);
    expect(body.items[13].height).toBe(Math.round((2000 * 800) / 606));
  });
});

describe("the sizes of all pages", () => {
  it("are the same as the size of each single page", () => {
    const sizes = fc.array(fc.constantFrom("600.00", "612.00", "10.50"), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, (widths) => {
        const pages = widths.map((width) => ({ width, height: "800.00" }));
        const groups = parsePageSpec(formatPageSpec(pages));
        expect([...pageSizes(groups, pages.length)]).toEqual(pages);
        expect([...pageSizes(groups, pages.length + 2)].slice(pages.length)).toEqual([undefined, undefined]);
        expect(pages.map((_, page) => pageSizeAt(groups, page))).toEqual(pages);
      }),
    );
    expect([...pageSizes(parsePageSpec("1x2:2-999999999"), 3)].map((size) => size?.width)).toEqual([
      undefined,
      undefined,
      "1",
    ]);
  });
});

const word = (text: string, x1: number, y1: number, upright = true): PageWord => {
  return { text, x1, x2: x1 + 0.1, y1, y2: y1 + 0.02, upright, direction: 1 };
};

const textsOf = (words: readonly PageWord[]): string[] => linesOf(words).map(({ text }) => text);

describe("the lines of a text", () => {
  it("consist of adjacent words, whichever way they run", () => {
    expect(textsOf([word("a", 0.1, 0.1), word("b", 0.21, 0.101), word("c", 0.1, 0.13)])).toEqual([
      "a b",
      "c",
    ]);
    expect(textsOf([word("a", 0.5, 0.1), word("b", 0.39, 0.1)])).toEqual(["a b"]);
    expect(textsOf([word("a", 0.1, 0.1), word("b", 0.6, 0.1)])).toEqual(["a", "b"]);
    const down = [word("a", 0.1, 0.1, false), word("b", 0.1, 0.13, false), word("c", 0.5, 0.13, false)];
    expect(textsOf(down)).toEqual(["a b", "c"]);
    const [line] = linesOf([word("a", 0.25, 0.25), word("b", 0.375, 0.25)]);
    expect(line).toEqual({ text: "a b", x1: 0.25, x2: 0.475, y1: 0.25, y2: 0.27 });
  });
});
