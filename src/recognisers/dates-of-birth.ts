import { isDay } from "./check-digits.ts";
import { type Rule, matching, nearDigits } from "./rule.ts";

/** The beginnings of the names of months in English, German, French, Spanish, Italian and Dutch, with their numbers. */
const months: readonly (readonly [RegExp, number])[] = [
  [/^(?:jan|jän|ene|genn|gen)/i, 1],
  [/^(?:feb|fév|fev)/i, 2],
  [/^(?:mar|mär|mrz|maa|mrt)/i, 3],
  [/^(?:apr|avr|abr)/i, 4],
  [/^(?:may|mai|mag|mei)/i, 5],
  [/^(?:jun|juin|giu)/i, 6],
  [/^(?:jul|juil|lug)/i, 7],
  [/^(?:aug|août|aout|ago)/i, 8],
  [/^(?:sep|set)/i, 9],
  [/^(?:oct|okt|ott)/i, 10],
  [/^(?:nov)/i, 11],
  [/^(?:dec|dez|déc|dic)/i, 12],
];

const name = String.raw`\p{L}{3,10}\.?`;
const date = [
  String.raw`\d{4}-\d{1,2}-\d{1,2}`,
  String.raw`\d{1,2}[./ -] ?\d{1,2}[./ -] ?(?:\d{4}|\d{2})`,
  String.raw`\d{1,2}(?:\.|st|nd|rd|th|er|º|°)? (?:de |of )?${name},? (?:de |del )?\d{4}`,
  String.raw`${name} \d{1,2}(?:st|nd|rd|th)?,? \d{4}`,
].join("|");

function monthOf(written: string): number {
  const word = /\p{L}{3,}/gu;
  const names = written.match(word) ?? [];
  return months.find(([beginning]) => names.some((one) => beginning.test(one)))?.[1] ?? 0;
}

function isDate(written: string): boolean {
  const numbers = (written.match(/\d+/g) ?? []).map(Number);
  if (numbers.length === 2) {
    const [day = 0, year = 0] = numbers;
    return isLifetime(year) && isDay(year, monthOf(written), day);
  }
  const [first = 0, second = 0, third = 0] = numbers;
  if (/^\d{4}/.test(written)) return isLifetime(first) && isDay(first, second, third);
  // Americans write the month first.
  return isLifetime(third) && (isDay(third, second, first) || isDay(third, first, second));
}

const isLifetime = (year: number): boolean => year < 100 || (year >= 1800 && year <= 2035);

/** Words after which a date of birth stands. */
const born = new RegExp(
  [
    String.raw`\bborn\b|\bdate of birth\b|\bbirth ?date\b|\bbirthday\b|\bD\.? ?O\.? ?B\b`,
    String.raw`\bgeboren|\bgeb\.|Geburts(?:datum|tag)|\bGeb\.-?Dat`,
    String.raw`(?<!\p{L})née?s?\b|date de naissance|\bnaissance\b`,
    String.raw`nacid[oa]|fecha de nacimiento|nacimiento|(?<!\p{L})nat[oa] (?:a|il|in)\b|data di nascita`,
    String.raw`geboortedatum|urodzon[ya]|data urodzenia|(?<!\p{L})født\b|(?<!\p{L})född\b|nascid[oa]` +
      String.raw`|data de nascimento`,
    String.raw`(?<![\p{L}\p{N}*])\*(?!\*)`,
  ].join("|"),
  "giu",
);

/** Words that begin something else: a date after them is another one. */
const other = new RegExp(
  String.raw`\bdied\b|\bdeath\b|\bmarried\b|gestorben|verstorben|verheiratet|†|décéd|mort|fallecid|` +
    String.raw`\bissued\b|ausgestellt|\bexpir|gültig|délivr|\d{4}`,
  "i",
);

/** Dates of birth, beside the words that say so. */
export const birthDateRules: readonly Rule[] = [
  {
    name: "birth-date-after-its-words",
    kind: "birth_date",
    source:
      "ISO 8601, and the forms of dates that the Unicode CLDR has for English, German, French, Spanish, Italian",
    find: matching(
      new RegExp(String.raw`(?<![\p{L}\p{N}./-])(?:${date})(?![\p{L}\p{N}]|[./-]\d)`, "gu"),
      (value, { before }) => {
        if (!isDate(value)) return false;
        const last = [...before.matchAll(born)].at(-1);
        return last !== undefined && !other.test(before.slice(last.index + last[0].length));
      },
      nearDigits(13),
    ),
  },
];
