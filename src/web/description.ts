import { type Html, html, markupFrom } from "../http/text/html.ts";
import { htmlCleaner } from "../resources/notes/clean-html.ts";

/**
 * Renders a description. It may contain Markdown and HTML from anyone who may write documents, because DocumentCloud's
 * clients render both. The result has simple formatting and links, but nothing executable. The libraries are loaded for
 * the first description that needs them.
 */
export async function renderDescription(description: string): Promise<Html> {
  if (!/[<>&*_`#[\]\n~|\\-]|\d[.)]|https?:/.test(description)) return html`<p>${description}</p>`;
  const { marked } = await import("marked");
  const markup = marked.parse(description, { async: false, breaks: true, gfm: true });
  const clean = await htmlCleaner(markup);
  return markupFrom(clean(markup));
}
