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

/**
 * How likely it is that a page says what this text says, from 0 to 100: one measure for the text that a file has and for
 * one that was recognised. `certainty`, also from 0 to 100, is how much whoever wrote the text is to be trusted; the
 * measure is that share of the share of its characters that stand in words which a person might read.
 */
export function textWorth(text: string, certainty: number): number {
  let shownCount = 0;
  let credibleCount = 0;
  for (const [token] of text.matchAll(/\S+/g)) {
    const shown = Array.from(token).filter((character) => !ignored.test(character)).length;
    shownCount += shown;
    if (shown > 0 && isCredible(token)) credibleCount += shown;
  }
  return shownCount === 0 ? 0 : (certainty * credibleCount) / shownCount;
}

/**
 * A text below this says nothing. Pages read in the wrong script come out with a certainty of 6 to 37 (Chinese, Arabic,
 * Russian, Hebrew, Greek and Hindi as English) or, Japanese as Chinese, 45 to 54; those read in their own with 89 and more.
 */
export const minWorth = 40;

const edges = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;
const figure = /^[\p{Sc}+-]?\p{N}[\p{N}.,:/'\u2019\p{Pd}]*$/u;
const oneScript = ["Latin", "Cyrillic", "Greek"].map(
  (script) => new RegExp(`^[\\p{Script=${script}}\\p{M}]+$`, "u"),
);
/** The scripts that have capitals: the others have no more to check than that letters of these are not among them. */
const withCase = /[\p{Lu}\p{Ll}]/u;
const caseOfWords =
  /^\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]*$|^[\p{Lu}\p{M}]+$|^(?:Mc|Mac|De|Di|La|Le|Van)\p{Lu}\p{Ll}+$/u;
const vowel = /[aeiouyæœøıаеёиоуыэюяіїєαεηιουωаеэ]/iu;
const maxWithoutVowelLength = 3;

/** Whether a person might read it as a word, or some joined by signs, or as a figure. */
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
