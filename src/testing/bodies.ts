import * as fc from "fast-check";
import type { Published, Shape, WrittenOperation } from "./published.ts";
import { anyText } from "./texts.ts";

/** Values as JSON text, because JSON.stringify would not produce some of them. */
export const hardValues = [
  "null true false 0 -1 0.1 -0 1e400 -1e309 9223372036854775808 99999999999999999999 1e-400 7 2",
  '"" " " "0" "1" "x" "a.b" [] {} [[]] [{}] [null] {"":""} "\\u0000" "a\\u0000b" "\\ud800" "\\udc00x" "\\uffff"',
  '"__proto__" {"__proto__":{"x":1}} {"constructor":1} {"toString":["a"],"a":["b"]} {"a":1,"a":["b"]} ["__proto__"]',
  '"public" "invisible" "2025-01-01" "2025-13-45" "+999999-01-01T00:00:00Z" "0000-00-00" "http://"',
  '"javascript:alert(1)" "http://example.org/\\u0000" "ftp://a.b/\\ud800" {"a":["\\ud800"]} {"a":["\\u0000"]}',
  '{"a":[[["x"]]]} {"\\u0000":[]} [1,1]',
]
  .join(" ")
  .split(" ");

/** Those that are refused by a database, or changed by it, if they reach it. */
export const valuesForDatabases =
  '"a\\u0000b" "\\ud800" 9223372036854775808 ["\\u0000"] 1e400 {"a":["\\u0000"]} [99999999999999999999]'.split(
    " ",
  );

/** How deep the nested bodies are. */
export const depth = 100_000;

export const hugeValues = [
  `"${"x".repeat(1_000_000)}"`,
  `"${"\u{1F600}".repeat(250_000)}"`,
  "9".repeat(100_000),
  "[".repeat(depth) + "]".repeat(depth),
  `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
  `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  `[${"1,".repeat(200_000)}1]`,
  `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":["${index}"]`).join()}}`,
];

export const anyValue: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...hardValues), weight: 6 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)), weight: 2 },
  { arbitrary: anyText.map((text) => JSON.stringify(text)), weight: 2 },
);

/** Names that no operation has. */
export const oddNames = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "a\\u0000",
  "\\ud800",
  "0",
];

/** The names that a body of this operation may be given: its members, those of its answer, and odd ones. */
export function namesFor({ shape, answered }: WrittenOperation): string[] {
  return [...new Set([...Object.keys(shape.properties ?? {}), ...answered, ...oddNames])];
}

/** An object as JSON: these members, the last of which may repeat the name of an earlier one. */
export function objectOf(members: readonly (readonly [name: string, value: string])[]): string {
  return `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`;
}

/** The members of an example as {@link objectOf} takes them, or only those that the operation requires. */
export function exampleMembers(
  { example, shape }: WrittenOperation,
  { isWhole }: { isWhole: boolean },
): [string, string][] {
  return Object.entries(example)
    .filter(([name]) => isWhole || shape.required?.includes(name) === true)
    .map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
}

/**
 * Values of a published schema as JSON, about a quarter of whose parts are wrong, on every level. `known` has values
 * for members of these names, wherever they are.
 */
export function bodiesOf(
  published: Published,
  shape: Shape,
  known: Readonly<Record<string, fc.Arbitrary<string>>> = {},
): fc.Arbitrary<string> {
  const spoilt = (part: Shape): fc.Arbitrary<string> =>
    fc.oneof({ arbitrary: right(part), weight: 4 }, { arbitrary: anyValue, weight: 1 });
  const right = (given: Shape): fc.Arbitrary<string> => {
    const part = published.resolve(given);
    const variants = part.oneOf ?? part.anyOf;
    if (variants !== undefined) return fc.oneof(...variants.map(right));
    if (part.enum !== undefined) return fc.constantFrom(...part.enum.map((value) => JSON.stringify(value)));
    return fc.oneof(...[part.type ?? "object"].flat().map((type) => ofType(type, part)));
  };
  const ofType = (type: string, part: Shape): fc.Arbitrary<string> => {
    switch (type) {
      case "object":
        return objects(part);
      case "array":
        return fc.array(spoilt(part.items ?? {}), { maxLength: 3 }).map((items) => `[${items.join()}]`);
      case "string":
        return texts(part.format);
      case "integer":
        return fc.nat({ max: 3 }).map(String);
      case "number":
        return fc.double({ min: 0, max: 1, noNaN: true }).map((value) => JSON.stringify(value));
      case "boolean":
        return fc.constantFrom("true", "false");
      default:
        return fc.constant("null");
    }
  };
  const objects = ({ properties = {}, required = [] }: Shape): fc.Arbitrary<string> => {
    const members = Object.entries(properties).map(([name, member]) => {
      const values = known[name] ?? spoilt(member);
      const pair = values.map((value) => [name, value] as const);
      const isLikely = required.includes(name) ? 12 : 2;
      return fc.oneof({ arbitrary: pair, weight: isLikely }, { arbitrary: fc.constant(null), weight: 1 });
    });
    const odd = fc.option(fc.tuple(fc.constantFrom(...oddNames, ...Object.keys(properties)), anyValue), {
      freq: 3,
    });
    return fc
      .tuple(fc.tuple(...members), odd)
      .map(([usual, more]) => objectOf([...usual, more].filter((one) => one !== null)));
  };
  return right(shape);
}

function texts(format: string | undefined): fc.Arbitrary<string> {
  const usual = {
    "date-time": ["2030-01-31T12:00:00Z", "2030-01-31", "9999-12-31T23:59:60Z", "12:00"],
    "uri-reference": ["https://example.org/page", "/page", "//", "http://[::1", "https://example.org/#"],
  }[format ?? ""] ?? ["An example", "1", "a".repeat(300), "é\u{1F600}"];
  return fc
    .oneof({ arbitrary: fc.constantFrom(...usual), weight: 3 }, { arbitrary: anyText, weight: 1 })
    .map((text) => JSON.stringify(text));
}
