import * as fc from "fast-check";

const anyUnit = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff }));

/**
 * Text of any UTF-16 code units, including control characters, NUL and halves of surrogate pairs. (fast-check's
 * "binary" texts take a second to set up.)
 */
export const anyText: fc.Arbitrary<string> = fc
  .array(anyUnit, { maxLength: 24 })
  .map((units) => String.fromCharCode(...units));

/** Text that UTF-8 and databases can store: without NUL and halves of surrogate pairs. */
export const storableText: fc.Arbitrary<string> = anyText.map((text) =>
  text.toWellFormed().replaceAll("\0", ""),
);

/** The text with another character at an index that counts from the end when it is negative, as `at` counts. */
export function altered(text: string, index: number): string {
  const at = index < 0 ? text.length + index : index;
  return text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1);
}
