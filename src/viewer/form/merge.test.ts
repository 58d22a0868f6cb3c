import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RefusedError } from "../model/send.ts";
import { ConflictError, type Version, changedIn, merge, saveMerged } from "./merge.ts";

interface Values {
  title: string;
  tags: readonly string[];
  page: number;
  edge: number | null;
}

const together = ["page", "edge"] as const;
const values: fc.Arbitrary<Values> = fc.record({
  title: fc.constantFrom("A", "B", "C"),
  tags: fc.constantFrom([], ["x"], ["y"]),
  page: fc.nat(2),
  edge: fc.constantFrom(null, 0.1, 0.2),
});
const locationOf = ({ page, edge }: Values): unknown => [page, edge];

describe("two people who change the same record", () => {
  it("never lose a change without being told", () => {
    fc.assert(
      fc.property(values, values, values, (base, mine, theirs) => {
        const { merged, conflicts } = merge(base, mine, theirs, together);
        for (const name of ["title", "tags"] as const) {
          const [was, here, there] = [base[name], mine[name], theirs[name]].map((one) => JSON.stringify(one));
          expect(merged[name]).toEqual(here === was ? theirs[name] : mine[name]);
          expect(conflicts.includes(name)).toBe(here !== was && there !== was && here !== there);
        }
        // Sending the differences makes of their record the merged one.
        expect({ ...theirs, ...changedIn(theirs, merged, together) }).toEqual(merged);
        // Values that belong together never come from both.
        expect([locationOf(mine), locationOf(theirs)]).toContainEqual(locationOf(merged));
      }),
    );
  });
});

/** A record on a server where others change it before each of our first writes. */
function sharedRecord(start: Values, changes: Partial<Values>[]) {
  let now = start;
  let version = 0;
  const change = (some: Partial<Values>): void => {
    now = { ...now, ...some };
    version += 1;
  };
  return {
    together,
    current: () => now,
    read: (): Promise<Version<Values>> => Promise.resolve({ values: now, etag: `"${version}"` }),
    write: (from: Values, to: Values, etag: string | null): Promise<Values> => {
      const theirs = changes.shift();
      if (theirs !== undefined) change(theirs);
      if (etag !== `"${version}"`) return Promise.reject(new RefusedError(412, "changed"));
      change(changedIn(from, to, together));
      return Promise.resolve(now);
    },
  };
}

const start: Values = { title: "A", tags: [], page: 0, edge: null };

describe("saving what was edited", () => {
  it.each([{ etag: '"0"' }, { etag: null }])(
    "keeps what others change meanwhile, from $etag",
    async ({ etag }) => {
      const record = sharedRecord(start, [{ tags: ["theirs"] }, { page: 2, edge: 0.5 }]);
      await saveMerged(record, { values: start, etag }, { ...start, title: "Mine" });
      expect(record.current()).toEqual({ title: "Mine", tags: ["theirs"], page: 2, edge: 0.5 });
    },
  );

  it("stops at a change of the same field, and says what it found", async () => {
    const record = sharedRecord(start, [{ title: "Theirs", tags: ["theirs"] }]);
    const saving = saveMerged(record, { values: start, etag: '"0"' }, { ...start, title: "Mine" });
    await expect(saving).rejects.toMatchObject({
      fields: ["title"],
      theirs: { values: { title: "Theirs" }, etag: '"1"' },
      merged: { title: "Mine", tags: ["theirs"] },
    });
    await expect(saving).rejects.toBeInstanceOf(ConflictError);
    expect(record.current().title).toBe("Theirs");
  });

  it("passes on every other refusal", async () => {
    const refusal = new RefusedError(400, "wrong");
    const record = { ...sharedRecord(start, []), write: () => Promise.reject(refusal) };
    await expect(saveMerged(record, { values: start, etag: '"0"' }, start)).rejects.toBe(refusal);
  });
});
