import { readdir } from "node:fs/promises";
import { Readable } from "node:stream";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { startTestApp } from "../../../testing/test-app.ts";

const lines = Array.from({ length: 50 }, (_, line) => `line ${line} `.repeat(8));

describe("the images of a document's pages", () => {
  it("stay within their limit on disk space, whichever pages are viewed", async () => {
    await using app = await startTestApp("sqlite", { QUIRE_PAGE_IMAGES_MB: "1" });
    const pages = 12;
    const [id = 0] = await addDocuments(app.context, [{ page_count: pages, file_hash: "abc" }]);
    const pdf = buildPdf({
      pages: Array.from({ length: pages }, () => ({ width: 612, height: 792, lines })),
    });
    await app.context.files.put(
      `documents/${id}/a-document.pdf`,
      (async function* bytes() {
        yield pdf;
      })(),
    );
    let made = 0;
    for (let page = 1; page <= pages; page++) {
      const image = await app.fetch(`/files/documents/${id}/pages/a-document-p${page}-xlarge.gif`);
      made += (await image.arrayBuffer()).byteLength;
    }
    expect(made).toBeGreaterThan(1.5 * 1024 * 1024);
    const folder = path.join(app.context.config.data, "files", "documents", String(id), "images", "abc");
    await vi.waitFor(async () => {
      const storedImages = await readdir(folder);
      expect(storedImages.length).toBeGreaterThan(0);
      expect(storedImages.length * (made / pages)).toBeLessThan(1.2 * 1024 * 1024);
    }, 60_000);
  });
});

describe("the WebP of a page", () => {
  const red = "1 0 0 rg 0 0 306 792 re f";

  it("shows what the GIF shows, in every size, to the same readers, and is made once", async () => {
    await using app = await startTestApp("sqlite");
    const [id = 0] = await addDocuments(app.context, [{ page_count: 3, slug: "a", file_hash: "abc" }]);
    const pages = [
      { width: 612, height: 792, lines: ["A line"], drawing: red },
      { width: 792, height: 612 },
      { width: 100, height: 4000 },
    ];
    await app.context.files.put(`documents/${id}/a.pdf`, Readable.from([buildPdf({ pages })]));
    const address = (name: string): string => `/files/documents/${id}/pages/a-${name}`;
    const sizes = Object.entries({ xlarge: 2000, large: 1000, normal: 700, small: 180, thumbnail: 60 });
    for (const [size, width] of sizes) {
      const answer = await app.fetch(address(`p1-${size}.webp`));
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
      const image = sharp(await answer.arrayBuffer());
      expect(await image.metadata()).toMatchObject({ format: "webp", width });
      const gif = sharp(await (await app.fetch(address(`p1-${size}.gif`))).arrayBuffer());
      const [shown, expected] = await Promise.all([image.stats(), gif.removeAlpha().stats()]);
      expect(shown.channels).toHaveLength(3);
      for (const [index, { mean }] of shown.channels.entries()) {
        expect(Math.abs(mean - (expected.channels[index]?.mean ?? 0))).toBeLessThan(2);
      }
    }
    const wide = sharp(await (await app.fetch(address("p2-small.webp"))).arrayBuffer());
    expect(await wide.metadata()).toMatchObject({ width: 180, height: 139 });
    // Longer than a WebP can be.
    const long = await sharp(await (await app.fetch(address("p3-xlarge.webp"))).arrayBuffer()).metadata();
    expect(long).toMatchObject({ height: 16_383, width: 410 });

    const first = await app.fetch(address("p1-small.webp"));
    const etag = first.headers.get("etag") ?? "";
    const bytes = Buffer.from(await first.arrayBuffer());
    await app.context.files.delete(`documents/${id}/a.pdf`);
    const again = await app.fetch(address("p1-small.webp"));
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
    const known = await app.fetch(address("p1-small.webp"), { headers: { "if-none-match": etag } });
    expect(known.status).toBe(304);
    for (const name of ["p4-small.webp", "p1-huge.webp", "p1-small.avif", "p2-normal.webp", "p0-small.webp"])
      expect([name, (await app.fetch(address(name))).status]).toEqual([name, 404]);
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ access: "private" }).where("id", "=", id).execute(),
    );
    expect((await app.fetch(address("p1-small.webp"))).status).toBe(404);
  });

  it("is drawn beside the GIF when both are asked for at once", async () => {
    await using app = await startTestApp("sqlite");
    const [id = 0] = await addDocuments(app.context, [{ slug: "a", file_hash: "abc" }]);
    const page = { width: 612, height: 792, lines };
    await app.context.files.put(`documents/${id}/a.pdf`, Readable.from([buildPdf({ pages: [page] })]));
    const types = await Promise.all(
      ["gif", "webp", "gif", "webp"].map(async (format) => {
        const answer = await app.fetch(`/files/documents/${id}/pages/a-p1-small.${format}`);
        return (await sharp(await answer.arrayBuffer()).metadata()).format;
      }),
    );
    expect(types).toEqual(["gif", "webp", "gif", "webp"]);
    // Sharp letters have few colours, and are encoded without losses. Those of the small image are shades of grey.
    const kinds = await Promise.all(
      ["large", "small"].map(async (size) => {
        const answer = await app.fetch(`/files/documents/${id}/pages/a-p1-${size}.webp`);
        return Buffer.from(await answer.arrayBuffer()).toString("latin1", 8, 16);
      }),
    );
    expect(kinds).toEqual(["WEBPVP8L", "WEBPVP8 "]);
  });
});
