import { describe, expect, it } from "vitest";
import { listStart } from "./cursor.ts";
import { pageLinks, perPage } from "./pagination.ts";
import { Query } from "./query.ts";

describe("the size of a page", () => {
  it.each([
    ["", 25],
    ["per_page=1", 1],
    ["per_page=1000", 1000],
    ["per_page=1001", 1000],
    ["per_page=99999999999999999999999999", 1000],
    ["per_page=+7", 7],
    ["per_page=%2B7", 7],
    ["per_page=007", 7],
    ["per_page=0", 25],
    ["per_page=-1", 25],
    ["per_page=", 25],
    ["per_page=ten", 25],
    ["per_page=2.5", 25],
    ["per_page=1e2", 25],
    ["per_page=0x10", 25],
    ["per_page=3&per_page=4", 4],
  ])("for ?%s is %i", (query, expected) => {
    expect(perPage(Query.parse(query))).toBe(expected);
  });
});

describe("the links of a page", () => {
  const address = "https://api.a.org/api/documents/";
  const next = { ...listStart, key: { id: 2 } };
  const previous = { ...listStart, reverse: true, key: { id: 3 } };

  it("are the request's own address with another cursor", () => {
    const query = Query.parse("zzz=1&a=b%20c&cursor=cD0x&user=1,2&format=json&page=9");
    expect(pageLinks(address, query, { next, previous })).toEqual({
      next: `${address}?a=b+c&cursor=cD0y&format=json&page=9&user=1%2C2&zzz=1`,
      previous: `${address}?a=b+c&cursor=cj0xJnA9Mw%3D%3D&format=json&page=9&user=1%2C2&zzz=1`,
    });
  });

  it("are null if there is no such page", () => {
    expect(pageLinks(address, Query.parse("a=1"), { next: null, previous: null })).toEqual({
      next: null,
      previous: null,
    });
  });
});
