import type { Language } from "./languages.ts";

/** How a reader is addressed: the language of the texts, and the time zone of the moments in them. */
export interface Locale {
  language: Language;
  /** An IANA name. Empty for UTC. */
  timeZone: string;
}

export const utcEnglish: Locale = { language: "en", timeZone: "" };

/** What a language adds to the formats that its tag stands for. */
export interface FormatWords {
  /** The BCP 47 tag of its numbers and dates: English dates have the day first. */
  readonly tag: string;
  /** The names of codes that are not language tags, or that browsers do not name. */
  readonly languages: Readonly<Record<string, string>>;
  /** The units of a thousand, a million and a thousand million bytes. */
  readonly sizes: readonly string[];
  /** Added to the name of a language whose code ends in `_old`. */
  readonly old: string;
}

/** The formats of one language. Each is built when it is first used, because that takes a while. */
export class Formats {
  readonly #tag: string;
  readonly #words: FormatWords;
  #numbers: Intl.NumberFormat | undefined;
  #rules: Intl.PluralRules | undefined;
  #languageNames: Intl.DisplayNames | undefined;
  #lists: Intl.ListFormat | undefined;

  constructor(words: FormatWords) {
    this.#words = words;
    this.#tag = words.tag;
  }

  /** "1,234.5" */
  number(value: number): string {
    this.#numbers ??= new Intl.NumberFormat(this.#tag);
    return this.#numbers.format(value);
  }

  /** The category of this number, by the plural rules of the language. */
  pluralCategory(count: number): Intl.LDMLPluralRule {
    this.#rules ??= new Intl.PluralRules(this.#tag);
    return this.#rules.select(count);
  }

  /** "1, 2 and 5" */
  list(texts: readonly string[]): string {
    this.#lists ??= new Intl.ListFormat(this.#tag, { type: "conjunction" });
    return this.#lists.format(texts);
  }

  /** "5 minutes", for a unit of Intl.NumberFormat. */
  unit(value: number, unit: string): string {
    return new Intl.NumberFormat(this.#tag, { style: "unit", unit, unitDisplay: "long" }).format(value);
  }

  /** "31 January 2025", from a timestamp of the API. */
  day(timestamp: string, timeZone = ""): string {
    return this.#date({ day: "numeric", month: "long", year: "numeric" }, timeZone).format(
      new Date(timestamp),
    );
  }

  /** "2025", "January 2025" or "31 January 2025", from "2025", "2025-01" or "2025-01-31". */
  date(date: string): string {
    if (date.length === 4) return date;
    if (date.length === 10) return this.day(date);
    return this.#date({ month: "long", year: "numeric" }, "").format(new Date(date));
  }

  /** "31 January 2025, 14:05 UTC" */
  moment(timestamp: string, timeZone = ""): string {
    const time = this.#date({ hour: "2-digit", minute: "2-digit", timeZoneName: "short" }, timeZone);
    return `${this.day(timestamp, timeZone)}, ${time.format(new Date(timestamp))}`;
  }

  /** "1.5 MB", in steps of a thousand. */
  bytes(bytes: number, unit = "bytes"): string {
    const units = [unit, ...this.#words.sizes];
    let value = bytes;
    let named = units.shift();
    // A value that would round to 1000 becomes 1 of the next unit.
    while (value >= 999.5 && units.length > 0) {
      value /= 1000;
      named = units.shift();
    }
    return `${this.number(Number(value.toFixed(value < 10 ? 1 : 0)))} ${named}`;
  }

  /** The name of a language code of the API: "srp_latn" is "Serbian (Latin)". Undefined if the code is unknown. */
  languageNameOf(code: string): string | undefined {
    const own = this.#words.languages[code];
    if (own !== undefined) return own;
    const [, language = code, old] = /^(.*?)(_old)?$/.exec(code) ?? [];
    const name = this.#languageName(language.replace("_", "-"));
    return name === undefined || old === undefined ? name : `${name} (${this.#words.old})`;
  }

  /** Undefined if the name is unknown or the tag is invalid. */
  #languageName(tag: string): string | undefined {
    this.#languageNames ??= new Intl.DisplayNames([this.#tag], { type: "language", fallback: "none" });
    try {
      return this.#languageNames.of(tag);
    } catch {
      return undefined;
    }
  }

  #date(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
    const zone = timeZone === "" ? "UTC" : timeZone;
    const key = `${this.#tag} ${zone} ${JSON.stringify(options)}`;
    const known = dateFormats.get(key) ?? new Intl.DateTimeFormat(this.#tag, { ...options, timeZone: zone });
    if (dateFormats.size < maxDateFormats) dateFormats.set(key, known);
    return known;
  }
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const maxDateFormats = 200;
