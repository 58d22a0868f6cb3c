/** Where in a text an address stands; `end` is the place behind it. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Whether a text from anywhere may become a link: it is an absolute http or https address and nothing else. Any other
 * scheme (`javascript:` among them) may do more than lead somewhere.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}

/** Every web address in a text: all of it, or else those within, without the marks that end a sentence. */
export function findWebAddresses(text: string): Span[] {
  if (isWebAddress(text)) return [{ start: 0, end: text.length }];
  return Array.from(
    text.matchAll(/(?<![\p{L}\p{N}])https?:\/\/[^\s\p{Cc}<>"]+/giu),
    ({ 0: found, index }) => ({
      start: index,
      end: index + lengthWithoutMarks(found),
    }),
  ).filter(({ start, end }) => URL.canParse(text.slice(start, end)));
}

/** A closing bracket belongs to the address if it was opened there. */
function lengthWithoutMarks(address: string): number {
  let unopened = address.split(")").length - address.split("(").length;
  let length = address.length;
  for (; length > 0; length--) {
    const last = address.charAt(length - 1);
    if (last === ")" && unopened-- <= 0) break;
    if (last !== ")" && !".,;:!?'*]}’”»…".includes(last)) break;
  }
  return length;
}
