/**
 * Markup, and known to be such: only `html` makes it, so a text can never stand where markup is meant. Of the packages
 * for this, some hand back plain strings, which the next template escapes again unless someone vouches for them, and
 * others bring a browser's data or a framework along.
 */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = Markup;

/** What a template takes in: text is escaped, markup stays, lists are joined, nothing is left out. */
export type HtmlContent = Html | string | number | null | undefined | false | readonly HtmlContent[];

/**
 * Markup from a template. Values are safe as the content of an element and between the double quotes of an
 * attribute; not within `<script>`, `<style>`, a tag's name or an attribute without quotes. That an address may be
 * linked to is for the caller to know.
 */
export function html(parts: TemplateStringsArray, ...contents: HtmlContent[]): Html {
  return new Markup(parts.map((part, index) => part + render(contents[index])).join(""));
}

/** Markup that came from elsewhere, and was cleaned: whoever calls vouches for it. */
export function markupFrom(cleaned: string): Html {
  return new Markup(cleaned);
}

function render(content: HtmlContent): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Markup) return content.toString();
  if (typeof content === "object") return content.map(render).join("");
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
