import { sql } from "kysely";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines, useApp } from "../testing/test-app.ts";
import { isWithinEdits } from "./edit-distance.ts";
import { runsOn } from "../testing/runs.ts";

const examples: readonly (readonly [one: string, other: string, distance: number])[] = [
  ["harbour", "harbour", 0],
  ["harbour", "harbor", 1],
  ["harbour", "harbours", 1],
  ["harbour", "hartour", 1],
  ["harbour", "habrour", 1],
  ["harbour", "ahrbuor", 2],
  ["harbour", "arbor", 2],
  ["harbour", "port", 6],
  ["ca", "abc", 3],
  ["a".repeat(60), `${"a".repeat(58)}bb`, 2],
  ["東京", "京東", 1],
];

describe("the edit distance between words", () => {
  it.each(examples)("%s and %s are", (one, other, distance) => {
    for (const edits of [0, 1, 2]) {
      expect([isWithinEdits(one, other, edits), isWithinEdits(other, one, edits)]).toEqual([
        distance <= edits,
        distance <= edits,
      ]);
    }
  });

  describe.each(engines)("in statements on %s", (engine) => {
    const app = useApp(engine);

    it("is the same", async () => {
      const letters = fc.constantFrom("a", "b", "c", "é", "😀");
      const word = fc.string({ unit: letters, maxLength: 7 });
      const long = fc.string({ unit: letters, minLength: 57, maxLength: 58 }).map((text) => `${text}ab`);
      const changed = fc.tuple(long, fc.nat({ max: 57 }), letters).map(([text, at, letter]) => {
        const all = Array.from(text);
        return [text, [...all.slice(0, at), letter, ...all.slice(at + 1)].join("")] as const;
      });
      const pairs = fc.oneof(
        { weight: 4, arbitrary: fc.tuple(word, word) },
        { weight: 1, arbitrary: changed },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(pairs, { minLength: 100, maxLength: 100 }), async (all) => {
          const each = all.flatMap(([one, other], index) =>
            [0, 1, 2].map(
              (edits) => sql`select ${sql.lit(index * 3 + edits)} as number
                where is_within_edits(${one}, ${other}, ${sql.lit(edits)})`,
            ),
          );
          const rows = await app.context.database.queryWithTimeout(
            sql<{
              number: number;
            }>`select number from (${sql.join(each, sql` union all `)}) as near order by number`,
            20,
          );
          const expected = all.flatMap(([one, other], index) =>
            [0, 1, 2].flatMap((edits) => (isWithinEdits(one, other, edits) ? [index * 3 + edits] : [])),
          );
          expect(rows.map(({ number }) => number)).toEqual(expected);
        }),
        { numRuns: runsOn(engine, 15) },
      );
    });
  });
});
