import { isDay } from "./check-digits.ts";
import { type Rule, matching, nearDigits } from "./rule.ts";

/** Languages in which the names of months are known, in the form that they have beside a day. */
const languages = "en de fr es it nl pt pl cs da nb sv fi hu ro ru uk".split(" ");

/** The names of months and their short forms, each with its number, without those that languages use differently. */
function namesOfMonths(): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  const several = new Set<string>();
  for (const language of languages) {
    for (const month of ["long", "short"] as const) {
      const format = new Intl.DateTimeFormat(language, { day: "numeric", month, timeZone: "UTC" });
      for (let number = 1; number <= 12; number++) {
        const parts = format.formatToParts(Date.UTC(2001, number - 1, 3));
        const value = parts.find(({ type }) => type === "month")?.value ?? "";
        const name = value.replace(/\.$/, "").toLowerCase();
        if (!/^\p{L}{3,}$/u.test(name)) continue;
        if ((names.get(name) ?? number) !== number) several.add(name);
        names.set(name, number);
      }
    }
  }
  for (const name of several) names.delete(name);
  return names;
}

let months: ReadonlyMap<string, number> | null = null;

function monthOf(written: string): number | null {
  months ??= namesOfMonths();
  for (const [word] of written.matchAll(/\p{L}{3,}/gu)) {
    const month = months.get(word.toLowerCase());
    if (month !== undefined) return month;
  }
  return null;
}

/** The years that a date of a document may have. */
const isYear = (year: number): boolean => year >= 1500 && year <= 2100;

/**
 * The day of a date with numbers alone. In Europe the day comes first, in America the month, if not the year: where
 * both are possible and different, nobody can know. Dots are European.
 */
function numbered(written: string, [first, second, third]: readonly [number, number, number]): Day | null {
  if (/^\d{4}/.test(written)) return { year: first, month: second, day: third };
  const isEuropean = written.includes(".") || first > 12 || first === second;
  if (isEuropean) return { year: third, month: second, day: first };
  return second > 12 ? { year: third, month: first, day: second } : null;
}

interface Day {
  year: number;
  month: number;
  day: number;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** The day that a date names, as in `2024-03-09`. Null if there is no such day, or it could be one of two. */
export function dayOf(written: string): string | null {
  const numbers = (written.match(/\d+/g) ?? []).map(Number);
  const [first = 0, second = 0, third = 0] = numbers;
  const named =
    numbers.length === 3
      ? numbered(written, [first, second, third])
      : { year: second, month: monthOf(written) ?? 0, day: first };
  if (named === null || !isYear(named.year) || !isDay(named.year, named.month, named.day)) return null;
  return `${named.year}-${two(named.month)}-${two(named.day)}`;
}

const name = String.raw`\p{L}{3,12}\.?`;
const forms = [
  String.raw`\d{4}([-/])\d{1,2}\1\d{1,2}`,
  String.raw`\d{1,2}(\. ?|[/-])\d{1,2}\2\d{4}`,
  String.raw`\d{1,2}(?:\.|st|nd|rd|th|er|º|°)? (?:de |of |day of )?${name},? (?:de |del |do )?\d{4}`,
  String.raw`${name} \d{1,2}(?:st|nd|rd|th)?,? \d{4}`,
];

const isFound = (written: string): boolean => dayOf(written) !== null;

/** Dates with day, month and year. */
export const dateRules: readonly Rule[] = [
  {
    name: "date",
    kind: "date",
    source: "ISO 8601, and the forms of dates and names of months that the Unicode CLDR has for 17 languages",
    find: matching(
      new RegExp(
        String.raw`(?<![\p{L}\p{N}]|[\p{N}][./-])(?:${forms.join("|")})(?![\p{L}\p{N}]|[./-]\d)`,
        "gu",
      ),
      isFound,
      nearDigits(15),
    ),
  },
  {
    name: "date-east-asian",
    kind: "date",
    source: "the forms of dates that the Unicode CLDR has for Chinese, Japanese and Korean",
    find: matching(/(?<!\d)\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]/gu, isFound, nearDigits(0)),
  },
];
