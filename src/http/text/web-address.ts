/** The position of an address in a text; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Whether untrusted text may become a link: it must be an absolute http or https address and nothing else. Other
 * schemes (`javascript:`, for example) may do more than open a page.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}

/**
 * Every web address in a text: the whole text, or else those within it, without the punctuation that ends a sentence.
 */
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

/** A closing bracket belongs to the address if the address also contains the opening one. */
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
