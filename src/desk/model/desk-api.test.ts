import { describe, expect, it } from "vitest";
import { FakeNetwork } from "../../testing/fake-network.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi, type DeskDocument } from "./desk-api.ts";

const assets = "https://files.example.org/";
const api = new DeskApi({
  assets,
  files: "/base/files/",
  images: ["https://mirrored.example.org/"],
} as Partial<DeskOptions> as DeskOptions);
const document = {
  id: 7,
  slug: "a-report",
  status: "success",
  page_count: 3,
  asset_url: assets,
  file_hash: "abc",
} as DeskDocument;

describe("the image of the first page", () => {
  it("is loaded from the page's own site, to which browsers send the session, once for each file", () => {
    expect(api.firstPageOf(document)).toBe("/base/files/documents/7/pages/a-report-p1-small.gif?abc");
  });

  it("is loaded from the store of a mirrored document only if the page's policy lets it", () => {
    expect(api.firstPageOf({ ...document, asset_url: "https://other.example.org/" })).toBeNull();
    expect(api.firstPageOf({ ...document, asset_url: "https://mirrored.example.org/" })).toBe(
      "https://mirrored.example.org/documents/7/pages/a-report-p1-small.gif",
    );
  });

  it("does not exist before a file has been read", () => {
    expect(api.firstPageOf({ ...document, page_count: 0 })).toBeNull();
    expect(api.firstPageOf({ ...document, status: "error" })).toBeNull();
  });
});

describe("the page that replaces a document's file", () => {
  it("is that for uploads", () => {
    const below = new DeskApi({ api: "/quire/api/", upload: "/quire/upload/" } as DeskOptions);
    expect(below.replacementPage(7)).toBe("/quire/upload/?replace=7");
  });
});

const reasonAmong = (results: { id: number; message: string }[]): Promise<string> =>
  new DeskApi(
    { api: "/api/" } as DeskOptions,
    new FakeNetwork(() => ({ body: { next: null, results } })),
  ).errorOf(7);

describe("the reason why processing failed", () => {
  it("is the latest one, in whatever order the API lists them", async () => {
    const results = [3, 9, 5].map((id) => ({ id, message: `reason ${id}` }));
    expect(await reasonAmong(results)).toBe("reason 9");
  });

  it("is a sentence if the API has none", async () => {
    expect(await reasonAmong([])).toMatch(/^\S/);
  });
});
