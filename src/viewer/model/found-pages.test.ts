import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FoundPages, chunkSize } from "./found-pages.ts";

function foundOn(numbers: readonly number[]): Promise<{ found: FoundPages; fetched: number[] }> {
  const fetched: number[] = [];
  const pages = numbers.map((page) => ({ page, fragments: [], count: 1 }));
  const load = async (chunk: number) => {
    fetched.push(chunk);
    return { count: pages.length, pages: pages.slice(chunk * chunkSize, (chunk + 1) * chunkSize) };
  };
  return FoundPages.open(load).then((found) => ({ found, fetched }));
}

const somePages = fc
  .uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 1500 })
  .map((numbers) => numbers.toSorted((left, right) => left - right));

describe("the pages that match a search", () => {
  it("are found by page and by rank, whatever their distribution", async () => {
    await fc.assert(
      fc.asyncProperty(somePages, fc.array(fc.integer({ min: 1, max: 5000 })), async (numbers, wanted) => {
        const { found } = await foundOn(numbers);
        for (const page of wanted) {
          const rank = await found.rankFrom(page, 5000);
          const expected = numbers.findIndex((one) => one >= page);
          expect(rank).toBe(expected === -1 ? numbers.length : expected);
          expect(found.covers(page)).toBe(true);
          expect(found.findPage(page) !== undefined).toBe(numbers.includes(page));
          expect((await found.getRanked(rank))?.page).toBe(numbers[expected]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("are fetched on demand, and not all kept", async () => {
    const { found, fetched } = await foundOn(Array.from({ length: 10_000 }, (_, index) => index + 1));
    expect([found.count, found.hitCount]).toEqual([10_000, null]);
    expect(await found.rankFrom(7_321, 10_000)).toBe(7_320);
    expect(fetched.length).toBeLessThan(4);
    for (let chunk = 0; chunk < 100; chunk++) await found.getChunk(chunk);
    const kept = Array.from({ length: 100 }, (_, chunk) => found.findChunk(chunk)).filter(Boolean);
    expect(kept.length).toBeLessThan(10);
  });

  it("are fetched once for simultaneous requests", async () => {
    const { found, fetched } = await foundOn(Array.from({ length: 500 }, (_, index) => index + 1));
    await Promise.all([found.getChunk(3), found.getChunk(3), found.getRanked(305)]);
    expect(fetched).toEqual([0, 3]);
  });
});
