import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRange } from "./byte-range.ts";

describe("a range of a file of 1000 bytes", () => {
  it.each([
    ["bytes=0-499", { start: 0, end: 499 }],
    ["bytes=500-999", { start: 500, end: 999 }],
    ["bytes=500-", { start: 500, end: 999 }],
    ["bytes=-500", { start: 500, end: 999 }],
    ["bytes=-2000", { start: 0, end: 999 }],
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=999-5000", { start: 999, end: 999 }],
    ["bytes=0-99999999999999999999999", { start: 0, end: 999 }],
    [" bytes=0-1 ", { start: 0, end: 1 }],
    ["Bytes=0-1", { start: 0, end: 1 }],
  ])("is, for %s, %o", (header, expected) => {
    expect(readRange(header, 1000)).toEqual(expected);
  });

  it.each([
    undefined,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "bytes=5-4",
    "bytes=1500-1000",
    "bytes=0-1,5-6",
    "items=0-1",
    "bytes=0x1-2",
    "bytes=1.5-2",
  ])("is the whole file for %s, which may be ignored", (header) => {
    expect(readRange(header, 1000)).toBe("all");
  });

  it.each(["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"])(
    "is unsatisfiable for %s",
    (header) => {
      expect(readRange(header, 1000)).toBe("none");
    },
  );
});

describe("a range of an empty file", () => {
  it.each(["bytes=0-", "bytes=0-0", "bytes=-1"])("is unsatisfiable: %s", (header) => {
    expect(readRange(header, 0)).toBe("none");
  });
});

describe("any range", () => {
  it("is within the file", () => {
    const number = fc.oneof(fc.constant(""), fc.nat().map(String), fc.bigInt({ min: 0n }).map(String));
    fc.assert(
      fc.property(number, number, fc.nat(), (from, to, size) => {
        const range = readRange(`bytes=${from}-${to}`, size);
        if (typeof range === "string") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});
