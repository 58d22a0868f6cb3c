import type { IsoCode } from "multilingual-stemmer";
import { fold } from "./word-folding.ts";

/*
 * The stems of words by language. Two words are forms of each other in a language if they have a stem in common.
 *
 * Stems depend on the folded word alone, because that is what the index has of a text. If they depended on the accents
 * that a text has, a hidden document with `marché` could make another document be found by its `marche`. The rules of
 * some languages need the letters that folding has taken away: a Russian ending is `ый`, not `ыи`. So a word has the
 * stems of all spellings that it may have had: of `ее` and `её`, of `cion` and `ción`.
 *
 * The rules are Snowball's, and for Hebrew and Arabic also light ones of our own: particles that are written in front
 * of a word are removed.
 */

interface Language {
  /** The language of the rules; null if only those of this file apply. */
  rules: IsoCode | null;
  script: "Latin" | "Cyrillic" | "Greek" | "Arabic" | "Hebrew" | "Devanagari" | "Tamil" | "Armenian";
  /** The letters that folding makes of others, each with those that an ending of the language may have had. */
  unfolded?: Readonly<Record<string, string>>;
  /** How many of the last letters may have been others. */
  lastLetters?: number;
  /** How many letters of an ending may have been others at the same time. */
  maxChanged?: number;
  /** Removes what is written in front of a word. */
  bare?: (word: string) => string[];
  /** For the letters that have another form at the end of a word. */
  finals?: Readonly<Record<string, string>>;
}

const latin = (
  rules: IsoCode,
  unfolded: Language["unfolded"] = {},
  maxChanged = 1,
  lastLetters = 5,
): Language => ({
  rules,
  script: "Latin",
  unfolded,
  maxChanged,
  lastLetters,
});

const hebrewParticles = without(/^ו?(?:כש|מש|לכש|[שבכלמ])?ה?(?=.{3})/u, /^[ושהבכלמ](?=.{3})/u);
const hebrewPlural = without(/(?<=.{3})(?:ים|ות)$/u);

