import { describe, expect, it } from "vitest";
import { DeskApi, type DeskDocument, type DeskOptions } from "./desk-api.ts";

const assets = "https://files.example.org/";
const api = new DeskApi({ assets, files: "/base/files/" } as DeskOptions);
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

  it("is loaded from another server if the file is there", () => {
    const elsewhere = { ...document, asset_url: "https://other.example.org/" };
    expect(api.firstPageOf(elsewhere)).toBe(
      "https://other.example.org/documents/7/pages/a-report-p1-small.gif",
    );
  });

  it("does not exist before a file has been read", () => {
    expect(api.firstPageOf({ ...document, page_count: 0 })).toBeNull();
    expect(api.firstPageOf({ ...document, status: "error" })).toBeNull();
  });
});
