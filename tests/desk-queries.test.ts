import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainQuery } from "../src/search/explain-query.ts";
import { parseQuery } from "../src/search/parse-query.ts";
import type { Query } from "../src/search/query-tree.ts";
import { runs } from "../src/testing/runs.ts";
import {
  type ListQuery,
  addressOf,
  filterOf,
  parametersOf,
  readAddress,
  readText,
  textOf,
  unknownFields,
  usualSort,
  valueOf,
} from "../src/desk/model/list-query.ts";

const words = fc
  .array(
    fc.constantFrom(
      "harbour",
      '"old port"',
      "-draft",
      "NOT x",
      "AND y",
      "OR z",
      "(a b)",
      "+c",
      "harb*",
      "title:d",
    ),
    { maxLength: 4 },
  )
  .map((all) => all.join(" "));
const filters = fc.dictionary(
  fc.constantFrom("access", "status", "user", "project", "created_at", "data_agency", "data__tag"),
  fc.uniqueArray(
    fc.oneof(
      fc.constantFrom("private", "7", "2024", "[2020 TO *]"),
      fc.string().map((text) => filterOf(`${text}!`)),
      fc.constant('""'),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  { noNullPrototype: true },
);
const queries: fc.Arbitrary<ListQuery> = fc
  .record({
    q: words,
    filters,
    sort: fc.constantFrom("score", "created_at", "-created_at", "title"),
    page: fc.constant(1),
  })
  // Without words there is no score.
  .filter(({ q, sort }) => q !== "" || sort !== "score");

/**
 * How the server understands a query, whatever the order and the nesting of what has to hold together. A word that is
 * typed twice weighs as much as one with `^2`, which is how a question without operators has it.
 */
function explained(text: string, parameters: readonly (readonly [string, string])[] = []): string {
  return explainQuery(flat(parseQuery(text, { parameters, hasPatterns: true, now: new Date(0) }).query));
}

function flat(query: Query): Query {
  if (query.kind === "words" && query.boost > 1) {
    return { kind: "or", of: Array.from({ length: query.boost }, () => ({ ...query, boost: 1 })) };
  }
  if (query.kind === "not") return { kind: "not", of: flat(query.of) };
  if (query.kind !== "and" && query.kind !== "or") return query;
  const of = query.of.map(flat).flatMap((part) => (part.kind === query.kind ? part.of : [part]));
  return {
    kind: query.kind,
    of: of.toSorted((one, other) => (explainQuery(one) < explainQuery(other) ? -1 : 1)),
  };
}

describe("the query of the list", () => {
  it("is the same after it was written as an address and read again", () => {
    fc.assert(
      fc.property(queries, fc.integer({ min: 1, max: 1000 }), (query, page) => {
        expect(readAddress(addressOf({ ...query, page }))).toEqual({ ...query, page });
      }),
      { numRuns: runs(200) },
    );
  });

  it("is the same after it was saved as text and read again", () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(readText(textOf(query))).toEqual(query);
      }),
      { numRuns: runs(500) },
    );
  });

  it("means the same as text as with its filters as parameters", () => {
    fc.assert(
      fc.property(queries, (query) => {
        const parameters = [...parametersOf({ q: "", filters: query.filters })];
        expect(explained(textOf(query))).toBe(explained(query.q, parameters));
      }),
      { numRuns: runs(500) },
    );
  });

  it("means the same as before after any text was read and written again", () => {
    const anyText = fc.array(
      fc.constantFrom(
        "a",
        "AND",
        "OR",
        "(",
        ")",
        "+",
        "access:private",
        "user:(1 2)",
        "+user:7",
        "user:7",
        "sort:title",
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(anyText, (parts) => {
        const text = parts.join(" ");
        expect(explained(textOf(readText(text)))).toBe(explained(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it("quotes values that are not single words", () => {
    expect([
      filterOf("pdf"),
      filterOf(12),
      filterOf("Port Office"),
      filterOf(""),
      filterOf('a "b\\'),
    ]).toEqual(["pdf", "12", '"Port Office"', '""', '"a \\"b\\\\"']);
    fc.assert(fc.property(fc.string(), (text) => valueOf(filterOf(text)) === text));
  });

  it("names what looks like a field but is none", () => {
    expect(
      unknownFields('author:smith title:x (publisher:"a b") "quoted:thing" data_x:1 http://a page_no_3:y'),
    ).toEqual(["author", "publisher"]);
    expect(usualSort(" ")).toBe("created_at");
  });
});
