import { type Rule, isNear, matching, nearDigits } from "./rule.ts";

const bounded = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}.,/+-])(?:${pattern})(?![\p{L}\p{N}/-]|[.,]\d)`, "gu");

/** Words that stand beside the number of a vehicle. */
const words = new RegExp(
  String.raw`licen[cs]e plate|number plate|\bplates?\b|registration (?:mark|number|no)|\breg\.? ?(?:no|number)|` +
    String.raw`\bVRM\b|Kennzeichen|Nummernschild|immatricul|plaque|matr[ií]cula|\btarga\b|kenteken|tablic[ae] rejestr`,
  "i",
);

const plate = (name: string, source: string, find: Rule["find"]): Rule => ({
  name,
  source,
  find,
  kind: "plate",
});

/** Registration plates of vehicles. */
export const plateRules: readonly Rule[] = [
  plate(
    "de",
    "Fahrzeug-Zulassungsverordnung, § 9: a district, one or two letters, up to four digits, eight signs in all",
    matching(
      bounded(String.raw`[A-ZÄÖÜ]{1,3}(?:-[A-Z]{1,2}[ -]?|[ ][A-Z]{1,2} )[1-9]\d{0,3}[EH]?`),
      (value, around) => {
        if (value.replaceAll(/[ -]/g, "").length > 8) return false;
        return /^[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ ]?\d{2,4}[EH]?$/.test(value) || isNear(words)(value, around);
      },
    ),
  ),
  plate(
    "gb",
    "DVLA, INF104: two letters, two digits for the half-year, three letters without I and Q",
    matching(
      bounded(String.raw`[A-HJ-PR-Y]{2}(?:0[1-9]|[1-3]\d|5[1-9]|[6-8]\d) ?[A-HJ-PR-Z]{3}`),
      (value, around) => / /.test(value) || isNear(words)(value, around),
    ),
  ),
  plate(
    "fr",
    "Arrêté du 9 février 2009: two letters, three digits, two letters, with hyphens; without I, O, U, SS and WW",
    matching(
      bounded(String.raw`(?!SS|WW)[A-HJ-NP-TV-Z]{2}-\d{3}-(?!SS)[A-HJ-NP-TV-Z]{2}`),
      (value) => !value.includes("-000-"),
    ),
  ),
  plate(
    "it",
    "Decreto del Presidente della Repubblica 495/1992: two letters, three digits, two letters, without I, O, Q, U",
    matching(bounded(String.raw`[A-HJ-NPR-TV-Z]{2} ?\d{3} ?[A-HJ-NPR-TV-Z]{2}`), isNear(words)),
  ),
  plate(
    "es",
    "Orden PRE/3298/2004: four digits, three consonants",
    matching(bounded(String.raw`\d{4}[ -]?[BCDFGHJKLMNPRSTVWXYZ]{3}`), isNear(words)),
  ),
  plate(
    "nl",
    "Regeling kentekens en kentekenplaten: the series with hyphens, without vowels",
    matching(
      bounded(
        String.raw`\d{2}-[BDFGHJKLNPRSTVXZ]{3}-\d|\d-[BDFGHJKLNPRSTVXZ]{3}-\d{2}` +
          String.raw`|[BDFGHJKLNPRSTVXZ]{2}-\d{3}-[BDFGHJKLNPRSTVXZ]` +
          String.raw`|[BDFGHJKLNPRSTVXZ]-\d{3}-[BDFGHJKLNPRSTVXZ]{2}` +
          String.raw`|\d{2}-[BDFGHJKLNPRSTVXZ]{2}-[BDFGHJKLNPRSTVXZ]{2}`,
      ),
      undefined,
      nearDigits(3, 8),
    ),
  ),
  plate(
    "beside-its-words",
    "any plate of two to eight letters and digits, after a word for it",
    matching(
      new RegExp(
        String.raw`(?:[Ll]icen[cs]e plate|[Nn]umber plate|[Rr]egistration number|Kennzeichen|` +
          String.raw`[Pp]laque(?: d'immatriculation)?|[Mm]atrícula|[Tt]arga|[Kk]enteken)` +
          String.raw`(?: (?:number|no\.?|n[°º]|Nr\.?))?(?: (?:was|is|lautet|es|est))?:? ` +
          String.raw`(?<value>(?=[A-Z0-9 -]*\d)[A-Z0-9]{1,8}(?:[ -][A-Z0-9]{1,5}){0,2})(?![\p{L}\p{N}])`,
        "gu",
      ),
      (value) => /[A-Z]/.test(value) && value.replaceAll(/[ -]/g, "").length <= 8,
    ),
  ),
];
