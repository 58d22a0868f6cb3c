import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTimestamp } from "../http/text/timestamp.ts";
import { checkPageSpec, parsePageSpec } from "../processing/page-spec.ts";
import { RecordError, momentIn, pageSpecIn } from "./record-fields.ts";

/** What `read` returns, or null for a value that it refuses. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return null;
  }
}

const digits = (length: number, max: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, "0"));

function isValid(text: string, pageCount: number): boolean {
  try {
    checkPageSpec(parsePageSpec(text), pageCount);
    return true;
  } catch {
    return false;
  }
}

describe("a time of a record", () => {
  it("is always read as the API reads it, whether or not it has the stored format", () => {
    const parts = [
      digits(4, 9999),
      digits(2, 13),
      digits(2, 32),
      digits(2, 24),
      digits(2, 60),
      digits(2, 60),
    ];
    fc.assert(
      fc.property(fc.tuple(...parts), digits(6, 999_999), (numbers, fraction) => {
        const [year, month, day, hour, minute, second] = numbers;
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
        expect(orNull(() => momentIn({ at: text }, "at"))).toBe(readTimestamp(text));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["2023-02-29", "2024-02-29", "2024-02-30", "2024-04-31", "2024-12-31", "2024-01-31", "0000-01-01"])(
    "is read as the API reads it on %s",
    (day) => {
      const text = `${day}T10:00:00.000001Z`;
      expect(orNull(() => momentIn({ at: text }, "at"))).toBe(readTimestamp(text));
    },
  );
});

describe("the page sizes of a record", () => {
  it("are always checked in full, also if all pages have one size", () => {
    const pages = fc.integer({ min: 0, max: 3 });
    const run = fc.oneof(
      pages.map(String),
      fc.tuple(pages, pages).map(([first, last]) => `${first}-${last}`),
    );
    const size = fc.constantFrom("612.00x792.00", "612x792", "612.x792", "612");
    const group = fc
      .tuple(size, fc.array(run, { minLength: 1, maxLength: 2 }))
      .map(([of, runs]) => `${of}:${runs.join(",")}`);
    const spec = fc.array(group, { maxLength: 2 }).map((groups) => groups.join(";"));
    fc.assert(
      fc.property(spec, pages, (text, pageCount) => {
        const read = orNull(() => pageSpecIn({ sizes: text }, "sizes", pageCount));
        expect(read).toBe(isValid(text, pageCount) ? text : null);
      }),
      { numRuns: 1000 },
    );
  });
});
