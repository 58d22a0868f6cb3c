import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../errors.ts";
import { anyText } from "../../testing/texts.ts";
import { type Cursor, type CursorOrdering, decodeCursor, encodeCursor, listStart } from "./cursor.ts";
import { runs } from "../../testing/runs.ts";

const id = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const storable = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
const value = fc.oneof(fc.constant(null), fc.maxSafeInteger(), storable);
const byId: fc.Arbitrary<Cursor> = fc.record({
  reverse: fc.boolean(),
  offset: fc.integer({ min: 0, max: 1000 }),
  ordering: fc.constant(null),
  key: fc.record({ id }),
});
const byValue: fc.Arbitrary<Cursor> = fc.record({
  reverse: fc.boolean(),
  offset: fc.constant(0),
  ordering: fc.constantFrom("-id", "title", "-page_count", "data_cid"),
  key: fc.record({ id, value }),
});

const ofAnyValue = (name: string | null): CursorOrdering | null =>
  name === null ? null : { name, mayHave: () => true };

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** The result of decoding: a cursor, or the response that refuses it. */
function attempt(
  encoded: string,
  ordering: string | null = null,
): Cursor | { status: number; body: unknown } {
  try {
    return decodeCursor(encoded, ofAnyValue(ordering));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: error.body };
  }
}

const refused = { status: 404, body: { detail: "Invalid cursor" } };

