import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../testing/texts.ts";
import { Query } from "./query.ts";

const pairs = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })));
const written = (given: readonly (readonly [string, string])[]): string =>
  given.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");

describe("a query", () => {
  it("returns the last value of a name, if there is one", () => {
    const query = Query.parse("a=1&b=2&a=3&c=");
    expect(query.last("a")).toBe("3");
    expect(query.last("b")).toBe("2");
    expect(query.last("c")).toBe("");
    expect(query.last("d")).toBeUndefined();
  });

  it.each(["a=1,2,3", "a=1&a=2&a=3", "a[]=1&a[]=2&a[]=3", "a=1,2&a%5B%5D=3", "a=+1+,2&a=,&a=3"])(
    "returns every value of %s",
    (text) => {
      expect(Query.parse(text).list("a")).toEqual(["1", "2", "3"]);
    },
  );

  it("ignores blank values", () => {
    expect(Query.parse("a=&a=,&a=+").list("a")).toEqual([]);
  });

  it("is written sorted by name, each name's values in their original order", () => {
    expect(Query.parse("b=2&a=9&c=&b=1").toString()).toBe("?a=9&b=2&b=1&c=");
  });

  it("is encoded like Python's quote_plus", () => {
    expect(Query.parse("q=b%20c,d!*'()~_.-/é%26").toString()).toBe(
      "?q=b+c%2Cd%21%2A%27%28%29~_.-%2F%C3%A9%26",
    );
  });

  it("has one value after setting it, and none after removing it", () => {
    const query = Query.parse("b=2&a=1&a=3");
    expect(query.with("a", "x y").toString()).toBe("?a=x+y&b=2");
    expect(query.with("a", null).toString()).toBe("?b=2");
    expect(query.with("c", "").toString()).toBe("?a=1&a=3&b=2&c=");
    expect(query.toString()).toBe("?a=1&a=3&b=2");
  });

  it("is an empty text without parameters", () => {
    expect(Query.parse("").toString()).toBe("");
  });

  it("treats a second question mark as part of a name", () => {
    expect(Query.parse("?cursor=x").last("cursor")).toBeUndefined();
    expect(Query.parse("?cursor=x").toString()).toBe("?%3Fcursor=x");
  });

  it("survives writing and parsing, however odd the names", () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const query = Query.parse(written([...given, ["__proto__", "x"]]));
        const again = Query.parse(query.toString().slice(1));
        expect(new Map(again.entries())).toEqual(new Map(query.entries()));
        expect(again.toString()).toBe(query.toString());
        expect(query.last("__proto__")).toBe("x");
      }),
    );
  });

  it("parses and writes any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const query = Query.parse(text);
        expect(query.toString()).toMatch(/^$|^\?[\w.~%+&=-]*$/);
        const again = Query.parse(query.toString().slice(1));
        expect(new Map(again.entries())).toEqual(new Map(query.entries()));
      }),
    );
  });
});
