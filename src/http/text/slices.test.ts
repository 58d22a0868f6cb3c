import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnsDuring } from "../../testing/turns.ts";
import { jsonInSlices, mapInSlices, oneByOne } from "./slices.ts";

const twice = (item: number, index: number): number => item + index;

const numbers = Array.from({ length: 10_000 }, (_, index) => index);

async function* each(items: readonly number[]): AsyncGenerator<number> {
  yield* items;
}

describe("work in slices", () => {
  it("maps as an array does, and lets the event loop turn", async () => {
    expect(await mapInSlices(numbers, twice)).toEqual(numbers.map(twice));
    expect(await turnsDuring(() => mapInSlices(numbers, twice))).toBeGreaterThan(30);
    expect(await turnsDuring(() => mapInSlices(numbers.slice(0, 250), twice))).toBeLessThan(3);
  });

  it("lets the event loop turn after each of the items that it passes on", async () => {
    expect(await Array.fromAsync(oneByOne(each(numbers)))).toEqual(numbers);
    expect(await turnsDuring(() => Array.fromAsync(oneByOne(each(numbers))))).toBeGreaterThan(9000);
    expect(await turnsDuring(() => Array.fromAsync(each(numbers)))).toBeLessThan(3);
  });

  it("writes JSON as JSON.stringify does", async () => {
    const long = fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 45, maxLength: 60 });
    const value = fc.oneof(
      fc.jsonValue(),
      long,
      fc.record({ a: fc.option(fc.jsonValue(), { nil: undefined }), results: long, 'ü\n"': fc.jsonValue() }),
      fc.array(fc.record({ notes: long, date: fc.date({ noInvalidDate: true }), b: fc.constant(undefined) })),
    );
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        expect((await Array.fromAsync(jsonInSlices(given))).join("")).toBe(JSON.stringify(given));
      }),
    );
    const mixed = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? undefined : [() => 1]));
    expect((await Array.fromAsync(jsonInSlices(mixed))).join("")).toBe(JSON.stringify(mixed));
  });

  it("lets the event loop turn while it writes long JSON", async () => {
    const record = { id: 1, notes: numbers.map((number) => ({ number, content: "x".repeat(500) })) };
    expect(await turnsDuring(() => Array.fromAsync(jsonInSlices(record)))).toBeGreaterThan(50);
    expect(await turnsDuring(() => Array.fromAsync(jsonInSlices({ results: [record] })))).toBeGreaterThan(50);
    expect(await turnsDuring(() => Array.fromAsync(jsonInSlices({ results: [1] })))).toBeLessThan(3);
  });
});
