import type { Formats } from "./formats.ts";

/*
 * Texts with values, in the part of ICU's MessageFormat that the catalogues use: `{name}`, `{name, number}` and
 * `{name, plural, =0 {…} one {…} other {…}}`, in which `#` is the number. Apostrophes have no meaning of their own.
 */

/** What a text shows, by name. A list is joined as the language joins lists. */
export type Shown = Readonly<Record<string, string | number | readonly string[]>>;

/** A text with its values filled in. */
export type Message = (shown: Shown) => string;

export type Part = string | Value | Plural;

export interface Value {
  readonly name: string;
  readonly isNumber: boolean;
}

/** Forms by category, and by number after an equals sign. A category that is not there is the same as `other`. */
export interface Plural {
  readonly name: string;
  readonly forms: ReadonlyMap<string, readonly Part[]>;
}

/** Throws an error that names the text if it is no message. */
export function messageOf(text: string, formats: Formats): Message {
  const parts = readMessage(text);
  return (shown) => filled(parts, shown, formats, null);
}

/** `counted` is the number of the plural that the parts belong to. */
function filled(parts: readonly Part[], shown: Shown, formats: Formats, counted: number | null): string {
  return parts
    .map((part) => {
      if (typeof part === "string")
        return counted === null ? part : part.replaceAll("#", formats.number(counted));
      const value = shown[part.name];
      if ("isNumber" in part) return part.isNumber ? formats.number(Number(value)) : inWords(value, formats);
      const { forms } = part;
      const count = Number(value);
      const form = forms.get(`=${count}`) ?? forms.get(formats.pluralCategory(count)) ?? forms.get("other");
      return filled(form ?? [], shown, formats, count);
    })
    .join("");
}

function inWords(value: Shown[string] | undefined, formats: Formats): string {
  return typeof value === "object" ? formats.list(value) : String(value);
}

/** The parts of a text. Throws an error that names the text if it is no message. */
export function readMessage(text: string): readonly Part[] {
  const { parts, end } = partsAt(text, 0);
  if (end < text.length) throw new Error(`A brace was never opened: ${text}`);
  return parts;
}

/** The parts up to the brace that closes them, or to the end of the text. */
function partsAt(text: string, start: number): { parts: Part[]; end: number } {
  const parts: Part[] = [];
  let at = start;
  while (at < text.length && text[at] !== "}") {
    const [words] = /^[^{}]+/.exec(text.slice(at)) ?? [];
    const { part, end } = words === undefined ? valueAt(text, at) : { part: words, end: at + words.length };
    parts.push(part);
    at = end;
  }
  return { parts, end: at };
}

function valueAt(text: string, start: number): { part: Value | Plural; end: number } {
  const [all, name = "", kind] = /^\{(\w+)(, number|, plural,)?(?:\}|(?<=l,))/.exec(text.slice(start)) ?? [];
  if (all === undefined) throw new Error(`A brace is followed by no value: ${text}`);
  const end = start + all.length;
  if (kind !== ", plural,") return { part: { name, isNumber: kind !== undefined }, end };
  const forms = new Map<string, Part[]>();
  let at = end;
  for (;;) {
    const [opening, form] = /^ (=?\w+) \{/.exec(text.slice(at)) ?? [];
    if (opening === undefined || form === undefined) break;
    const content = partsAt(text, at + opening.length);
    forms.set(form, content.parts);
    at = content.end + 1;
  }
  if (text[at] !== "}" || !forms.has("other")) throw new Error(`A plural is not complete: ${text}`);
  return { part: { name, forms }, end: at + 1 };
}
