/**
 * Text that is known to be markup: only `html` creates it, so plain text can never be mistaken for markup. Of the
 * packages for this, some return plain strings, which the next template escapes again unless they are marked as safe.
 * Others bring a browser's data or a framework with them.
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

/**
 * The values that a template accepts: text is escaped, markup stays, lists are joined, null, undefined and false are
 * empty.
 */
export type HtmlContent = Html | string | number | null | undefined | false | readonly HtmlContent[];

/**
 * Creates markup from a template. Values are safe as the content of an element and between the double quotes of an
 * attribute; not in `<script>`, `<style>`, a tag's name or an unquoted attribute. The caller must know that an
 * address is safe to link to.
 */
export function html(parts: TemplateStringsArray, ...contents: HtmlContent[]): Html {
  return new Markup(parts.map((part, index) => part + render(contents[index])).join(""));
}

/** Attributes of an element. One that is true has no value. The names are markup. */
export function attributesFrom(attributes: readonly (readonly [name: string, value: string | true])[]): Html {
  return html`${attributes.map(([name, value], index) => {
    const start = markupFrom(index === 0 ? name : ` ${name}`);
    return value === true ? start : html`${start}="${value}"`;
  })}`;
}

/** Accepts sanitized markup from elsewhere: the caller guarantees that it is safe. */
export function markupFrom(cleaned: string): Html {
  return new Markup(cleaned);
}

function render(content: HtmlContent): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Markup) return content.toString();
  if (typeof content === "object") return content.map(render).join("");
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
