import { transliterate } from "transliteration";

const maxLength = 255;

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
