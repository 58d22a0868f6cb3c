/** What a page's text layer is worth: `garbage` looks like text to a program and like nothing to a person. */
export type TextQuality = "none" | "garbage" | "good";

/** Rules and rows of dots say nothing either way: a table of contents is full of them. */
const ignored = /[\s._·…\p{Pd}]/u;
const meaningful = /[\p{L}\p{M}\p{N}]/u;
/** Stands for no character, or for one that only its font knows: where text was decoded wrongly. */
const senseless = /[\ufffd\p{Cc}\p{Co}\p{Cn}\p{Cs}]/u;

const maxSenseless = 0.1;
const minMeaningful = 0.3;

/**
 * Of the characters that show something, more than a tenth must not be senseless, and at least three in ten have to be
 * letters or digits. Sound text is far from both bounds: a page of formulas is half letters, and the only private
 * characters of a list are its bullets. Text whose font hides its encoding mostly comes out shifted, with a control
 * character for each space, which is one in six.
 */
export function textQuality(text: string): TextQuality {
  const counts = { ignored: 0, meaningful: 0, senseless: 0, other: 0 };
  const kinds = new Map<string, keyof typeof counts>();
  for (const character of text) {
    let kind = kinds.get(character);
    if (kind === undefined) {
      kind = kindOf(character);
      kinds.set(character, kind);
    }
    counts[kind] += 1;
  }
  const shownCount = counts.meaningful + counts.senseless + counts.other;
  if (shownCount === 0) return "none";
  if (counts.senseless > shownCount * maxSenseless) return "garbage";
  return counts.meaningful < shownCount * minMeaningful ? "garbage" : "good";
}

function kindOf(character: string): "ignored" | "meaningful" | "senseless" | "other" {
  if (ignored.test(character)) return "ignored";
  if (meaningful.test(character)) return "meaningful";
  return senseless.test(character) ? "senseless" : "other";
}
