import { Readable } from "node:stream";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
import { type Person, addPerson } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { type TestApp, engines, startTestApp } from "../../testing/test-app.ts";
import { linesOf } from "./annotations.ts";

describe.each(engines)("IIIF on %s", (engine) => {
  let app: TestApp;
  let owner: Person;
  let [shown, hidden, empty, elsewhere] = [0, 0, 0, 0];
  beforeAll(async () => {
    app = await startTestApp(engine);
    await addDocuments(app.context, []);
    owner = await addPerson(app.context, { username: "owner", organizations: [1] });
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
  afterAll(() => app[Symbol.asyncDispose]());

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
