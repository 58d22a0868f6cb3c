import { transliterate } from "transliteration";

const longest = 255;

/**
 * The name of something in addresses and in the names of files, made from its title: lower-case letters, digits, `-`
 * and `_`, at most 255 of them. `otherwise` where nothing of the title can be written that way.
 */
export function slugOf(title: string, otherwise = "untitled"): string {
  const ascii = transliterate(title.normalize("NFKC"));
  const words = ascii
    .toLowerCase()
    .replaceAll(/[^a-z0-9_\s-]/g, "")
    .replaceAll(/[-\s]+/g, "-");
  const slug = words
    .replace(/^[-_]+/, "")
    .slice(0, longest)
    .replace(/[-_]+$/, "");
  return slug === "" ? otherwise : slug;
}
