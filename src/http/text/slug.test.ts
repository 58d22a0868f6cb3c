import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slugOf } from "./slug.ts";

describe("a slug", () => {
  it.each([
    ["Annual Report 2024", "annual-report-2024"],
    ['Pub <b>"Q" & x', "pub-bq-x"],
    ["  -- a  --  b_c __ ", "a-b_c"],
    ["Straße nach Ünïcödé", "strasse-nach-unicode"],
    ["Привет, мир", "privet-mir"],
    ["北京 report", "bei-jing-report"],
    ["Đà Nẵng – ½ price", "da-nang-12-price"],
    ["ｆｕｌｌ width ①", "full-width-1"],
    ["line\none\ttwo", "line-one-two"],
    ["😀", "untitled"],
    ["!?", "untitled"],
    ["", "untitled"],
  ])("of %j is %s", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  it("has at most 255 characters and does not end in a dash", () => {
    expect(slugOf("a".repeat(300))).toBe("a".repeat(255));
    expect(slugOf(`${"a".repeat(254)} b`)).toBe("a".repeat(254));
  });

  it("is always valid in an address and in a file name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) => {
        expect(slugOf(title)).toMatch(/^[a-z0-9][a-z0-9_-]{0,254}$/);
      }),
    );
  });

  it("of a slug is the slug itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) => {
        expect(slugOf(slugOf(title))).toBe(slugOf(title));
      }),
    );
  });
});
