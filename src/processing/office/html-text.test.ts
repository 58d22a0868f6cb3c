import { describe, expect, it } from "vitest";
import { textOfHtml } from "./html-text.ts";

describe("the text of an HTML page", () => {
  it("has lines for blocks, and none of the blanks at their ends", () => {
    expect(textOfHtml("<p>One <b>two</b></p><pre>a  \t\n  b \n</pre><li>three")).toBe(
      "One two\n\na\n  b\n\n- three",
    );
  });

  it("takes no longer than its length, however many blanks are in a row", () => {
    const blanks = " ".repeat(500_000);
    expect(textOfHtml(`<pre>x${blanks}y</pre>`)).toBe(`x${blanks}y`);
    expect(textOfHtml("<td></td>".repeat(50_000))).toBe("");
  });
});
