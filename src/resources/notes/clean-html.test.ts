import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlCleaner } from "./clean-html.ts";
import { runs } from "../../testing/runs.ts";

const clean = async (text: string): Promise<string> => (await htmlCleaner(text))(text);

const pieces = [
  "<script>",
  "</script>",
  "<svg onload=x()>",
  "<b>",
  "</b>",
  "<a href=",
  "'",
  '"',
  ">",
  "<",
  "&",
  "&lt;",
  "javascript:",
  "JaVaScRiPt:x()",
  "&#106;avascript:",
  "data:text/html,x",
  "//evil.example",
  "http://a.example",
  "<p style=x>",
  "<iframe src=x>",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<style>",
  "</style>",
  "<textarea>",
  "<math><mtext>",
  "<noscript>",
  "</noscript>",
  "<template>",
  "\0",
  "\n",
  " onclick=x() ",
  "text",
  "<h1>",
  "/",
];
const piece = fc.constantFrom(...pieces);

/** Tags that are never closed, or are closed in another order. */
function openTags(left: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = ""] of left.matchAll(/<(\/?)(\w+)/g)) {
    if (name === "br" || name === "hr") continue;
    if (slash === "") open.push(name);
    else if (open.at(-1) === name) open.pop();
    else open.push(`/${name}`);
  }
  return open;
}

describe("htmlCleaner", () => {
  it.each([
    ["plain text\nwith “quotes” and 'others'", "plain text\nwith “quotes” and 'others'"],
    ["a & b < c", "a &amp; b &lt; c"],
    ["<ul><li>one<li>two</ul>", "<ul><li>one</li><li>two</li></ul>"],
    ["<h1>Title</h1><div>Text</div>", "TitleText"],
    ['<a href="//evil.example/">x</a>', '<a rel="noopener nofollow">x</a>'],
    [
      '<a href="mailto:a@b.example" rel="opener">x</a>',
      '<a href="mailto:a@b.example" rel="noopener nofollow">x</a>',
    ],
    ["<form action=x><input name=y></form>z", "z"],
    ["<b>open", "<b>open</b>"],
  ])("turns %j into %j", async (sent, left) => {
    expect(await clean(sent)).toBe(left);
  });

  it("returns only allowed tags and attributes, and closes every tag", async () => {
    const tag =
      /<\/?(?:a|b|blockquote|br|code|em|h[3-6]|hr|i|li|ol|p|pre|q|s|small|strong|sub|sup|u|ul)(?: (?:href|title|rel)="[^"<>]*")*(?: \/)?>/g;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (those) => {
        const left = await clean(those.join(""));
        expect(left.replaceAll(tag, "")).not.toMatch(/[<>]/);
        for (const [, address = ""] of left.matchAll(/ href="([^"]*)"/g))
          expect(address).not.toMatch(/^\s*(?!https?:|mailto:)[a-z]+:|^\/\//i);
        expect(openTags(left)).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });
});
