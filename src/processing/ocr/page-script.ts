/*
 * The languages of each script. Scripts have tesseract's names, and languages the API's codes. The language of most
 * documents in a script comes first.
 */

const languagesByScript: Readonly<Record<string, readonly string[]>> = {
  Arabic: ["ara", "fas", "urd", "uig"],
  Bengali: ["ben", "asm"],
  Cherokee: ["chr"],
  Cyrillic: ["rus", "ukr", "bul", "srp", "bel", "mkd"],
  Devanagari: ["hin", "mar", "nep", "san"],
  Ethiopic: ["amh", "tir"],
  Georgian: ["kat", "kat_old"],
  Greek: ["ell", "grc"],
  Gujarati: ["guj"],
  Gurmukhi: ["pan"],
  Han: ["zho", "tra", "jpn"],
  Hebrew: ["heb", "yid"],
  Japanese: ["jpn"],
  Kannada: ["kan"],
  Khmer: ["khm"],
  Korean: ["kor"],
  Lao: ["lao"],
  Malayalam: ["mal"],
  Myanmar: ["mya"],
  Oriya: ["ori"],
  Sinhala: ["sin"],
  Syriac: ["syr"],
  Tamil: ["tam"],
  Telugu: ["tel"],
  Thai: ["tha"],
  Tibetan: ["bod", "dzo"],
};
const latin = "Latin";

/**
 * Languages that a page is read in only if its document has that language, because Kazakh data may stand in for
 * Russian.
 */
const others: readonly (readonly [language: string, script: string])[] = [
  "kaz",
  "kir",
  "tgk",
  "aze_cyrl",
  "uzb_cyrl",
].map((language) => [language, "Cyrillic"] as const);

/** tesseract's names for parts and variants of these scripts. */
const otherNames: Readonly<Record<string, string>> = {
  Fraktur: latin,
  Hangul: "Korean",
  Hangul_vert: "Korean",
  Hiragana: "Japanese",
  Katakana: "Japanese",
  Japanese_vert: "Japanese",
  Korean_vert: "Korean",
};

const scripts = new Map([
  ...others,
  ...Object.entries(languagesByScript).flatMap(([script, languages]) =>
    // Japanese also uses Han characters, but not exclusively.
    languages.flatMap((language) =>
      script === "Han" && language === "jpn" ? [] : [[language, script] as const],
    ),
  ),
]);

/** The script for a name that tesseract gives. Null if no language of the API is written in it. */
export function knownScript(name: string): string | null {
  const script = otherNames[name] ?? name;
  return script === latin || script in languagesByScript ? script : null;
}

/** The script that a language is written in. */
export const scriptOfLanguage = (language: string): string => scripts.get(language) ?? latin;

/** The languages that a page in this script may be in. English stands for all languages with Latin letters. */
export const languagesInScript = (script: string): readonly string[] => languagesByScript[script] ?? ["eng"];

const letters: readonly (readonly [script: string, letter: RegExp])[] = [
  ["Japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ...[
    "Han",
    "Arabic",
    "Bengali",
    "Cyrillic",
    "Devanagari",
    "Georgian",
    "Greek",
    "Hebrew",
    "Tamil",
    "Thai",
  ].map((script) => [script, new RegExp(`\\p{Script=${script}}`, "gu")] as const),
  [latin, /\p{Script=Latin}/gu],
];

/** The script of at least half of a text's letters. Null if there is none. */
export function scriptOfText(text: string): string | null {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const all = count(/\p{L}/gu);
  for (const [script, letter] of letters) {
    const own = count(letter);
    // A Japanese text consists mostly of Han characters, with some kana between them.
    if (own > 0 && own >= all * (script === "Japanese" ? 0.15 : 0.5)) return script;
  }
  return null;
}