/** By the code of the API. */
const languages: Readonly<Record<string, Language>> = {
  eng: latin("en"),
  deu: latin("de"),
  nld: latin("nl"),
  swe: latin("sv"),
  dan: latin("da"),
  nor: latin("no"),
  fin: latin("fi"),
  est: latin("et"),
  fra: latin("fr", { e: "éè" }, 2, 6),
  spa: latin("es", { a: "á", e: "é", i: "í", o: "ó", u: "ú" }),
  por: latin("pt", { a: "áã", c: "ç", e: "éê", i: "í", o: "õó" }, 2),
  ita: latin("it", { a: "à", e: "é", i: "ì", o: "ò", u: "ù" }, 1, 1),
  cat: latin("ca", { a: "à", c: "ç", e: "éè", i: "íï", o: "óò", u: "ú" }),
  ron: latin("ro", { a: "ăâ", i: "î", s: "ș", t: "ț" }, 2),
  pol: latin("pl", { a: "ą", c: "ć", e: "ę", n: "ń", o: "ó", s: "ś", z: "żź" }, 2, 4),
  ces: latin("cs", { a: "á", e: "éě", i: "í", o: "ó", u: "ůú", y: "ý" }, 2, 4),
  hun: latin("hu", { a: "á", e: "é", i: "í", o: "óöő", u: "úüű" }, 2),
  lit: latin("lt", { a: "ą", e: "ęė", i: "į", s: "š", u: "ųū" }, 2, 4),
  tur: latin("tr", { c: "ç", g: "ğ", i: "ı", o: "ö", s: "ş", u: "ü" }, 2),
  eus: latin("eu"),
  gle: latin("ga", { a: "á", e: "é", i: "í", o: "ó", u: "ú" }),
  ind: latin("id"),
  epo: latin("eo"),
  srp_latn: latin("sr"),
  srp: { rules: "sr", script: "Cyrillic" },
  rus: { rules: "ru", script: "Cyrillic", unfolded: { и: "й" }, maxChanged: 1, lastLetters: 3 },
  ell: { rules: "el", script: "Greek" },
  hin: { rules: "hi", script: "Devanagari" },
  nep: { rules: "ne", script: "Devanagari" },
  tam: { rules: "ta", script: "Tamil" },
  fas: { rules: "fa", script: "Arabic" },
  ara: {
    rules: "ar",
    script: "Arabic",
    bare: without(/^[وف]?(?:[بك]?ال|لل)(?=.{3})/u),
    unfolded: { ه: "ة" },
  },
  heb: {
    rules: null,
    script: "Hebrew",
    bare: (word) => {
      const bare = [word, ...hebrewParticles(word)];
      return [...bare, ...bare.flatMap(hebrewPlural)];
    },
    finals: { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" },
  },
};

/** The language of texts whose language is unknown. */
export const usualLanguage = "eng";

/** Each result that removing one of these patterns has. */
function without(...patterns: readonly RegExp[]): (word: string) => string[] {
  return (word) =>
    patterns.flatMap((pattern) => {
      const rest = word.replace(pattern, "");
      return rest === word ? [] : [rest];
    });
}

type Stemmer = (word: string) => string;
let createStemmer: ((language: IsoCode) => Stemmer) | undefined;

/** Loads the rules, which takes 25 ms, before the first search and before the first text is indexed. */
export async function loadStemmer(): Promise<void> {
  createStemmer ??= (await import("multilingual-stemmer")).createStemmer;
}

/** What is kept of a language once it is needed. */
interface LoadedLanguage extends Language {
  stemmer: Stemmer;
  letters: RegExp;
  /** The stems of the words that were asked for lately. */
  known: Map<string, readonly string[]>;
}

const loaded = new Map<string, LoadedLanguage>();
const maxKnown = 20_000;
/** Longer words, and those with other letters, have no forms. */
const lengths = "{3,30}";

function languageOf(code: string): LoadedLanguage | null {
  const language = languages[code];
  if (language === undefined) return null;
  let found = loaded.get(code);
  if (found === undefined) {
    if (createStemmer === undefined) throw new Error("The stemmer has not been loaded");
    const stemmer = language.rules === null ? (word: string): string => word : createStemmer(language.rules);
    const letters =
      code === usualLanguage
        ? /^[a-z]{3,30}$/
        : new RegExp(`^[\\p{Script=${language.script}}\\p{M}]${lengths}$`, "u");
    found = { ...language, stemmer, letters, known: new Map() };
    loaded.set(code, found);
  }
  return found;
}

const none: readonly string[] = [];
/** Folding does not change these letters. */
const plainLatin = /^[a-z]+$/;

/**
 * The stems of a folded word in a language; none if the language has no rules for it. {@link loadStemmer} must have
 * ended.
 */
export function stemsOf(code: string, word: string): readonly string[] {
  const language = languageOf(code);
  if (language === null || !language.letters.test(word)) return none;
  const known = language.known.get(word);
  if (known !== undefined) return known;
  const { bare, stemmer, finals } = language;
  const stems = new Set<string>();
  for (const each of bare === undefined ? [word] : [word, ...bare(word)]) {
    for (const spelling of spellings(each, language)) stems.add(stemmer(spelling));
    if (bare !== undefined) stems.add(each);
  }
  const folded = [...stems].map((stem) => {
    const last = finals?.[stem.at(-1) ?? ""];
    return plainLatin.test(stem) ? stem : fold(last === undefined ? stem : stem.slice(0, -1) + last);
  });
  const found = [...new Set(folded)].filter((stem) => stem !== "");
  if (language.known.size >= maxKnown) language.known.clear();
  // A copy, because a word may be a slice of its page's text, which it would keep in memory.
  language.known.set(Buffer.from(word).toString(), found);
  return found;
}

/** The word, and the word with other letters in its ending. */
function spellings(word: string, { unfolded = {}, maxChanged = 1, lastLetters = 1 }: Language): string[] {
  const all = [word];
  let latest = [word];
  for (let changes = 0; changes < maxChanged; changes++) {
    const next: string[] = [];
    for (const spelling of latest) {
      for (let at = Math.max(1, word.length - lastLetters); at < word.length; at++) {
        // Letters that have been changed have others after them only.
        if (spelling.slice(at) !== word.slice(at)) continue;
        for (const letter of unfolded[spelling.charAt(at)] ?? "") {
          next.push(spelling.slice(0, at) + letter + spelling.slice(at + 1));
        }
      }
    }
    all.push(...next);
    latest = next;
  }
  return all;
}

/** A stem in a language, that forms of a word may have. */
export interface FormStem {
  language: string;
  stem: string;
  /** Whether the stem is a form of itself, so that it is found as a word too. */
  isWord: boolean;
}

/** The stems of a word in all languages, in a fixed order: they depend on the word alone. */
export function formStemsOf(word: string): FormStem[] {
  return Object.keys(languages).flatMap((language) =>
    stemsOf(language, word).map((stem) => ({
      language,
      stem,
      isWord: stem !== word && stemsOf(language, stem).includes(stem),
    })),
  );
}

/** The codes of the languages whose words have forms. */
export const formLanguages: readonly string[] = Object.keys(languages);

/** Their rules remove beginnings too, or write stems in Latin letters. */
const beginOtherwise = new Set(["ara", "gle", "heb", "ind", "nld", "srp", "srp_latn"]);

/** Whether words of a language begin like their stems, so that others need not be looked at. */
export function beginLikeStems(code: string): boolean {
  return !beginOtherwise.has(code);
}
