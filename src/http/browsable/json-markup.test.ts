import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonMarkup } from "./json-markup.ts";
import { indentJson, indentedParts } from "../text/json-text.ts";

const ownTag =
  /^(<span class="(key|string|number|literal)">|<\/span>|<a href="https?:[^"]*" rel="nofollow noreferrer">|<\/a>)$/i;

describe("JSON as markup", () => {
  it("gives each kind of token a class", () => {
    expect(jsonMarkup(`{"a":["b",1.0,null]}`).toString()).toBe(
      [
        "{",
        `    <span class="key">&#34;a&#34;</span>: [`,
        `        <span class="string">&#34;b&#34;</span>,`,
        `        <span class="number">1.0</span>,`,
        `        <span class="literal">null</span>`,
        "    ]",
        "}",
      ].join("\n"),
    );
  });

  it("indents in parts as it does at once", async () => {
    const json = JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, title: `"é" {${id}}` })));
    const parts = await Array.fromAsync(indentedParts(json, 2));
    expect(parts.length).toBeGreaterThan(3);
    expect(Buffer.concat(parts).toString()).toBe(indentJson(json, 2));
  });

  it("shows exactly the indented JSON and adds no markup from its texts", () => {
    const anything = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
    const text = fc.oneof(anything, fc.webUrl({ withQueryParameters: true }), fc.constant("<b>"));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const json = JSON.stringify(pairs.map(([key, value]) => ({ [key]: value, list: [value] })));
        const markup = jsonMarkup(json).toString();
        expect(textOf(markup)).toBe(indentJson(json, 4));
        const tags = Array.from(markup.matchAll(/<[^>]*>/g), ([tag]) => tag);
        expect(tags.filter((tag) => !ownTag.test(tag))).toEqual([]);
      }),
    );
  });

  it("links every address in strings, and nowhere else", () => {
    const markup = jsonMarkup(
      `{"https://key.org":"https://a.org/","b":"see http://b.org, or","c":["https://c.org"]}`,
    );
    expect(linksOf(markup.toString())).toEqual([
      ["https://a.org/", "https://a.org/"],
      ["http://b.org", "http://b.org"],
      ["https://c.org", "https://c.org"],
    ]);
  });

  it("links to the decoded address and shows it as it is written", () => {
    const written = "h\\u0074tps:\\/\\/a.org\\/?b=1\\u0026c=2&d=\\ud83d\\ude00";
    expect(linksOf(jsonMarkup(`{"a":"${written}"}`).toString())).toEqual([
      ["https://a.org/?b=1&c=2&d=😀", written],
    ]);
    expect(linksOf(jsonMarkup(`["\\"${written}\\" is"]`).toString())).toEqual([
      ["https://a.org/?b=1&c=2&d=😀", written],
    ]);
  });

  it("links every address that a parser would find", () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (address) => {
        expect(linksOf(jsonMarkup(JSON.stringify({ address })).toString())).toEqual([[address, address]]);
        expect(linksOf(jsonMarkup(`["${escaped(address)}"]`).toString())).toEqual([
          [address, escaped(address)],
        ]);
      }),
    );
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//a.org", "ftp://a.org", "HTTP:a"])(
    "does not link %s",
    (text) => {
      expect(jsonMarkup(JSON.stringify([text])).toString()).not.toContain("<a ");
    },
  );
});

/** Writes every third letter as an escape. */
function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, index) =>
    index % 3 === 0 ? `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}` : text.charAt(index),
  ).join("");
}

/** The target and the visible text of each link. */
function linksOf(markup: string): string[][] {
  return Array.from(markup.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g), ([, target = "", text = ""]) => [
    unescaped(target),
    unescaped(text),
  ]);
}

const textOf = (markup: string): string => unescaped(markup.replaceAll(/<[^>]*>/g, ""));

function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
