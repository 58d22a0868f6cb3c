import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Arrangement, type PageSource, changesInWords, itemsOf, readPageNumbers } from "./arrangement.ts";
import { FakeNetwork } from "../../testing/fake-network.ts";
import { Client } from "./send.ts";

const source = (id: number, pages: number): PageSource => ({
  id,
  title: `Document ${id}`,
  slug: "document",
  page_count: pages,
  page_spec: `612x792:0-${pages - 1}`,
  file_hash: "",
  updated_at: "2025-01-31T12:00:00.000000Z",
});
const client = new Client("/api/", "", new FakeNetwork(() => ({ status: 404 })));
const opened = (pages: number): Arrangement => new Arrangement(client, source(1, pages));
/** An arrangement that is sent to a server with these receipts of changes, before and after. */
async function applied(before: object[], after: object[], refusal?: string): Promise<Arrangement> {
  let receipts = before;
  const network = new FakeNetwork(({ method }) =>
    method === "POST" && refusal !== undefined
      ? { status: 400, body: [refusal] }
      : { body: { results: receipts, next: null } },
  );
  const arrangement = new Arrangement(new Client("/api/", "", network), source(1, 3));
  arrangement.turn(keysOf(arrangement, 0), 1);
  await arrangement.apply(() => {
    receipts = [...before, ...after];
  });
  return arrangement;
}
const modified = (id: number, outcome: string, message = ""): object => ({
  id,
  step: "modified",
  outcome,
  message,
});

const keysOf = (arrangement: Arrangement, ...pages: number[]): Set<number> =>
  new Set(pages.map((page) => arrangement.pages.value[page]?.key ?? 0));

describe("an arrangement of pages", () => {
  it("is sent in as few items as it needs", () => {
    const arrangement = opened(6);
    arrangement.moveTo(keysOf(arrangement, 4, 5), 0);
    arrangement.turn(keysOf(arrangement, 2), 1);
    arrangement.turn(keysOf(arrangement, 3), -1);
    arrangement.insert(source(7, 3), [0, 2], 1);
    expect(itemsOf(arrangement.own, arrangement.pages.value)).toEqual([
      { page: "4" },
      { page: "0,2", id: 7 },
      { page: "5" },
      { page: "0", modifications: [{ type: "rotate", angle: "cc" }] },
      { page: "1", modifications: [{ type: "rotate", angle: "ccw" }] },
      { page: "2-3" },
    ]);
    expect(changesInWords(arrangement.own, arrangement.pages.value)).toEqual([
      "order changed",
      "pages 1 and 2 turned",
      "2 pages of “Document 7” inserted",
    ]);
  });

  it("keeps a page at least, and says what it removes", () => {
    const arrangement = opened(3);
    expect(arrangement.remove(keysOf(arrangement, 0, 1, 2))).toBe(false);
    expect(arrangement.remove(keysOf(arrangement, 0, 2))).toBe(true);
    expect(changesInWords(arrangement.own, arrangement.pages.value)).toEqual(["pages 1 and 3 removed"]);
  });

  it("is the original one after everything is undone, whatever was done", () => {
    const action = fc.tuple(fc.nat(5), fc.array(fc.nat(9), { maxLength: 4 }), fc.nat(12));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 8 }), (actions) => {
        const arrangement = opened(8);
        const before = arrangement.pages.value;
        for (const [kind, pages, index] of actions) {
          const keys = keysOf(arrangement, ...pages);
          if (kind === 0) arrangement.turn(keys, 1);
          else if (kind === 1) arrangement.remove(keys);
          else if (kind === 2) arrangement.moveTo(keys, index);
          else if (kind === 3) arrangement.step(keys, 1);
          else if (kind === 4)
            arrangement.insert(source(2, 3), [0, 1], Math.min(index, arrangement.pages.value.length));
          else arrangement.moveBefore(keys, arrangement.pages.value[index]?.key ?? null);
          const all = arrangement.pages.value.map(({ key }) => key);
          expect(new Set(all).size).toBe(all.length);
          expect(all.length).toBeGreaterThan(0);
        }
        while (arrangement.canUndo.value) arrangement.undo();
        expect(arrangement.pages.value).toEqual(before);
        expect(arrangement.isChanged.value).toBe(false);
      }),
    );
  });

  it("takes page numbers as people write them", () => {
    expect(readPageNumbers("", 3)).toEqual([0, 1, 2]);
    expect(readPageNumbers("3, 1-2", 3)).toEqual([2, 0, 1]);
    expect(readPageNumbers("2–3;1", 3)).toEqual([1, 2, 0]);
    for (const text of ["0", "4", "2-1", "x", "1,", "1-9"]) expect(readPageNumbers(text, 3)).toBeNull();
  });
});

describe("the result of a change of pages", () => {
  it("is that of its own receipt", async () => {
    const arrangement = await applied([modified(4, "failed")], [modified(5, "done")]);
    expect(await arrangement.conclude()).toBe(true);
    expect(arrangement.result.value).toContain("page 1 turned");
    expect(await arrangement.conclude()).toBe(false);
  });

  it("is not that of an earlier change, if the work was stopped", async () => {
    const arrangement = await applied([modified(4, "done")], []);
    expect(await arrangement.conclude()).toBe(false);
    expect([arrangement.result.value, arrangement.problem.value]).toEqual([
      "",
      expect.stringMatching(/stopped/),
    ]);
  });

  it("is a failure for the reason in its receipt, and the arrangement stays", async () => {
    const arrangement = await applied([], [modified(5, "failed", "No room.")]);
    expect(await arrangement.conclude()).toBe(false);
    expect([arrangement.problem.value, arrangement.isChanged.value]).toEqual(["No room.", true]);
  });

  it("is nothing if the change is refused", async () => {
    const arrangement = await applied([], [modified(5, "done")], "Busy.");
    expect(await arrangement.conclude()).toBe(false);
    expect([arrangement.problem.value, arrangement.state.value]).toEqual(["Busy.", "arranging"]);
  });
});
