import * as fc from "fast-check";
import { expect, it } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

it("keeps the entries that were set last", () => {
  const entries = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat()), { maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), entries, (max, all) => {
      const map = new BoundedMap<number, number>(max);
      let kept: (readonly [number, number])[] = [];
      for (const [key, value] of all) {
        map.set(key, value);
        kept = [...kept.filter(([known]) => known !== key), [key, value] as const].slice(-max);
        expect([...map]).toEqual(kept);
      }
    }),
  );
});
