import { isLuhn, isMod11And10, remainder, weightedSum } from "./check-digits.ts";
import { type Rule, digitsOf, isNear, matching, nearDigits, signsOf } from "./rule.ts";

const bounded = (pattern: string, flags = "gu"): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}.,/+-])(?:${pattern})(?![\p{L}\p{N}]|[.,/-]\d)`, flags);

/** Of the first ten digits, one comes twice or three times and no other more than once. */
function isGermanId(written: string): boolean {
  const digits = digitsOf(written);
  const counts = [...Map.groupBy(digits.slice(0, 10), (digit) => digit).values()].map(({ length }) => length);
  const repeated = counts.filter((count) => count > 1);
  const isIssued = digits[0] !== "0" && repeated.length === 1 && (repeated[0] ?? 0) <= 3;
  return isIssued && isMod11And10(digits);
}

const spanishLetters = "TRWAGMYFPDXBNJZSQVHLCKE";

function isSpanish(written: string): boolean {
  const signs = signsOf(written).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return spanishLetters[Number(signs.slice(0, -1)) % 23] === signs.at(-1);
}

/** The first two digits of employer numbers that the Internal Revenue Service gives out. */
const employerPrefixes = /^(?:0[1-6]|1[0-6]|2[0-7]|3[0-9]|4[0-8]|5[0-9]|6[0-8]|7[1-7]|8[0-8]|9[0-5]|9[89])/;

const tax = (name: string, source: string, find: Rule["find"]): Rule => ({ name, source, find, kind: "tax" });

/** Numbers by which tax offices know persons and companies. */
export const taxRules: readonly Rule[] = [
  tax(
    "us-itin",
    "Internal Revenue Manual 3.21.263: ranges of the individual taxpayer identification number",
    matching(bounded(String.raw`9\d{2}-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])-\d{4}`)),
  ),
  tax(
    "us-ein",
    "Internal Revenue Service: valid prefixes of employer identification numbers, beside their words",
    matching(bounded(String.raw`\d{2}-\d{7}`), (value, around) => {
      const words = /\bF?EIN\b|\bTIN\b|employer identification|tax(?:payer)? id|federal id|\bIRS\b/i;
      return employerPrefixes.test(value) && isNear(words)(value, around);
    }),
  ),
  tax(
    "de-steuer-id",
    "Steueridentifikationsnummerverordnung, § 1, and Bundeszentralamt für Steuern: MOD 11,10",
    matching(bounded(String.raw`\d{2} ?\d{3} ?\d{3} ?\d{3}`), isGermanId),
  ),
  tax(
    "de-steuernummer",
    "Bundesministerium der Finanzen: formats of the states and of the federation, beside their words",
    matching(
      bounded(String.raw`\d{2,3}[/ ]\d{3,4}[/ ]\d{4,5}|\d{13}`),
      isNear(/Steuer-?(?:n(?:umme)?r|\s?nr)|St\.?-?\s?Nr/i),
    ),
  ),
  tax(
    "es-nif",
    "Real Decreto 1065/2007, artículos 19 y 20, and Orden INT/2058/2008: the letter modulo 23",
    matching(
      bounded(
        String.raw`\d{8}-?[A-HJ-NP-TV-Z]|[XYZ]-?\d{7}-?[A-HJ-NP-TV-Z]|\d{2}\.\d{3}\.\d{3}-?[A-HJ-NP-TV-Z]`,
      ),
      isSpanish,
    ),
  ),
  tax(
    "eu-vat-de",
    "Directive 2006/112/EC, article 215, and § 27a UStG: MOD 11,10",
    matching(bounded(String.raw`DE ?\d{3} ?\d{3} ?\d{3}`), (value) => isMod11And10(digitsOf(value))),
  ),
  tax(
    "eu-vat-at",
    "Directive 2006/112/EC, article 215: Umsatzsteuer-Identifikationsnummer",
    matching(bounded(String.raw`AT ?U ?\d{8}`), (value) => {
      const digits = digitsOf(value);
      const sum = Array.from(digits.slice(0, 7)).reduce((total, digit, index) => {
        const product = Number(digit) * (index % 2 === 0 ? 1 : 2);
        return total + Math.floor(product / 10) + (product % 10);
      }, 4);
      return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
    }),
  ),
  tax(
    "eu-vat-be",
    "Directive 2006/112/EC, article 215: numéro d'entreprise, modulo 97",
    matching(bounded(String.raw`BE ?[01]\d{3}\.?\d{3}\.?\d{3}`), (value) => {
      const digits = digitsOf(value);
      return 97 - remainder(digits.slice(0, 8), 97) === Number(digits.slice(8));
    }),
  ),
  tax(
    "eu-vat-fr",
    "Directive 2006/112/EC, article 215: a key modulo 97 before the SIREN, which is a number of Luhn's",
    matching(bounded(String.raw`FR ?\d{2} ?\d{3} ?\d{3} ?\d{3}`), (value) => {
      const digits = digitsOf(value);
      const siren = digits.slice(2);
      return isLuhn(siren) && (12 + 3 * remainder(siren, 97)) % 97 === Number(digits.slice(0, 2));
    }),
  ),
  tax(
    "eu-vat-it",
    "Directive 2006/112/EC, article 215: partita IVA, the formula of Luhn",
    matching(
      bounded(String.raw`IT ?\d{11}|\d{11}`),
      (value, around) =>
        isLuhn(digitsOf(value)) &&
        (value.startsWith("IT") || isNear(/P\.? ?IVA|partita iva|VAT/i)(value, around)),
      nearDigits(3),
    ),
  ),
  tax(
    "eu-vat-nl",
    "Directive 2006/112/EC, article 215: btw-identificatienummer",
    matching(bounded(String.raw`NL ?\d{9} ?B ?\d{2}`)),
  ),
  tax(
    "eu-vat-pl",
    "Ustawa o zasadach ewidencji i identyfikacji podatników: NIP, modulo 11, beside its words",
    matching(
      bounded(String.raw`(?:PL ?)?\d{3}-?\d{3}-?\d{2}-?\d{2}`),
      (value, around) => {
        const digits = digitsOf(value);
        const sum = weightedSum(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11;
        return sum === Number(digits[9]) && (value.startsWith("PL") || isNear(/\bNIP\b/)(value, around));
      },
      nearDigits(3),
    ),
  ),
];
