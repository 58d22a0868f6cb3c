import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html } from "./html.ts";

describe("html", () => {
  it("keeps the text of the template", () => {
    expect(html`<p class="a">1 &amp; 2</p>`.toString()).toBe(`<p class="a">1 &amp; 2</p>`);
  });

  it("escapes values in content and in attributes", () => {
    expect(html`<p title="${`"'`}">${"<b> & </b>"}</p>`.toString()).toBe(
      `<p title="&#34;&#39;">&#60;b&#62; &#38; &#60;/b&#62;</p>`,
    );
  });

  it("keeps markup unchanged, however deeply it is nested", () => {
    const items = ["<", ">"].map((text) => html`<i>${text}</i>`);
    const list = [items, [html`<b></b>`]];
    expect(html`<p>${list}</p>`.toString()).toBe("<p><i>&#60;</i><i>&#62;</i><b></b></p>");
  });

  it("shows numbers, and nothing for missing values", () => {
    expect(html`${0}|${1.5}|${null}${undefined}${false}${""}${[]}|`.toString()).toBe("0|1.5||");
  });

  it("rejects an object that only looks like markup", () => {
    const lookalike = { toString: () => "<script>" };
    // @ts-expect-error: it is not Html
    expect(() => html`${lookalike}`.toString()).toThrow(TypeError);
  });

  it("never turns text into markup or loses any of it", () => {
    const text = fc.oneof(
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
      fc.string({ unit: fc.constantFrom("<", ">", "&", '"', "'", "/", "!", "-", "#", ";", "a", "3", "4") }),
    );
    fc.assert(
      fc.property(text, (value) => {
        const inAttribute = html`<a title="${value}"></a>`.toString();
        const inContent = html`<a>${[value]}</a>`.toString();
        const escaped = inAttribute.slice(`<a title="`.length, -`"></a>`.length);
        expect(inContent).toBe(`<a>${escaped}</a>`);
        expect(escaped).not.toMatch(/[<>"']|&(?!#\d+;)/);
        expect(escaped.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(value);
      }),
    );
  });
});
