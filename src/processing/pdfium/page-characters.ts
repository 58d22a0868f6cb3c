/*
 * Normalizes characters as fonts encode them, for text that is stored, shown and searched. Ligatures and the positional
 * forms of Arabic and Hebrew become the letters they stand for. All kinds of space become one. A code without a meaning
 * becomes U+FFFD, which shows that there was a character.
 */

export const unknownCharacter = "\ufffd";
export const lineEnd = "\n";
export const softHyphen = 0xad;

const space = /^[\s\u{85}]$/u;
const senseless = /^[\p{Cc}\p{Co}\p{Cn}\p{Cs}]$/u;
const presentationForm = /^[\u{fb00}-\u{fdff}\u{fe70}-\u{fefc}]$/u;
/** The byte order mark and zero-width spaces, which would only keep words from being found. */
const invisible = /^[\u{feff}\u{200b}\u{2060}]$/u;

/** The bullets of Symbol and Wingdings, the only private use characters that are common in sound text. */
const privateBullets = /^[\u{f0a7}\u{f0a8}\u{f0b7}\u{f0d8}\u{f0fc}]$/u;

/** The text for one code point: mostly one character, for some several or none. */
export function readableCharacter(code: number): string {
  if (code > 0x20 && code < 0x7f) return String.fromCharCode(code);
  if (code === 0 || code === 0x0d) return "";
  if (code === 0x0a) return lineEnd;
  if (code > 0x10ffff) return unknownCharacter;
  const character = String.fromCodePoint(code);
  if (space.test(character)) return " ";
  if (invisible.test(character)) return "";
  if (privateBullets.test(character)) return "•";
  if (presentationForm.test(character)) return character.normalize("NFKC");
  return senseless.test(character) ? unknownCharacter : character;
}
