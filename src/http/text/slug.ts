import { createRequire } from "node:module";
import type * as Transliteration from "transliteration";

const maxLength = 255;

let transliteration: typeof Transliteration | undefined;

/** Loads its tables, which take 40 ms and two megabytes, with the first title that needs them. */
function transliterate(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text;
  transliteration ??= createRequire(import.meta.url)("transliteration") as typeof Transliteration;
  return transliteration.transliterate(text);
}

/**
 * A title as it appears in addresses and file names: lower-case letters, digits, `-` and `_`, at most 255 characters.
 * Returns `otherwise` if nothing of the title can be written that way.
 */
export function slugOf(title: string, otherwise = "untitled"): string {
  const ascii = transliterate(title.normalize("NFKC"));
  const words = ascii
    .toLowerCase()
    .replaceAll(/[^a-z0-9_\s-]/g, "")
    .replaceAll(/[-\s]+/g, "-");
  const slug = words
    .replace(/^[-_]+/, "")
    .slice(0, maxLength)
    .replace(/[-_]+$/, "");
  return slug === "" ? otherwise : slug;
}
