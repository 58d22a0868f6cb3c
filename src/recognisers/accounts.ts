import { isLuhn, isMod97 } from "./check-digits.ts";
import { type Rule, type Span, digitsOf, matching, signsOf } from "./rule.ts";

/** The countries of the registry of ISO 13616, each with the length of its account numbers. */
const countries =
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 " +
  "EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 " +
  "KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 " +
  "PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 " +
  "VA22 VG24 XK20 YE30";

const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  countries.split(" ").map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** The characters that may stand between the groups of an account number, one at a time. */
const isSeparator = (sign: string): boolean => /[\s.\u00a0\u202f-]/.test(sign);

/** The end of so many letters and digits; null if something else comes in between, or if more of them follow. */
function endOfSigns(text: string, start: number, count: number): number | null {
  let found = 0;
  let end = start;
  for (; found < count && end < text.length; end++) {
    const sign = text[end] ?? "";
    if (/[A-Za-z0-9]/.test(sign)) found += 1;
    else if (!isSeparator(sign) || isSeparator(text[end - 1] ?? "")) return null;
  }
  return found === count && !/[\p{L}\p{N}]/u.test(text[end] ?? "") ? end : null;
}

function* findIbans(text: string): Generator<Span> {
  for (const { index: start, 0: head } of text.matchAll(/(?<![\p{L}\p{N}])[A-Za-z]{2}\d{2}/gu)) {
    const length = ibanLengths[head.slice(0, 2).toUpperCase()];
    const end = length === undefined ? null : endOfSigns(text, start, length);
    if (end !== null && isMod97(signsOf(text.slice(start, end)))) yield { start, end };
  }
}

/** Beginnings of card numbers, and how many digits those have. */
const issuers: readonly (readonly [beginning: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|36|38|39)/, [14]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, [13, 16, 19]],
];

/** The ways in which card numbers are printed, by the lengths of their groups. */
const printed = /^(?:\d+|4-4-4-4(?:-[123])?|4-6-[45]|4-4-4-[14]|6-\d{1,2})$/;

function isCard(written: string): boolean {
  const digits = digitsOf(written);
  const isIssued = issuers.some(
    ([beginning, lengths]) => beginning.test(digits) && lengths.includes(digits.length),
  );
  if (!isIssued || !isLuhn(digits) || new Set(digits).size < 2) return false;
  const groups = written.split(/[\s\u00a0-]/).map(({ length }) => length);
  return printed.test(groups.join("-")) && new Set(written.replaceAll(/[\d\s\u00a0]/g, "")).size <= 1;
}

/** Numbers of bank accounts and of payment cards. */
export const accountRules: readonly Rule[] = [
  {
    name: "iban",
    kind: "iban",
    source: "ISO 13616-1: the check digits, and the registry's length for each country",
    find: findIbans,
  },
  {
    name: "card",
    kind: "card",
    source:
      "ISO/IEC 7812-1: the ranges of the issuers, the formula of Luhn, and the groups that cards are printed in",
    find: matching(/(?<![\p{L}\p{N}.,+-])\d(?:[\s\u00a0-]?\d){12,18}(?![\p{L}\p{N}]|[.,-]\d)/gu, isCard),
  },
];
