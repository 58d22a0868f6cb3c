import sanitizeHtml from "sanitize-html";

const blocks = (
  "address article aside blockquote caption dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
  "header hr li main nav ol p section table title tr ul br pre td th"
).split(" ");

/** The visible text of an HTML page: a line for each block, tabs between the cells of a table. */
export function textOfHtml(html: string): string {
  const clean = sanitizeHtml(html, {
    allowedTags: blocks,
    allowedAttributes: {},
    nonTextTags: ["script", "style", "textarea", "option", "noscript", "template"],
    enforceHtmlBoundary: false,
  });
  return (
    clean
      // Parts with an odd index are preformatted.
      .split(/<\/?pre>/)
      .map((part, index) => (index % 2 === 1 ? `\n${part}\n` : part.replaceAll(/\s+/g, " ")))
      .join("")
      .replaceAll(/ ?<\/?t[dh]> ?/g, (tag) => (tag.includes("/") ? "\t" : ""))
      .replaceAll(/ ?<br ?\/?> ?/g, "\n")
      .replaceAll(/ ?<li> ?/g, "\n- ")
      .replaceAll(/ ?<\/?(?:p|h[1-6]|table|ul|ol|blockquote|title)> ?/g, "\n\n")
      .replaceAll(/ ?<[^>]*> ?/g, "\n")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&")
      // From the first blank of several alone: otherwise the time grows with the square of their number.
      .replaceAll(/(?<![ \t])[ \t]+\n/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim()
  );
}
