import * as fc from "fast-check";
import { explainQuery } from "../search/explain-query.ts";
import { parametersBeside, queries, typedQueries } from "./search-queries.ts";
import { anyText } from "./texts.ts";

/* Search requests of all kinds: valid, almost valid and meaningless values in every parameter. */

const signs =
  "( ) [ ] { } \" ' + - ! ~ ~1 ~9 ~99999999999 ^ ^-1 ^1e400 : :: * ? ** \\ \\\\ / // && || AND OR " +
  "NOT TO NaN Infinity -0 0x10 1e400 " +
  "id: title: data_: data_x: page_no_0: page_no_99999999999999999999: created_at: user:( page_count:[ [* TO *] {1 TO " +
  "NOW NOW/DAY NOW-1YEAR+1DAY 0000-00-00 9999-12-31T23:59:60Z %_ '-- ; \0 \ud800 \udc00 \u{1F600} " +
  "\u202e \u0301 ﷺ ｈ İ ß ﬁ 　";
const pieces = fc.oneof(fc.constantFrom(...signs.split(" "), " ", "  ", "\n"), anyText);

type Edit = (text: string) => string;
const spans = fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 30 }));
const edits: fc.Arbitrary<Edit> = fc.oneof(
  spans.map(
    ([at, length]): Edit =>
      (text) =>
        text.slice(0, at % (text.length + 1)) + text.slice((at % (text.length + 1)) + length),
  ),
  fc.tuple(spans, pieces).map(([[at], piece]): Edit => (text) => {
    const offset = at % (text.length + 1);
    return text.slice(0, offset) + piece + text.slice(offset);
  }),
  fc.tuple(spans, fc.constantFrom(2, 3, 40)).map(([[at, length], times]): Edit => (text) => {
    const offset = at % (text.length + 1);
    return text.slice(0, offset) + text.slice(offset, offset + length).repeat(times) + text.slice(offset);
  }),
  fc.constant<Edit>((text) => `(${text})`),
  fc.constant<Edit>((text) => `-(${text}) OR "${text}"~3`),
  fc.constant<Edit>((text) => Array.from(text).toReversed().join("")),
);

/** A text with up to four typing mistakes. */
const mistyped = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.array(edits, { maxLength: 4 }))
    .map(([one, all]) => all.reduce((so, edit) => edit(so), one).slice(0, 12_000));

const meant = queries.map(explainQuery);
const asked = fc.oneof(
  { weight: 3, arbitrary: mistyped(meant) },
  { weight: 3, arbitrary: mistyped(typedQueries) },
  { weight: 1, arbitrary: fc.array(pieces, { maxLength: 20 }).map((all) => all.join("")) },
  { weight: 1, arbitrary: fc.array(pieces, { maxLength: 20 }).map((all) => all.join(" ")) },
);

const orderings =
  "score -score created_at -created_at page_count -page_count title -title source -source id -id data_k -data_k " +
  "updated_at data_ data_\0 -- -";
const numbers =
  "0 1 2 3 7 25 100 1000 1001 -1 1.5 1e3 0x2 NaN Infinity 9007199254740993 99999999999999999999 ٣ +2";

const cursorParts = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    0,
    -1,
    1.5,
    2 ** 53,
    -(2 ** 53),
    1e308,
    5e-324,
    "",
    "a",
    "\0",
    "\ud800",
    [],
    {},
    true,
  ),
  fc.constantFrom(
    "2024-02-29T23:59:59.999999Z",
    "0000-00-00",
    "9999-12-31T23:59:59Z",
    "::::",
    "Z".repeat(41),
  ),
  fc.maxSafeInteger(),
  fc.double(),
  anyText,
);
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? "").toString("base64url");
const cursors = fc.oneof(
  fc.array(cursorParts, { maxLength: 5 }).map(encoded),
  fc.tuple(cursorParts, fc.constant("2024-03-01T00:00:00.000000Z"), fc.nat({ max: 50 })).map(encoded),
  fc.tuple(cursorParts, cursorParts, cursorParts).map(encoded),
  fc.tuple(fc.constantFrom(null, 1), fc.constant("2024-03-01T00:00:00.000000Z"), cursorParts).map(encoded),
  fc.jsonValue().map(encoded),
  fc.constantFrom("", "*", "AoE", "%", "null", "W10", "e30", "bnVsbA", "A".repeat(5000)),
  anyText,
);

const from = (list: string): fc.Arbitrary<string> => mistyped(fc.constantFrom(...list.split(" ")));
const named = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly [string, string]> =>
  fc.tuple(fc.constantFrom(...name.split(" ")), value);
const parameter: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 2, arbitrary: named("sort order ordering", from(orderings)) },
  { weight: 4, arbitrary: named("sort order", fc.constantFrom(...orderings.split(" "))) },
  { weight: 2, arbitrary: named("hl explain notes mentions debug", from("true false TRUE 1 on")) },
  { weight: 2, arbitrary: named("hl", fc.constant("true")) },
  { weight: 3, arbitrary: named("version", fc.constantFrom("1.0", "2.0")) },
  { weight: 3, arbitrary: named("page per_page", from(numbers)) },
  { weight: 4, arbitrary: named("cursor", cursors) },
  { weight: 2, arbitrary: named("expand", from("user organization projects user,organization ~all x")) },
  { weight: 4, arbitrary: named("q user -user id title -text data_k page_no_1 created_at", asked) },
  { weight: 2, arbitrary: named("__proto__ toString - data_ page_no_x", asked) },
  // Most of these are refused before the search.
  { weight: 1, arbitrary: named("format version", from("json api x 1.0 2.0")) },
);

/** The parameters of a request, in the order in which they are sent; names may come twice. */
export const searchRequests: fc.Arbitrary<(readonly [string, string])[]> = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: asked.map((q) => [["q", q] as const]) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    fc.oneof(fc.constant([]), parametersBeside),
    fc.oneof(
      fc.constant([]),
      named("per_page", fc.constantFrom("2", "3", "7")).map((one) => [one]),
    ),
    fc.array(parameter, { maxLength: 3 }),
  )
  .map((parts) => parts.flat());
