import { type Rule, matching, nearDigits } from "./rule.ts";

const number =
  String.raw`(?:\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}){1,5}` +
  String.raw`|\d{1,15})(?:[.,]\d{1,2}(?!\d))?(?:[.,][–—-]{1,2})?`;
const scale =
  String.raw`(?:\s?(?:thousand|million|billion|trillion|mn|mln|bn|[kKmM](?![\p{L}])|Tsd\.?|Mio\.?|Mrd\.?` +
  String.raw`|Millionen|Million|Milliarden|Milliarde|millions?|milliards?|millones|mil millones|milioni` +
  String.raw`|miliardi)(?![\p{L}]))?`;
const codes =
  "EUR|USD|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|INR|BRL|MXN|ZAR|ILS|" +
  "DEM|FRF|ITL|ATS|ESP";
const symbols = String.raw`(?:US|CA|C|A|AU|NZ|R|HK|S)?\$|[€£¥₹₽₺₴₪]`;
const names =
  "[eE]uros?|dollars?|cents?|pounds?(?: sterling)?|pence|francs?|Franken|Mark|Rubel|roubles?|rubles?|" +
  "pesos?|pesetas?|yen|yuan|zloty|złotych|Kronen|kronor|kroner|Dollar|Pfund|" +
  "livres sterling|d'euros|de dollars|dólares|libras|dollari|sterline";

/** Amounts of money. */
export const moneyRules: readonly Rule[] = [
  {
    name: "money-after-currency",
    kind: "money",
    source: "ISO 4217, and the signs of the Unicode block of currency symbols",
    find: matching(
      new RegExp(
        String.raw`(?<![\p{L}\p{N}])(?:${codes}|${symbols})[\s\u00a0]?-?${number}${scale}(?![\p{L}\p{N}])`,
        "gu",
      ),
      undefined,
      nearDigits(5),
    ),
  },
  {
    name: "money-before-currency",
    kind: "money",
    source: "ISO 4217, with the names of the currencies in English, German, French, Spanish and Italian",
    find: matching(
      new RegExp(
        String.raw`(?<![\p{L}\p{N}]|[\p{N}][.,:/-])${number}${scale}[\s\u00a0\u202f]?(?:(?:${codes}` +
          String.raw`|${names})(?![\p{L}\p{N}])|[€£¥₹₽₺₴₪])`,
        "gu",
      ),
    ),
  },
];
