/*
 * What does not count when words are compared: case, width, accents, and the letters that only some keyboards have. What
 * comes out is in lower case and composed; only marks that make another letter (as in Hindi, Thai or Japanese) stay.
 */

/** In letters: what is longer is cut, in the index as in a query. */
export const maxWordLength = 60;

/** Marks that only say how a letter is spoken. Those of Indic scripts are letters of their own. */
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
  // The tatweel only stretches a line.
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
 * Normalizing puts the marks of a letter in order, which takes time that grows with the square of their number. The
 * Unicode standard's "stream-safe" text has no more than 30 in a row (UAX #15, 13).
 */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu;

/** A word as the index has it. */
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
 * fast. By code unit: what the letter becomes; "": it parts words; null: it is for `fold`, with all that surrounds it.
 */
export const quickFolding: readonly (string | null)[] = Array.from({ length: 0x2100 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (!/[\p{L}\p{N}\p{M}\u00AD]/u.test(letter)) return "";
  const isAlone = code < 0x250 || (code >= 0x370 && code < 0x483) || (code >= 0x48a && code < 0x530);
  return (isAlone && letter !== "\u00AD" && fold(letter)) || null;
});
