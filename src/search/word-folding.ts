/*
 * Removes the differences that do not count when words are compared: case, width, accents, and letters that only some
 * keyboards have. The result is in lower case and composed. Only marks that make another letter remain (as in Hindi,
 * Thai or Japanese).
 */

/** In letters: longer words are truncated, in the index as in a query. */
export const maxWordLength = 60;

/** Marks that only change how a letter is spoken. Those of Indic scripts are letters. */
const marks = new RegExp(
  `[${[
    ["\\u0300", "\\u036F"],
    ["\\u0483", "\\u0489"],
    ["\\u0591", "\\u05C7"],
    ["\\u0610", "\\u061A"],
    ["\\u064B", "\\u065F"],
    ["\\u0670", "\\u0670"],
    ["\\u06D6", "\\u06ED"],
    ["\\u08D3", "\\u08FF"],
    ["\\u1AB0", "\\u1AFF"],
    ["\\u1DC0", "\\u1DFF"],
    ["\\u20D0", "\\u20F0"],
    ["\\uFE20", "\\uFE2F"],
  ]
    .map(([first, last]) => `${first}-${last}`)
    .join("")}]`,
  "g",
);
const single = /[ـßøłđðþæœıħŧŋςىةکی]/g;
const spelled: Readonly<Record<string, string>> = {
  // The tatweel only elongates a line.
  ـ: "",
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ς: "σ",
  ى: "ي",
  ة: "ه",
  ک: "ك",
  ی: "ي",
};
const notOfWords = /[^\p{L}\p{N}\p{M}]/gu;

/**
 * Normalization sorts the marks of a letter, in time quadratic in their number. "Stream-safe" text, as the Unicode
 * standard calls it, has at most 30 marks in a row (UAX #15, 13).
 */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu;

/** A word in the form in which the index stores it. */
export function fold(letters: string): string {
  return cut(
    letters
      .replaceAll(tooManyMarks, "$1")
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(marks, "")
      .normalize("NFC")
      .replaceAll(single, (letter) => spelled[letter] ?? letter)
      .replaceAll(notOfWords, ""),
  );
}

export function cut(word: string): string {
  return word.length <= maxWordLength ? word : Array.from(word).slice(0, maxWordLength).join("");
}

/**
 * The same for the letters of most texts in Latin, Greek and Cyrillic script, one by one, which is several times as
 * fast. Indexed by code unit: the folded letter; "" if it separates words; null if `fold` needs its context.
 */
export function quickFolding(): readonly (string | null)[] {
  return (quickTable ??= Array.from({ length: 0x2100 }, (_, code) => {
    const letter = String.fromCharCode(code);
    if (!/[\p{L}\p{N}\p{M}\u00AD]/u.test(letter)) return "";
    const isAlone = code < 0x250 || (code >= 0x370 && code < 0x483) || (code >= 0x48a && code < 0x530);
    return (isAlone && letter !== "\u00AD" && fold(letter)) || null;
  }));
}

/** Made when it is first needed: that takes 15 ms, which a start need not wait for. */
let quickTable: readonly (string | null)[] | undefined;
