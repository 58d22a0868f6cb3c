import { type Html, type HtmlContent, html } from "../text/html.ts";
import { type JsonToken, laidOut } from "../text/json-text.ts";
import { findWebAddresses } from "../text/web-address.ts";

/**
 * A JSON text as a person reads it: indented by four spaces, its kinds of token told apart by class, every web address
 * in a string a link. What is read is the text to the letter, escapes and all; a link leads to what the text means.
 */
export function jsonMarkup(json: string): Html {
  return html`${Array.from(laidOut(json, 4), tokenMarkup)}`;
}

function tokenMarkup({ kind, text }: JsonToken): HtmlContent {
  if (kind === "mark") return text;
  return html`<span class="${kind}">${kind === "string" ? withLinks(text) : text}</span>`;
}

function withLinks(literal: string): HtmlContent {
  // An escape could stand for any letter of "http".
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
    const shown = written(start, end);
    parts.push(written(done, start));
    parts.push(html`<a href="${address}" rel="nofollow noreferrer">${shown}</a>`);
    done = end;
  }
  return [...parts, written(done), '"'];
}

/** How each UTF-16 unit of a string is written; null where each stands for itself. */
function unitsOf(content: string): string[] | null {
  return content.includes("\\") ? content.match(/\\u[0-9a-f]{4}|\\?[^]/gi) : null;
}

const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function meaningOf(unit: string): string {
  if (unit.length === 1) return unit;
  if (unit.length === 6) return String.fromCharCode(Number.parseInt(unit.slice(2), 16));
  return controls[unit.slice(1)] ?? unit.slice(1);
}
