import { describe, expect, it } from "vitest";
import { isAmong } from "./entity-tag.ts";

describe("a tag", () => {
  it.each(['"a"', 'W/"a"', ' "a" ', '"b", "a"', '"b",W/"a" ,"c"', "*", " * "])(
    "is among those of If-None-Match: %s",
    (header) => {
      expect(isAmong('"a"', header)).toBe(true);
    },
  );

  it.each([undefined, "", "a", '"b"', '"A"', '"a', 'w/"a"', '"ba"', '"b a"', "**"])(
    "is not among those of If-None-Match: %s",
    (header) => {
      expect(isAmong('"a"', header)).toBe(false);
    },
  );
});
