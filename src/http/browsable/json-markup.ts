import { type Html, type HtmlContent, html } from "../text/html.ts";
import { type JsonToken, laidOut } from "../text/json-text.ts";
import { findWebAddresses } from "../text/web-address.ts";

/**
 * Renders a JSON text for people: indented by four spaces, with a class for each kind of token and a link for every
 * web address in a string. The visible text is exactly the JSON, escapes included; a link points to the decoded
 * address.
 */
export function jsonMarkup(json: string): Html {
  return html`${Array.from(laidOut(json, 4), tokenMarkup)}`;
}

function tokenMarkup({ kind, text }: JsonToken): HtmlContent {
  if (kind === "mark") return text;
  return html`<span class="${kind}">${kind === "string" ? withLinks(text) : text}</span>`;
}

function withLinks(literal: string): HtmlContent {
  // Any letter of "http" may be written as an escape.
  if (!/http|\\u/i.test(literal)) return literal;
  const content = literal.slice(1, -1);
  const units = unitsOf(content);
  const text = units === null ? content : units.map(meaningOf).join("");
  const written = (start: number, end?: number): string =>
    units === null ? content.slice(start, end) : units.slice(start, end).join("");

  const parts: HtmlContent[] = ['"'];
  let done = 0;
  for (const { start, end } of findWebAddresses(text)) {
    const address = text.slice(start, end);
    const linkText = written(start, end);
    parts.push(written(done, start));
    parts.push(html`<a href="${address}" rel="nofollow noreferrer">${linkText}</a>`);
    done = end;
  }
  return [...parts, written(done), '"'];
}

/** The spelling of each UTF-16 code unit of a string; null if none is escaped. */
function unitsOf(content: string): string[] | null {
  return content.includes("\\") ? content.match(/\\u[0-9a-f]{4}|\\?[^]/gi) : null;
}

const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function meaningOf(unit: string): string {
  if (unit.length === 1) return unit;
  if (unit.length === 6) return String.fromCharCode(Number.parseInt(unit.slice(2), 16));
  return controls[unit.slice(1)] ?? unit.slice(1);
}