describe("a cursor", () => {
  it("survives encoding and decoding", () => {
    fc.assert(
      fc.property(fc.oneof(byId, byValue), (cursor) => {
        expect(decodeCursor(encodeCursor(cursor), ofAnyValue(cursor.ordering))).toEqual(cursor);
      }),
    );
  });

  it.each<[string, Cursor]>([
    ["cD0y", { ...listStart, key: { id: 2 } }],
    ["cj0xJnA9Mw==", { ...listStart, reverse: true, key: { id: 3 } }],
    ["cj0x", { ...listStart, reverse: true }],
    [base64("o=7&r=1&p=5"), { reverse: true, offset: 7, ordering: null, key: { id: 5 } }],
  ])("is written as Django REST framework writes it: %s", (encoded, cursor) => {
    expect(encodeCursor(cursor)).toBe(encoded);
    expect(decodeCursor(encoded, null)).toEqual(cursor);
  });

  it.each(["", "!!!", "=", "-_-"])("counts as missing if it has no base64 character: %j", (encoded) => {
    expect(attempt(encoded)).toEqual(listStart);
  });

  it("skips line ends and characters outside base64", () => {
    expect(attempt("c!D\n0 y")).toEqual({ ...listStart, key: { id: 2 } });
  });

  it("takes any number but 0 for reverse, as Django REST framework does", () => {
    for (const [reverse, isReverse] of [
      ["0", false],
      ["00", false],
      ["1", true],
      ["-1", true],
      ["12", true],
    ] as const)
      expect(attempt(base64(`r=${reverse}&p=5`))).toEqual({
        ...listStart,
        reverse: isReverse,
        key: { id: 5 },
      });
  });

  it("takes padding that is longer than needed, or in pieces", () => {
    for (const encoded of ["cD0y=", "cD0y====", "cj0xJnA9Mw===", "cj0xJnA9Mw=!=", "cj0xJnA9Mw==cD0y"])
      expect(attempt(encoded)).toMatchObject({ key: { id: encoded.startsWith("cD") ? 2 : 3 } });
  });

  it("limits an offset to 1000, as DocumentCloud does", () => {
    for (const [offset, limited] of [
      [999, 999],
      [1000, 1000],
      [1001, 1000],
      [999_999_999_999_999, 1000],
    ]) {
      expect(attempt(base64(`o=${offset}&p=5`))).toMatchObject({ offset: limited });
    }
  });

  it("takes an id beyond the safe integers for the nearest of them", () => {
    const limit = BigInt(Number.MAX_SAFE_INTEGER);
    const edges = [limit, limit + 1n, 2n ** 63n - 1n, 10n ** 19n - 1n].flatMap((edge) => [edge, -edge]);
    const ids = fc.oneof(
      fc.constantFrom(...edges),
      fc.bigInt({ min: 1n - 10n ** 19n, max: 10n ** 19n - 1n }),
    );
    fc.assert(
      fc.property(ids, fc.boolean(), (wanted, reverse) => {
        const nearest = wanted > limit ? limit : wanted < -limit ? -limit : wanted;
        const cursor = attempt(base64(`${reverse ? "r=1&" : ""}p=${wanted}`));
        expect(cursor).toEqual({ ...listStart, reverse, key: { id: Number(nearest) } });
      }),
    );
  });

  it.each([
    ["a length that base64 cannot have", "bad"],
    ["one letter", "c"],
    ["a letter with the padding of three", "cD0yc==="],
    ["missing padding", "cj0xJnA9Mw"],
    ["half of the padding", "cj0xJnA9Mw="],
    ["half of the padding, and other characters", "cj0xJnA9Mw=!!"],
    ["half of the padding, and another letter", "cj0xJnA9Mw=x"],
    ["a letter beyond ASCII", "cD0yé"],
    ["bytes that are not ASCII", "zzzz"],
    ["a position that is not a number", base64("p=abc")],
    ["an empty position", base64("p=")],
    ["half a position", base64("p=1.5")],
    ["a position with a letter before it", base64("p=x1")],
    ["a position with a letter after it", base64("p=1x")],
    ["a position of twenty digits", base64(`p=${"1".repeat(20)}`)],
    ["an offset that is not a number", base64("o=x&p=1")],
    ["an empty offset", base64("o=&p=1")],
    ["an offset below zero", base64("o=-1&p=1")],
    ["an offset with a letter after it", base64("o=1x&p=1")],
    ["an offset with a letter before it", base64("o=x1&p=1")],
    ["an offset of sixteen digits", base64(`o=${"1".repeat(16)}&p=1`)],
    ["a direction that is not a number", base64("r=back&p=1")],
    ["a direction with a letter before it", base64("r=x1&p=1")],
    ["a direction with a letter after it", base64("r=1x&p=1")],
    ["a direction of sixteen digits", base64(`r=${"1".repeat(16)}&p=1`)],
    ["an array with null as its ordering", base64('[null,0,1,"a"]')],
    ["a key for an ordering that was not requested", base64('["title",0,1,"a"]')],
    ["a broken array", base64('["title"')],
    ["an array of something else", base64("[1,2,3,4]")],
  ])("is refused for %s", (_, encoded) => {
    expect(attempt(encoded)).toEqual(refused);
  });

  it.each([
    ["too few parts", ["title", 0, 1]],
    ["too many parts", ["title", 0, 1, "a", 2]],
    ["another ordering", ["source", 0, 1, "a"]],
    ["the same column in reverse", ["-title", 0, 1, "a"]],
    ["an invalid direction", ["title", 2, 1, "a"]],
    ["a direction that is no number", ["title", true, 1, "a"]],
    ["half an id", ["title", 0, 1.5, "a"]],
    ["an id beyond the safe integers", ["title", 0, 2 ** 53, "a"]],
    ["a fraction as a value", ["title", 0, 1, 0.5]],
    ["an object as a value", ["title", 0, 1, {}]],
    ["a truth value", ["title", 0, 1, true]],
    ["a value that a database cannot store", ["title", 0, 1, "\0"]],
    ["half a character", ["title", 0, 1, "\ud800"]],
  ])("of an ordering is refused for %s", (_, parts) => {
    expect(attempt(base64(JSON.stringify(parts)), "title")).toEqual(refused);
  });

  it("of an ordering is refused for a value that no row of it has", () => {
    const encoded = base64('["page_count",0,1,"many"]');
    const numbers = { name: "page_count", mayHave: (found: unknown) => typeof found === "number" };
    expect(() => decodeCursor(encoded, numbers)).toThrow(ApiError);
    expect(decodeCursor(base64('["page_count",0,1,7]'), numbers)).toMatchObject({ key: { id: 1, value: 7 } });
  });

  it("of the default ordering is refused by other orderings", () => {
    expect(attempt("cD0y", "title")).toEqual(refused);
  });

  it("at an end of the list is valid in every ordering", () => {
    expect(attempt("cj0x", "-title")).toEqual({ ...listStart, reverse: true, ordering: "-title" });
    expect(attempt("", "-title")).toEqual({ ...listStart, ordering: "-title" });
  });

  it("is a valid position or is refused, whatever the text", () => {
    const text = fc.oneof(
      anyText,
      fc.base64String(),
      anyText.map(base64),
      fc.webQueryParameters().map(base64),
      fc.json().map(base64),
      fc.array(fc.jsonValue(), { minLength: 4, maxLength: 4 }).map((parts) => base64(JSON.stringify(parts))),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(null, "title", "-page_count"), (encoded, ordering) => {
        const cursor = attempt(encoded, ordering);
        const expected: unknown =
          "status" in cursor ? refused : { ...cursor, ordering, offset: Math.min(cursor.offset, 1000) };
        expect(cursor).toEqual(expected);
        expect("status" in cursor ? 0 : (cursor.key?.id ?? 0)).toSatisfy(Number.isSafeInteger);
      }),
      { numRuns: runs(200) },
    );
  });
});
