import { describe, expect, it } from "vitest";
import { ImportReport } from "./report.ts";

describe("the report of an import", () => {
  const shares = (bytes: number | null): (number | undefined)[] => {
    const told: (number | undefined)[] = [];
    const update = (_done: number, _name?: string, extent?: { share?: number }): void =>
      void told.push(extent?.share);
    const report = new ImportReport({ update, note: () => undefined, finish: () => undefined }, bytes);
    report.at("first");
    report.addBytes(25);
    report.at("first");
    report.addBytes(80);
    report.at("second");
    return told;
  };

  it("says what part of all bytes is done, if it knows how many there are", () => {
    expect(shares(100)).toEqual([0, 0.25, 1]);
    expect(shares(null)).toEqual([undefined, undefined, undefined]);
    expect(shares(0)).toEqual([undefined, undefined, undefined]);
  });
});
