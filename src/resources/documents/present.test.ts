import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordOf } from "../../testing/records.ts";
import { anyText } from "../../testing/texts.ts";
import type { DocumentRow } from "./store.ts";
import { digestOf, documentAddress, recordPieces, recordText } from "./present.ts";
import { defaultColumns, recordFormat } from "./record-members.ts";

const baseUrls = { web: "https://a.org", assets: "https://files.a.org/" };

const row: DocumentRow = {
  ...defaultColumns,
  id: 7,
  revision: 1,
  access: "public",
  admin_noindex: false,
  asset_url: null,
  created_at: "2025-01-31T12:00:00.000001Z",
  data: '{"cid":["a","b"]}',
  file_hash: "0123456789abcdef0123456789abcdef01234567",
  organization_id: 3,
  page_count: 2,
  page_spec: "612.00x792.00:0-1",
  publish_at: null,
  slug: "budget",
  status: "success",
  title: "Budget",
  updated_at: "2025-02-28T23:59:59.999999Z",
  user_id: 4,
  public_projects: null,
};

const record = (changes: Partial<DocumentRow> = {}): Record<string, unknown> =>
  JSON.parse(recordText({ ...row, ...changes }, baseUrls, false)) as Record<string, unknown>;

describe("recordText", () => {
  it("contains the values of the row", () => {
    expect(record()).toEqual(
      recordOf({
        id: 7,
        asset_url: "https://files.a.org/",
        canonical_url: "https://a.org/documents/7-budget/",
        created_at: "2025-01-31T12:00:00.000001Z",
        data: { cid: ["a", "b"] },
        file_hash: "0123456789abcdef0123456789abcdef01234567",
        organization: 3,
        page_count: 2,
        page_spec: "612.00x792.00:0-1",
        slug: "budget",
        title: "Budget",
        updated_at: "2025-02-28T23:59:59.999999Z",
        user: 4,
      }),
    );
  });

  it("converts the booleans of both engines", () => {
    for (const yes of [true, 1])
      expect(record({ noindex: yes, admin_noindex: yes, revision_control: yes })).toMatchObject({
        noindex: true,
        admin_noindex: true,
        revision_control: true,
      });
    expect(record({ noindex: 0, admin_noindex: 0, revision_control: 0 })).toEqual(record());
  });

  it("contains project ids, the publication time and the address of remote files", () => {
    expect(
      record({
        public_projects: "2,10",
        publish_at: "2030-01-01T00:00:00.000000Z",
        asset_url: "https://elsewhere.org/x/",
      }),
    ).toMatchObject({
      projects: [2, 10],
      publish_at: "2030-01-01T00:00:00.000000Z",
      asset_url: "https://elsewhere.org/x/",
    });
    expect(record({ public_projects: "" })["projects"]).toEqual([]);
  });

  it("keeps every text unchanged and is always valid JSON", () => {
    const texts = fc.record({
      title: anyText,
      description: anyText,
      source: anyText,
      page_spec: anyText,
      slug: anyText,
      language: anyText,
      original_extension: anyText,
      published_url: anyText,
      related_article: anyText,
      asset_url: anyText,
    });
    fc.assert(
      fc.property(texts, fc.dictionary(fc.string(), fc.array(anyText)), (columns, data) => {
        const json = record({ ...columns, data: JSON.stringify(data) });
        expect(json).toMatchObject(columns);
        expect(json["data"]).toEqual(JSON.parse(JSON.stringify(data)));
        expect(json["canonical_url"]).toBe(
          `https://a.org/documents/7-${encodeURIComponent(columns.slug.toWellFormed())}/`,
        );
      }),
    );
  });
});

describe("recordFormat", () => {
  it("is increased when the same row is rendered differently, so that no stored record is outdated", () => {
    const digest = digestOf(recordPieces(row));
    expect({ recordFormat, digest }).toEqual({ recordFormat: 1, digest: "TiP9tuf_HMhhbIt5m9BQ9zzqbV0" });
  });
});

describe("documentAddress", () => {
  it("consists of the id and slug below the base of the web pages", () => {
    expect(documentAddress("https://a.org/quire", { id: 7, slug: "budget" })).toBe(
      "https://a.org/quire/documents/7-budget/",
    );
  });
});
