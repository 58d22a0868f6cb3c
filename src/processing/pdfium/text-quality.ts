/**
 * The quality of a page's text layer. `garbage` looks like text to a program, but no person can read it. `stamp` is
 * good, but it is only a few words that were printed on the picture of a page.
 */
export type TextQuality = "none" | "garbage" | "stamp" | "good";

/** Rules and rows of dots do not count: a table of contents is full of them. */
const ignored = /[\s._·…\p{Pd}]/u;
const meaningful = /[\p{L}\p{M}\p{N}]/u;
/** Codes that are not characters, or that only a font can interpret: signs of wrongly decoded text. */
const senseless = /[\ufffd\p{Cc}\p{Co}\p{Cn}\p{Cs}]/u;

const maxSenseless = 0.1;
const minMeaningful = 0.3;

/**
 * At most a tenth of the visible characters may be senseless, and at least three in ten must be letters or digits.
 * Sound text is far from both bounds: a page of formulas is half letters, and the only private use characters of a list
 * are its bullets. Text from a font with a hidden encoding is mostly shifted, with a control character for each space,
 * which is one in six.
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

/**
 * How likely a text is what its page shows, from 0 to 100. The measure is the same for a file's text layer and for
 * recognised text. `certainty`, also from 0 to 100, is the trust in the text's source. The measure is `certainty`
 * multiplied by the share of characters in credible words.
 */
export function textWorth(text: string, certainty: number): number {
  let shownCount = 0;
  let credibleCount = 0;
  for (const [token] of text.matchAll(/\S+/g)) {
    const visible = Array.from(token).filter((character) => !ignored.test(character)).length;
    shownCount += visible;
    if (visible > 0 && isCredible(token)) credibleCount += visible;
  }
  return shownCount === 0 ? 0 : (certainty * credibleCount) / shownCount;
}

/**
 * A text below this is useless. Pages recognised in the wrong script have a certainty of 6 to 37 (Chinese, Arabic,
 * Russian, Hebrew, Greek and Hindi as English) or of 45 to 54 (Japanese as Chinese). Pages recognised in their own
 * script have 89 or more.
 */
export const minWorth = 40;

const edges = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;
const figure = /^[\p{Sc}+-]?\p{N}[\p{N}.,:/'\u2019\p{Pd}]*$/u;
const oneScript = ["Latin", "Cyrillic", "Greek"].map(
  (script) => new RegExp(`^[\\p{Script=${script}}\\p{M}]+$`, "u"),
);
/** The scripts with capitals. For other scripts, the only check is that a word has no letters of these. */
const withCase = /[\p{Lu}\p{Ll}]/u;
const caseOfWords =
  /^\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]*$|^[\p{Lu}\p{M}]+$|^(?:Mc|Mac|De|Di|La|Le|Van)\p{Lu}\p{Ll}+$/u;
const vowel = /[aeiouyæœøıаеёиоуыэюяіїєαεηιουωаеэ]/iu;
const maxWithoutVowelLength = 3;

/** Whether a token is plausible as a word, as words joined by signs, or as a number. */
function isCredible(token: string): boolean {
  const bare = token.replaceAll(edges, "");
  if (figure.test(bare)) return true;
  const words = bare.split(/[\p{Pd}\p{P}\p{S}]+/u).filter((word) => word !== "");
  return words.length > 0 && words.every(isCredibleWord);
}

function isCredibleWord(word: string): boolean {
  if (/^\p{N}+\p{L}{0,3}$/u.test(word)) return true;
  if (!withCase.test(word)) return !senseless.test(word) && meaningful.test(word);
  if (!oneScript.some((script) => script.test(word)) || !caseOfWords.test(word)) return false;
  const plain = word.normalize("NFD").replaceAll(/\p{M}/gu, "");
  return plain.length <= maxWithoutVowelLength || vowel.test(plain);
}
