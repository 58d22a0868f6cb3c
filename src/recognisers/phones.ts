import { type Rule, digitsOf, isNear, matching } from "./rule.ts";

/** Codes of countries, and how many digits a number may have after each. Other countries: 6 to 12. */
const plans =
  "1:10-10 7:10-10 30:10-10 31:9-9 32:8-9 33:9-9 34:9-9 36:8-9 39:8-11 40:9-9 41:9-9 43:7-13 44:9-10 45:8-8 " +
  "46:7-9 47:8-8 48:9-9 49:6-11 52:10-10 54:10-11 55:10-11 61:9-9 81:9-10 86:9-11 90:10-10 91:10-10 351:9-9 " +
  "352:5-11 353:7-9 354:7-7 358:6-12 359:8-9 370:8-8 371:8-8 372:7-8 380:9-9 385:8-9 386:8-8 420:9-9 421:9-9 " +
  "972:8-9";

const nationalLengths: Readonly<Record<string, readonly [min: number, max: number]>> = Object.fromEntries(
  plans.split(" ").map((plan) => {
    const [code = "", min, max] = plan.split(/[:-]/);
    return [code, [Number(min), Number(max)]];
  }),
);

function isInternational(written: string): boolean {
  // The zero of the national form is not dialled, but often written in brackets.
  const digits = digitsOf(written.replace(/\(0\)/, "")).replace(/^00/, "");
  if (digits.length > 15 || digits.startsWith("0")) return false;
  const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((one) => one in nationalLengths);
  const [min, max] = nationalLengths[code ?? ""] ?? [6, 12];
  const rest = digits.length - (code?.length ?? 2);
  return rest >= min && rest <= max;
}

const notBefore = String.raw`(?<![\p{L}\p{N}.,/+(-])`;
const notAfter = String.raw`(?![\p{L}\p{N}]|[.,/-]\d|[ ]?[€$£%])`;
const bounded = (pattern: string): RegExp => new RegExp(`${notBefore}(?:${pattern})${notAfter}`, "gu");

/** Words before a telephone number. */
const words = new RegExp(
  String.raw`(?:\b(?:tele)?(?:phone|fono|fon|fax)|\bt[ée]l(?:[ée]phone)?(?![\p{L}])|\bmobil[e]?|\bcell|\bcall(?:ed)?|` +
    String.raw`\bdial|\bring|Handy|Rufnummer|\bRuf\b|Durchwahl|\bm[óo]vil|llam[ae]|appel|portable|cellulare|\btfno|` +
    String.raw`\btlf|whatsapp|\bsms|\bsignal\b|telefoon|telefonn?|contact at|reach\w* (?:\w+ )?at)[^\d\n]{0,24}\(?$`,
  "iu",
);

const isAfterWords = (_value: string, { before }: { before: string }): boolean => words.test(before);

const phone = (name: string, source: string, find: Rule["find"]): Rule => ({
  name,
  source,
  find,
  kind: "phone",
});

/** Telephone numbers. */
export const phoneRules: readonly Rule[] = [
  phone(
    "international",
    "ITU-T E.164, with the codes and lengths that the national numbering plans notify to the ITU",
    matching(
      new RegExp(
        String.raw`(?<![\p{L}\p{N}+])(?<!\d )(?:\+ ?` +
          String.raw`|00 ?)[1-9]\d{0,2}(?:[\s\u00a0./-]{0,2}\(?\d{1,5}\)?){2,7}(?![\p{L}\p{N}])`,
        "gu",
      ),
      isInternational,
    ),
  ),
  phone(
    "north-america",
    "North American Numbering Plan Administrator: NXX in area and exchange, none of which ends in 11",
    matching(
      new RegExp(
        String.raw`(?<![\p{L}\p{N}.,/+-])(?:1[-. ])?(?:\((?!.11)[2-9][0-8]\d\) ?` +
          String.raw`|(?!.11)[2-9][0-8]\d[-. ])(?!.11)[2-9]\d{2}[-. ]\d{4}${notAfter}`,
        "gu",
      ),
      undefined,
      { sign: /\d[-. ]\d{4}/g, before: 14, after: 4 },
    ),
  ),
  phone(
    "germany",
    "Bundesnetzagentur, Nummernplan für öffentliche Telekommunikation: area codes and mobile ranges",
    matching(
      bounded(
        String.raw`\(0[2-9]\d{1,4}\) ?\d{2,8}(?:[ -]?\d{1,6}){0,3}|0(?:15\d{1,2}|16[02389]` +
          String.raw`|17\d)[ /-]{1,3}\d{3,8}(?: ?\d{2,5}){0,2}|0[2-9]\d{1,4} ?(?:\/ ?\d{2}` +
          String.raw`|- ?\d{3})\d{0,6}(?:[ -]?\d{1,6}){0,3}|0(?:30|40|69|89) \d{3,8}(?:[ -]\d{1,6}){0,3}`,
      ),
      (value) => {
        const { length } = digitsOf(value);
        return length >= 7 && length <= 13;
      },
    ),
  ),
  phone(
    "france",
    "ARCEP, plan national de numérotation: ten digits that begin with 0, in pairs",
    matching(bounded(String.raw`0[1-79](?:[ .-]\d{2}){4}|0[67]\d{8}`)),
  ),
  phone(
    "united-kingdom",
    "Ofcom, National Telephone Numbering Plan: area codes of two to five digits after 0",
    matching(
      bounded(
        String.raw`\(?02\d\)? \d{4} \d{4}|\(?01\d{2,3}\)? \d{3} ?\d{3,4}|\(?01\d{3}\)? \d{5,6}` +
          String.raw`|07\d{3} ?\d{3} ?\d{3}|0[38]\d{2} \d{3} \d{4}`,
      ),
    ),
  ),
  phone(
    "italy-spain-and-others",
    "the national numbering plans: nine or ten digits in groups, beside the words for a telephone",
    matching(bounded(String.raw`\d{2,4}(?:[ .-]\d{2,4}){2,4}`), (value, around) => {
      const { length } = digitsOf(value);
      return length >= 8 && length <= 11 && isAfterWords(value, around);
    }),
  ),
  phone(
    "after-its-words",
    "ITU-T E.123: digits in groups, after the words for a telephone",
    matching(bounded(String.raw`\(?\d(?:[ ()./-]{0,3}\d){5,14}`), (value, around) => {
      return isAfterWords(value, around) && !isNear(/\b(?:19|20)\d{2}-\d{2}-\d{2}\b/)(value, around);
    }),
  ),
];
