import type { MentionKind } from "../contract/search.ts";
import { dayOf } from "./dates.ts";
import { digitsOf, signsOf } from "./rule.ts";

/*
 * The value of what was recognised: the same for all ways to write it. It is a text that a person recognises, too.
 */

/** No value is longer. */
export const maxValueLength = 320;

function emailOf(written: string): string {
  return written
    .replaceAll(/ ?[([{] ?(?:at|@|ät) ?[)\]}] ?/giu, "@")
    .replaceAll(/ ?[([{] ?(?:dot|punkt|point|punto) ?[)\]}] ?/giu, ".")
    .replaceAll(/\s/g, "")
    .normalize("NFC")
    .toLowerCase();
}

/** Numbers of ten digits in the North American form: ITU-T E.164 writes them after +1. */
const isNorthAmerican = (written: string): boolean =>
  /^(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}$/.test(written);

/** As ITU-T E.164 writes it, if the text says or the form shows in which country; its digits otherwise. */
function phoneOf(written: string): string {
  const digits = digitsOf(written.replace(/\(0\)/, ""));
  if (written.trim().startsWith("+")) return `+${digits}`;
  if (digits.startsWith("00")) return `+${digits.slice(2)}`;
  if (isNorthAmerican(written.trim())) return `+1${digits.slice(-10)}`;
  return digits;
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/US\$/, "USD"],
  [/(?:CA|C)\$/, "CAD"],
  [/AU?\$/, "AUD"],
  [/NZ\$/, "NZD"],
  [/R\$/, "BRL"],
  [/HK\$/, "HKD"],
  [/S\$/, "SGD"],
  [/€|euros?/i, "EUR"],
  [/£|pounds?|pence|livres|libras|sterline|pfund/i, "GBP"],
  [/¥/, "JPY"],
  [/yen/i, "JPY"],
  [/yuan/i, "CNY"],
  [/₹/, "INR"],
  [/₽|rubel|roubles?|rubles?/i, "RUB"],
  [/₺/, "TRY"],
  [/₴/, "UAH"],
  [/₪/, "ILS"],
  [/z[lł]ot/i, "PLN"],
  // Nobody can know whose dollars these are.
  [/\$|dollars?|cents?|dólares|dollari/i, "$"],
];

function currencyOf(written: string): string {
  const code = /(?<![A-Z])[A-Z]{3}(?![A-Z])/.exec(written)?.[0];
  if (code !== undefined) return code;
  const found = currencies.find(([sign]) => sign.test(written));
  return found?.[1] ?? written.replaceAll(/[\d\s.,'’–—-]+/g, " ").trim();
}

const scales: readonly (readonly [RegExp, number])[] = [
  [/mil millones/i, 9],
  [/trillion/i, 12],
  [/billion|bn|mrd|milliard|miliardi/i, 9],
  [/million|mn|mln|mio|millones|milioni|\dm|\d M/i, 6],
  [/thousand|tsd|\d ?k/i, 3],
];

/** The number, without separators of thousands, as a decimal fraction. */
function amountOf(written: string): string | null {
  const found = /\d(?:[\d.,'’\u00a0\u202f ]*\d)?/.exec(written)?.[0];
  if (found === undefined) return null;
  const compact = found.replaceAll(/['’\u00a0\u202f ]/g, "");
  const fraction = /[.,](\d{1,2})$/.exec(compact)?.[1] ?? "";
  const whole = digitsOf(fraction === "" ? compact : compact.slice(0, -fraction.length - 1));
  const exponent = scales.find(([word]) => word.test(written))?.[1] ?? 0;
  const isHundredth = /cents?\b|pence/i.test(written);
  const scaled =
    (BigInt(whole + fraction.padEnd(2, "0")) * 10n ** BigInt(exponent)) / (isHundredth ? 100n : 1n);
  const [units, rest] = [scaled / 100n, scaled % 100n];
  return rest === 0n ? String(units) : `${units}.${String(rest).padStart(2, "0")}`;
}

function moneyOf(written: string): string | null {
  const amount = amountOf(written);
  return amount === null ? null : `${currencyOf(written)} ${amount}`;
}

const valueOf: Readonly<Record<MentionKind, (written: string) => string | null>> = {
  email: emailOf,
  phone: phoneOf,
  iban: signsOf,
  card: digitsOf,
  social_security: signsOf,
  tax: signsOf,
  money: moneyOf,
  birth_date: (written) => dayOf(written) ?? written,
  date: dayOf,
};

/** Null if the text has no value of this kind, such as a date that could be one of two days. */
export function mentionValue(kind: MentionKind, written: string): string | null {
  const value = valueOf[kind](written);
  return value === "" || value === null || value.length > maxValueLength ? null : value;
}
