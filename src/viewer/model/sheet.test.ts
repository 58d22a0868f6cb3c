import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Sheet, maxRows } from "./sheet.ts";

function sheetOf(rows: string[][], perPart = 3): Sheet {
  return new Sheet(async (offset) => ({
    sheets: [""],
    sheet: 0,
    offset,
    rows: rows.slice(offset, offset + perPart),
    next: offset + perPart < rows.length ? "more" : null,
  }));
}

const shown = (sheet: Sheet): unknown[] => sheet.rows.map(({ number, cells }) => [number, ...cells]);

describe("a sheet", () => {
  it("has the first row as its header, and further rows as they are loaded", async () => {
    const sheet = sheetOf([
      ["Month", ""],
      ["May", "3"],
      ["June", "12"],
      ["July", "7"],
    ]);
    await Promise.all([sheet.loadMore(), sheet.loadMore()]);
    expect([sheet.header, shown(sheet), sheet.isComplete]).toEqual([
      ["Month", "Column B"],
      [
        [2, "May", "3"],
        [3, "June", "12"],
      ],
      false,
    ]);
    await sheet.loadMore();
    expect([sheet.rows.length, sheet.isComplete, sheet.isCut]).toEqual([3, true, false]);
  });

  it("is sorted by numbers and words, with empty cells last, and at last in the order of the file", async () => {
    const sheet = sheetOf([["n"], ["10"], ["9"], [""], ["b"], ["Ä"]]);
    const order = async (): Promise<unknown[]> => {
      await sheet.sortBy(0);
      return sheet.rows.map(({ cells }) => cells[0]);
    };
    expect(await order()).toEqual(["9", "10", "Ä", "b", ""]);
    expect(await order()).toEqual(["b", "Ä", "10", "9", ""]);
    expect(await order()).toEqual(["10", "9", "", "b", "Ä"]);
  });

  it("has every row once in any order", async () => {
    const cells = fc.array(fc.array(fc.constantFrom("", "1", "2", "10", "a", "b c"), { maxLength: 3 }), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(cells, fc.array(fc.nat(2), { maxLength: 4 }), async (rows, columns) => {
        const sheet = sheetOf(rows);
        for (const column of [0, ...columns]) await sheet.sortBy(column);
        const numbers = sheet.rows.map(({ number }) => number).toSorted((left, right) => left - right);
        expect(numbers).toEqual(rows.slice(1).map((_, index) => index + 2));
      }),
      { numRuns: 50 },
    );
  });

  it("is cut at the maximum number of rows", async () => {
    const sheet = sheetOf(
      Array.from({ length: maxRows + 5000 }, (_, row) => [String(row)]),
      1000,
    );
    await sheet.sortBy(0);
    expect(sheet.isCut).toBe(true);
    expect(sheet.rows.length).toBeLessThan(maxRows + 1000);
  });
});
