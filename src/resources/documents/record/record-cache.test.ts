import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordCache } from "./record-cache.ts";

const megabyte = 1024 * 1024;

interface Put {
  variant: string;
  id: number;
  revision: number;
}

const lengthOf = ({ id, revision }: Put): number => (id * 7919 + revision * 104_729) % 280_000;

/** Bytes that identify the document and revision at both ends. Each revision has exactly one record. */
function recordOf(one: Put): Buffer {
  const name = `${one.variant} ${one.id} ${one.revision}|`;
  const record = Buffer.alloc(Math.max(lengthOf(one), 2 * name.length), ".");
  record.write(name);
  record.write(name, record.length - name.length);
  return record;
}

const puts = fc.array(
  fc.record<Put>({
    variant: fc.constantFrom("a", "b"),
    id: fc.integer({ min: 1, max: 9 }),
    revision: fc.integer({ min: 1, max: 1000 }),
  }),
  { minLength: 1, maxLength: 60 },
);

function fill(cache: RecordCache, list: readonly Put[]): void {
  for (const one of list) cache.put(cache.variant(one.variant), one.id, one.revision, recordOf(one));
}

const find = (cache: RecordCache, { variant, id, revision }: Put): Buffer | undefined =>
  cache.find(cache.variant(variant), id, revision);

describe("RecordCache", () => {
  it("returns exactly the bytes that were stored for a document and revision, or nothing", () => {
    fc.assert(
      fc.property(puts, (list) => {
        const cache = new RecordCache(1);
        for (const [index, one] of list.entries()) {
          fill(cache, [one]);
          // This also looks up records that the ring is about to overwrite.
          const among = index === list.length - 1 ? list : list.slice(Math.max(0, index - 9), index + 1);
          for (const other of among) {
            const found = find(cache, other);
            expect(found === undefined || recordOf(other).equals(found)).toBe(true);
          }
        }
      }),
    );
  });

  it("keeps as many of the newest records as there is room for", () => {
    fc.assert(
      fc.property(puts, (list) => {
        const cache = new RecordCache(1);
        fill(cache, list);
        let room = megabyte / 2;
        const newest = new Map<string, Put>();
        for (const one of list.toReversed()) {
          room -= lengthOf(one) + 100;
          if (room < 0) break;
          const key = `${one.variant} ${one.id}`;
          if (!newest.has(key)) newest.set(key, one);
        }
        const small = [...newest.values()].filter((one) => lengthOf(one) < 200_000);
        expect(small.filter((one) => find(cache, one) === undefined)).toEqual([]);
      }),
    );
  });

  it("keeps only the revision of a document that was stored last", () => {
    const cache = new RecordCache(1);
    const variant = cache.variant("a");
    cache.put(variant, 1, 10, Buffer.from("ten"));
    cache.put(variant, 1, 9, Buffer.from("nine"));
    expect(cache.find(variant, 1, 10)).toBeUndefined();
    expect(cache.find(variant, 1, 9)?.toString()).toBe("nine");
    expect(cache.find(variant, 2, 9)).toBeUndefined();
    expect(cache.find(cache.variant("b"), 1, 9)).toBeUndefined();
  });

  it("does not store a record that takes more than a quarter of it", () => {
    const cache = new RecordCache(1);
    const variant = cache.variant("a");
    cache.put(variant, 1, 1, Buffer.alloc(megabyte / 4));
    expect(cache.find(variant, 1, 1)).toBeUndefined();
    cache.put(variant, 1, 1, Buffer.alloc(megabyte / 4 - 100));
    expect(cache.find(variant, 1, 1)).toBeDefined();
  });

  it("stores nothing if its size is 0", () => {
    const cache = new RecordCache(0);
    cache.put(cache.variant("a"), 1, 1, Buffer.from("a"));
    expect(cache.find(cache.variant("a"), 1, 1)).toBeUndefined();
  });

  it("drops the oldest variant if there are too many", () => {
    const cache = new RecordCache(1);
    const first = cache.variant("first");
    cache.put(first, 1, 1, Buffer.from("first"));
    for (let number = 0; number < 63; number++) cache.variant(`other ${number}`);
    expect(cache.find(first, 1, 1)?.toString()).toBe("first");
    const usurper = cache.variant("one too many");
    expect(cache.find(first, 1, 1)).toBeUndefined();
    expect(cache.find(usurper, 1, 1)).toBeUndefined();
    cache.put(first, 1, 1, Buffer.from("first"));
    expect(cache.find(first, 1, 1)).toBeUndefined();
    cache.put(usurper, 1, 1, Buffer.from("usurper"));
    expect(cache.find(usurper, 1, 1)?.toString()).toBe("usurper");
    expect(cache.find(cache.variant("first"), 1, 1)).toBeUndefined();
  });
});
