import { describe, expect, it } from "vitest";
import { type SortedColumn, sortedColumns } from "../../src/database/audiences/columns.ts";
import { Ledger } from "./ledger.ts";
import { type WalkedRecord, orderings } from "./orderings.ts";

function record(id: number, fields: Partial<WalkedRecord> = {}): WalkedRecord {
  const usual = { string: "", number: 1 };
  const values = Object.entries(sortedColumns).map(([column, kind]) => [column, usual[kind]]);
  return { ...(Object.fromEntries(values) as Pick<WalkedRecord, SortedColumn>), id, data: {}, ...fields };
}

function ledger(name: string, { backwards = false, standing = [] as number[] } = {}): Ledger {
  const ordering = orderings.find((one) => one.name === name);
  if (ordering === undefined) throw new Error(`No ordering ${name}`);
  return new Ledger(ordering, backwards, standing);
}

describe("a walk's ledger", () => {
  it("finds nothing wrong with a walk that shows everything once, in order", () => {
    const walk = ledger("id", { standing: [1, 2, 3] });
    walk.takePage([record(1), record(2)]);
    walk.takePage([record(3), record(7)]);
    expect(walk.verdict()).toEqual({ pages: 2, rows: 4, repeats: 0, misplaced: 0, missing: [] });
  });

  it("reports a row that is missing", () => {
    const walk = ledger("-id", { standing: [1, 2, 3] });
    walk.takePage([record(3), record(1)]);
    expect(walk.verdict().missing).toEqual([2]);
  });

  it("reports a row that is shown twice", () => {
    const walk = ledger("title");
    walk.takePage([record(1, { title: "a" }), record(2, { title: "a" })]);
    walk.takePage([record(2, { title: "a" })]);
    expect(walk.verdict().repeats).toBe(1);
  });

  it("allows a row that moved to be shown at its new position", () => {
    const walk = ledger("title");
    walk.takePage([record(1, { title: "a" }), record(2, { title: "b" })]);
    walk.takePage([record(1, { title: "c" })]);
    expect(walk.verdict()).toMatchObject({ repeats: 0, misplaced: 0 });
  });

  it("reports a row that belongs before the previously shown one", () => {
    const walk = ledger("-page_count");
    walk.takePage([record(1, { page_count: 2 }), record(2, { page_count: 3 })]);
    expect(walk.verdict().misplaced).toBe(1);
  });

  it("reads the pages of a backward walk from the end", () => {
    const walk = ledger("id", { backwards: true, standing: [1, 2, 3] });
    walk.takePage([record(3), record(4)]);
    walk.takePage([record(1), record(2)]);
    expect(walk.verdict()).toMatchObject({ repeats: 0, misplaced: 0, missing: [] });
  });

  it("expects rows without a data key last, and text in order of its code points", () => {
    const [none, high, low] = [
      record(1),
      record(2, { data: { case: ["\u{1F600}"] } }),
      record(3, { data: { case: ["\uFFFD", "zz\u{1F600}"] } }),
    ];
    const ascending = ledger("data_case");
    ascending.takePage([low, high, none]);
    expect(ascending.verdict().misplaced).toBe(0);
    const descending = ledger("-data_case");
    descending.takePage([high, low, none]);
    expect(descending.verdict().misplaced).toBe(0);
    const byUtf16 = ledger("data_case");
    byUtf16.takePage([high, record(3, { data: { case: ["\uFFFD"] } })]);
    expect(byUtf16.verdict().misplaced).toBe(1);
  });
});
