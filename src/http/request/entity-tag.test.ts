import { describe, expect, it } from "vitest";
import { isAmong } from "./entity-tag.ts";

describe("an entity tag", () => {
  it.each(['"a"', 'W/"a"', ' "a" ', '"b", "a"', '"b",W/"a" ,"c"', "*", " * "])(
    "matches If-None-Match: %s",
    (header) => {
      expect(isAmong('"a"', header)).toBe(true);
      expect(isAmong('W/"a"', header)).toBe(true);
    },
  );

  it.each([undefined, "", "a", '"b"', '"A"', '"a', 'w/"a"', '"ba"', '"b a"', "**"])(
    "does not match If-None-Match: %s",
    (header) => {
      expect(isAmong('"a"', header)).toBe(false);
    },
  );
});
