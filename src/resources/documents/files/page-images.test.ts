import { readdir } from "node:fs/promises";
import path from "node:path";
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
    });
  });
});
