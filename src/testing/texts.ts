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
