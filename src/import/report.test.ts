import { describe, expect, it } from "vitest";
import { ImportReport } from "./report.ts";

function sharesOf(bytes: number | null): (number | undefined)[] {
  const shares: (number | undefined)[] = [];
  const update = (_done: number, _name?: string, extent?: { share?: number }): void =>
    void shares.push(extent?.share);
  const report = new ImportReport({ update, note: () => undefined, finish: () => undefined }, bytes);
  report.at("first");
  report.addBytes(25);
  report.at("first");
  report.addBytes(80);
  report.at("second");
  return shares;
}

describe("the report of an import", () => {
  it("says what part of all bytes is done, if it knows how many there are", () => {
    expect(sharesOf(100)).toEqual([0, 0.25, 1]);
    expect(sharesOf(null)).toEqual([undefined, undefined, undefined]);
    expect(sharesOf(0)).toEqual([undefined, undefined, undefined]);
  });
});
