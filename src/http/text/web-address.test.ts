import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findWebAddresses, isWebAddress } from "./web-address.ts";

describe("a web address", () => {
  it.each([
    "http://a.org",
    "https://a.org/b?c=1&d=%20#e",
    "HTTPS://A.ORG/",
    "https://bücher.example/ü",
    "http://[::1]:8000/",
    "https://a.org/(b).",
  ])("is %s", (text) => {
    expect(isWebAddress(text)).toBe(true);
  });

  it.each([
    "",
    "a.org",
    "//a.org",
    "/documents/1",
    "ftp://a.org",
    "javascript:alert(1)",
    "java\nscript://a",
    "javascript:alert(1)//https://a.org",
    " https://a.org",
    "https://a.org\n",
    "https://a.org/b c",
    "https://",
    "https:a.org",
    "https://a.org:99999/",
  ])("is not %j", (text) => {
    expect(isWebAddress(text)).toBe(false);
  });

  it("is always http or https, whatever the text", () => {
    const pieces = [
      "http",
      "://",
      "s",
      ":",
      "/",
      "\\",
      ".",
      "@",
      " ",
      "\t",
      "\n",
      "\u0000",
      "a",
      "javascript:",
    ];
    const text = fc.string({ unit: fc.constantFrom(...pieces) });
    fc.assert(
      fc.property(text, (value) => {
        for (const { start, end } of findWebAddresses(value)) {
          expect(new URL(value.slice(start, end), "ftp://base/").protocol).toMatch(/^https?:$/);
        }
      }),
    );
  });
});

const found = (text: string): string[] =>
  findWebAddresses(text).map(({ start, end }) => text.slice(start, end));

describe("addresses in a text", () => {
  it("are the whole text if it is an address", () => {
    expect(found("https://a.org/what?(yes).")).toEqual(["https://a.org/what?(yes)."]);
  });

  it.each([
    ["See https://a.org/b.", ["https://a.org/b"]],
    ["(see https://a.org/b)", ["https://a.org/b"]],
    ["https://a.org/b_(c)) and", ["https://a.org/b_(c)"]],
    ["https://a.org/b_(c), and", ["https://a.org/b_(c)"]],
    ["“https://a.org/b”, http://c.org!?", ["https://a.org/b", "http://c.org"]],
    ["<https://a.org/b>", ["https://a.org/b"]],
    [`"https://a.org/b"`, ["https://a.org/b"]],
    ["nothttp://a.org", []],
    ["http:// https://) http://.", []],
    ["😀 https://a.org 😀", ["https://a.org"]],
  ])("of %j", (text, addresses) => {
    expect(found(text)).toEqual(addresses);
  });
});
