import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indentJson, laidOut } from "./json-text.ts";

/** JSON texts from other programs: with any white space, and with numbers and strings that do not survive parsing. */
const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
const lexeme = fc.oneof(
  fc.constantFrom("1.0", "-0", "12345678901234567890", "1E+05", "1.10e-7", "true", "false", "null"),
  fc.constantFrom('"\\/"', '"\\u0026"', '"\\uD83D"', '"\\"\\\\"', '"{[,:]}"', '"  "', '""'),
  fc.json({ maxDepth: 0 }),
);
const jsonText = fc.letrec<{ value: string }>((tie) => {
  const value = tie("value");
  const spaced = fc.tuple(space, value, space).map((parts) => parts.join(""));
  const key = fc
    .tuple(space, fc.string(), space)
    .map(([before, name, after]) => before + JSON.stringify(name) + after);
  const member = fc.tuple(key, spaced).map((parts) => parts.join(":"));
  const items = fc.oneof(
    space,
    fc.array(spaced, { minLength: 1 }).map((parts) => parts.join(",")),
  );
  const members = fc.oneof(
    space,
    fc.array(member, { minLength: 1 }).map((parts) => parts.join(",")),
  );
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      lexeme,
      items.map((text) => `[${text}]`),
      members.map((text) => `{${text}}`),
    ),
  };
}).value;

describe("the layout of a JSON text", () => {
  it("is that of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 8 }), (value, spaces) => {
        const expected = JSON.stringify(value, null, spaces);
        expect(indentJson(JSON.stringify(value), spaces)).toBe(expected);
        expect(indentJson(JSON.stringify(value, null, "\t"), spaces)).toBe(expected);
      }),
    );
  });

  it("changes nothing but the white space between tokens", () => {
    fc.assert(
      fc.property(jsonText, (json) => {
        const indented = indentJson(json, 4);
        expect(withoutSpace(indented)).toBe(withoutSpace(json));
        expect(JSON.parse(indented)).toEqual(JSON.parse(json));
        expect(indentJson(indented, 4)).toBe(indented);
      }),
    );
  });

  it("keeps numbers and strings to the letter", () => {
    expect(indentJson(`{"a":[1.0,12345678901234567890,-0,1E+05],"b":"\\u0026\\/ {"}`, 4)).toBe(
      [
        "{",
        `    "a": [`,
        "        1.0,",
        "        12345678901234567890,",
        "        -0,",
        "        1E+05",
        "    ],",
        `    "b": "\\u0026\\/ {"`,
        "}",
      ].join("\n"),
    );
  });

  it("distinguishes keys from strings", () => {
    const kinds = Array.from(laidOut(`{"key":["string",{"key" :"string"},-1,null]}`, 4))
      .filter(({ kind }) => kind !== "mark")
      .map(({ kind, text }) => `${kind} ${text}`);
    expect(kinds).toEqual([
      `key "key"`,
      `string "string"`,
      `key "key"`,
      `string "string"`,
      "number -1",
      "literal null",
    ]);
  });

  it("handles a very long string", () => {
    const long = JSON.stringify("\\\n<".repeat(1_000_000));
    expect(indentJson(long, 4) === long).toBe(true);
  });
});

/** A slow reference implementation, character by character. */
function withoutSpace(json: string): string {
  let inString = false;
  let kept = "";
  for (let index = 0; index < json.length; index++) {
    const character = json.charAt(index);
    if (inString && character === "\\") kept += character + json.charAt(++index);
    else if (inString || !" \n\r\t".includes(character)) kept += character;
    if (character === '"') inString = !inString;
  }
  return kept;
}
