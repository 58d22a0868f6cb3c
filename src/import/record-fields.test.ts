import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTimestamp } from "../http/text/timestamp.ts";
import { checkPageSpec, maxPageSpecLength, parsePageSpec } from "../processing/page-spec.ts";
import { RecordError, dataIn, idIn, momentIn, pageSpecIn } from "./record-fields.ts";

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

describe("an id of a record", () => {
  it("is at most as high as the documentation says", async () => {
    const page = await readFile(new URL("../../docs/import-and-export.md", import.meta.url), "utf8");
    const [, highest = ""] = /^\| `id`[^|]*\| 1 to (\d+) /m.exec(page) ?? [];
    expect(orNull(() => idIn({ id: Number(highest) }, "id"))).toBe(Number(highest));
    expect(orNull(() => idIn({ id: Number(highest) + 1 }, "id"))).toBeNull();
  });
});

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

  it("are rounded if their text is longer than a list can show", () => {
    const pageCount = 20_000;
    const all = Array.from({ length: pageCount }, (_, page) => `${600 + page / 100}x800.00:${page}`).join(
      ";",
    );
    const read = pageSpecIn({ sizes: all }, "sizes", pageCount);
    expect(read.length).toBeLessThan(maxPageSpecLength);
    checkPageSpec(parsePageSpec(read), pageCount);
    expect(read).toMatch(/^600\.00x800\.00:0-49;601\.00x800\.00:50-149;/);
    expect(orNull(() => pageSpecIn({ sizes: `${all};1x1:0` }, "sizes", pageCount))).toBe(null);
  });

  it("have sides of a few digits", () => {
    for (const side of ["9".repeat(400), `1.${"9".repeat(400)}`])
      for (const sizes of [`${side}x800:0`, `800x${side}:0`, `${side}x800:0;1x1:1`])
        expect(orNull(() => pageSpecIn({ sizes }, "sizes", sizes.includes(";") ? 2 : 1))).toBe(null);
  });
});

describe("the data of a record", () => {
  it("are as large as the API allows, and no larger", () => {
    const data = { key: Array.from({ length: 900 }, () => "x".repeat(280)) };
    expect(dataIn({ data }, "data")).toBe(JSON.stringify(data));
    const more = { key: [...data.key, ...data.key] };
    expect(orNull(() => dataIn({ data: more }, "data"))).toBe(null);
    const wide = { key: Array.from({ length: 400 }, () => "é".repeat(290)) };
    expect(orNull(() => dataIn({ data: wide }, "data"))).toBe(JSON.stringify(wide));
    expect(orNull(() => dataIn({ data: { ...wide, other: wide.key } }, "data"))).toBe(null);
  });
});
