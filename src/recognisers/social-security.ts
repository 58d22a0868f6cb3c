import { isDay, isLuhn, isSixDigitDay, remainder, weightedSum } from "./check-digits.ts";
import { type Rule, digitsOf, isNear, matching, signsOf } from "./rule.ts";

const notBefore = String.raw`(?<![\p{L}\p{N}.,/+-])`;
const notAfter = String.raw`(?![\p{L}\p{N}]|[.,/-]\d)`;
const bounded = (pattern: string, flags = "gu"): RegExp =>
  new RegExp(`${notBefore}(?:${pattern})${notAfter}`, flags);

/** Numbers that were printed in advertisements, and that the Social Security Administration has withdrawn. */
const withdrawn = new Set(["078051120", "219099999"]);

function isAmerican(written: string): boolean {
  const digits = digitsOf(written);
  const area = digits.slice(0, 3);
  const isIssued = area !== "000" && area !== "666" && area < "900";
  return isIssued && digits.slice(3, 5) !== "00" && digits.slice(5) !== "0000" && !withdrawn.has(digits);
}

/** The digits of a German pension number, its letter as two of them, without the check digit. */
function isGermanPension(written: string): boolean {
  const signs = signsOf(written);
  const letter = String(signs.charCodeAt(8) - 64).padStart(2, "0");
  const digits = signs.slice(0, 8) + letter + signs.slice(9, 11);
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = Array.from(digits).reduce((total, digit, index) => {
    const product = Number(digit) * (weights[index] ?? 0);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  // An additional day number of up to 50 is added to the day, if the numbers of that day are used up.
  const day = Number(signs.slice(2, 4));
  const isDate = isDay(Number(signs.slice(6, 8)), Number(signs.slice(4, 6)), day > 31 ? 1 : day);
  return isDate && sum % 10 === Number(signs.at(-1));
}

function isAustrian(written: string): boolean {
  const digits = digitsOf(written);
  const sum = weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11;
  const month = Number(digits.slice(6, 8));
  return digits[0] !== "0" && month >= 1 && month <= 15 && sum === Number(digits[3]);
}

function isFrench(written: string): boolean {
  const signs = signsOf(written).replace("2A", "19").replace("2B", "18");
  const month = Number(signs.slice(3, 5));
  const isMonth = (month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50;
  return (
    /^\d{15}$/.test(signs) && isMonth && 97 - remainder(signs.slice(0, 13), 97) === Number(signs.slice(13))
  );
}

function isEan13(written: string): boolean {
  const digits = digitsOf(written);
  return weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

const italianOdd: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ").map((sign, index) => {
    const values = [
      1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
    ];
    return [sign, values[index < 10 ? index : index - 10] ?? 0];
  }),
);

function isItalian(written: string): boolean {
  const signs = signsOf(written);
  const sum = Array.from(signs.slice(0, 15)).reduce((total, sign, index) => {
    const even = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65;
    return total + (index % 2 === 0 ? (italianOdd[sign] ?? 0) : even);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === signs.at(-1);
}

function isPolish(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 20;
  const isDate = isDay(Number(digits.slice(0, 2)), month, Number(digits.slice(4, 6)));
  return isDate && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

function isNorwegian(written: string): boolean {
  const digits = digitsOf(written);
  const isDate = isSixDigitDay(digits, "dmy");
  const first = weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11;
  return isDate && first === 0 && weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

function isFinnish(written: string): boolean {
  const digits = digitsOf(written.slice(0, -1));
  const sign = "0123456789ABCDEFHJKLMNPRSTUVWXY"[remainder(digits, 31)];
  return isSixDigitDay(digits, "dmy") && sign === written.at(-1)?.toUpperCase();
}

function isBelgian(written: string): boolean {
  const digits = digitsOf(written);
  const [number, check] = [digits.slice(0, 9), Number(digits.slice(9))];
  const month = Number(digits.slice(2, 4));
  return month <= 12 && [number, `2${number}`].some((one) => 97 - remainder(one, 97) === check);
}

function isBrazilian(written: string): boolean {
  const digits = digitsOf(written);
  const isRight = (count: number): boolean => {
    const weights = Array.from({ length: count }, (_, index) => count + 1 - index);
    return ((weightedSum(digits.slice(0, count), weights) * 10) % 11) % 10 === Number(digits[count]);
  };
  return new Set(digits).size > 1 && isRight(9) && isRight(10);
}

const social = (name: string, source: string, find: Rule["find"]): Rule => ({
  name,
  source,
  find,
  kind: "social_security",
});

/** Numbers by which states know persons: of social security, of the register of residents. */
export const socialSecurityRules: readonly Rule[] = [
  social(
    "us-ssn",
    "Social Security Administration, Program Operations Manual RM 10201.035: numbers that are not issued",
    matching(bounded(String.raw`\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}`), isAmerican),
  ),
  social(
    "us-ssn-without-hyphens",
    "the same, beside its words",
    matching(
      bounded(String.raw`\d{9}`),
      (value, around) => isAmerican(value) && isNear(/\b(?:SSN|social security)\b/i)(value, around),
    ),
  ),
  social(
    "gb-nino",
    "HM Revenue & Customs, National Insurance Manual NIM39110: the format, and prefixes that are not used",
    matching(
      bounded(
        String.raw`(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]`,
      ),
    ),
  ),
  social(
    "de-pension",
    "Verordnung über die Versicherungsnummer (VKVV), § 2 to 4",
    matching(bounded(String.raw`\d{2} ?\d{6} ?[A-Z] ?\d{2} ?\d`), isGermanPension),
  ),
  social(
    "at-svnr",
    "Dachverband der Sozialversicherungsträger: Versicherungsnummer, with a check digit modulo 11",
    matching(bounded(String.raw`\d{4} ?\d{6}`), (value, around) =>
      isAustrian(value)
        ? / /.test(value) || isNear(/SV-?N(?:umme)?r|Sozialvers|Versicherungsn/i)(value, around)
        : false,
    ),
  ),
  social(
    "ch-ahv",
    "Bundesamt für Sozialversicherungen: the AHV number is an EAN-13 that begins with 756",
    matching(bounded(String.raw`756\.?\d{4}\.?\d{4}\.?\d{2}`), isEan13),
  ),
  social(
    "fr-nir",
    "INSEE: numéro d'inscription au répertoire, with a key modulo 97",
    matching(bounded(String.raw`[1-478] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}`), isFrench),
  ),
  social(
    "it-codice-fiscale",
    "Decreto ministeriale 23 dicembre 1976: the format and the control character",
    matching(
      bounded(String.raw`[A-Z]{6} ?[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2} ?[A-Z][\dLMNP-V]{3}[A-Z]`, "giu"),
      isItalian,
      // Also a number whose digits are all replaced by letters has none of the month's.
      { sign: /[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}/gi, before: 8, after: 14 },
    ),
  ),
  social(
    "nl-bsn",
    "Wet algemene bepalingen burgerservicenummer: the eleven test, beside its words",
    matching(bounded(String.raw`\d{9}|\d{4}[. ]\d{2}[. ]\d{3}|\d{3}[. ]\d{3}[. ]\d{3}`), (value, around) => {
      const sum = weightedSum(digitsOf(value), [9, 8, 7, 6, 5, 4, 3, 2, -1]);
      return sum % 11 === 0 && isNear(/\bBSN\b|burgerservice|sofi-?nummer/i)(value, around);
    }),
  ),
  social(
    "be-national-number",
    "Koninklijk besluit van 3 april 1984: the number of the national register, modulo 97",
    matching(bounded(String.raw`\d{2}\.\d{2}\.\d{2}-\d{3}[.-]\d{2}`), isBelgian),
  ),
  social(
    "pl-pesel",
    "Ustawa o ewidencji ludności, art. 15: PESEL, with a date and a check digit",
    matching(bounded(String.raw`\d{11}`), isPolish),
  ),
  social(
    "no-fodselsnummer",
    "Skatteetaten: fødselsnummer, with two check digits modulo 11",
    matching(bounded(String.raw`\d{6} ?\d{5}`), isNorwegian),
  ),
  social(
    "fi-hetu",
    "Digital and Population Data Services Agency: personal identity code, modulo 31",
    matching(bounded(String.raw`\d{6}[-+A-FU-Y]\d{3}[\dA-FHJ-NPR-Y]`), isFinnish),
  ),
  social(
    "se-personnummer",
    "Skatteverket, SKV 704: personnummer, with a date and the formula of Luhn",
    matching(bounded(String.raw`(?:19|20)?\d{6}[-+]\d{4}`), (value) => {
      const digits = digitsOf(value).slice(-10);
      return isSixDigitDay(digits, "ymd") && isLuhn(digits);
    }),
  ),
  social(
    "dk-cpr",
    "CPR-kontoret: personnumre, with a date; numbers since 2007 have no check digit",
    matching(bounded(String.raw`\d{6}-\d{4}`), (value, around) => {
      return isSixDigitDay(value, "dmy") && isNear(/\bCPR\b|person-?n(?:umme)?r/i)(value, around);
    }),
  ),
  social(
    "br-cpf",
    "Receita Federal: CPF, with two check digits modulo 11",
    matching(bounded(String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`), isBrazilian),
  ),
  social(
    "ca-sin",
    "Employment and Social Development Canada: Social Insurance Number, Luhn, beside its words",
    matching(bounded(String.raw`\d{3}[ -]?\d{3}[ -]?\d{3}`), (value, around) => {
      const words = /\bSIN\b|social insurance|\bNAS\b|assurance sociale/i;
      return isLuhn(digitsOf(value)) && isNear(words)(value, around);
    }),
  ),
];
