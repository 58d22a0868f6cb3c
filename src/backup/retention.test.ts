import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../testing/runs.ts";
import { momentOfName, nameOfBackup } from "./repository-format.ts";
import { type RetentionPolicy, keptBackups, policyOf } from "./retention.ts";

const none: RetentionPolicy = { last: null, daily: null, weekly: null, monthly: null, yearly: null };

const hours = (count: number): string[] =>
  Array.from({ length: count }, (_, hour) => nameOfBackup(new Date(Date.UTC(2026, 0, 1, hour))));

const kept = (names: readonly string[], policy: Partial<RetentionPolicy>): string[] =>
  [...keptBackups(names, { ...none, ...policy })].toSorted();

describe("the backups that a policy keeps", () => {
  it("are the newest of each day, week, month and year that has one", () => {
    const daily = hours(24 * 400).filter((_, index) => index % 8 === 0);
    expect(kept(daily, { last: 2 })).toEqual(["2027-02-04T08-00-00Z", "2027-02-04T16-00-00Z"]);
    expect(kept(daily, { daily: 3 })).toEqual([
      "2027-02-02T16-00-00Z",
      "2027-02-03T16-00-00Z",
      "2027-02-04T16-00-00Z",
    ]);
    // 31 January 2027 is a Sunday.
    expect(kept(daily, { weekly: 2 })).toEqual(["2027-01-31T16-00-00Z", "2027-02-04T16-00-00Z"]);
    expect(kept(daily, { monthly: 3 })).toEqual([
      "2026-12-31T16-00-00Z",
      "2027-01-31T16-00-00Z",
      "2027-02-04T16-00-00Z",
    ]);
    expect(kept(daily, { yearly: 5 })).toEqual(["2026-12-31T16-00-00Z", "2027-02-04T16-00-00Z"]);
  });

  it("are those that any of its rules keeps, and always the newest one", () => {
    const names = hours(48);
    expect(kept(names, { last: 2, daily: 2 })).toEqual([
      "2026-01-01T23-00-00Z",
      "2026-01-02T22-00-00Z",
      "2026-01-02T23-00-00Z",
    ]);
    expect(kept(names, {})).toEqual(["2026-01-02T23-00-00Z"]);
    expect(kept([], { last: 3 })).toEqual([]);
    expect(policyOf(none)).toBeNull();
  });

  const rule = fc.option(fc.integer({ min: 1, max: 6 }));
  const names = fc
    .uniqueArray(fc.integer({ min: 0, max: 24 * 900 }), { maxLength: 60 })
    .map((all) => all.map((hour) => nameOfBackup(new Date(Date.UTC(2025, 5, 1, hour)))));

  it("include the newest of each of the latest periods, and nothing that no rule asks for", () => {
    fc.assert(
      fc.property(names, rule, rule, rule, (all, last, daily, monthly) => {
        const found = keptBackups(all, { ...none, last, daily, monthly });
        const newestFirst = all.toSorted().toReversed();
        const wanted = new Set(newestFirst.slice(0, Math.max(1, last ?? 0)));
        for (const [length, count] of [
          [10, daily],
          [7, monthly],
        ] as const) {
          const groups = Map.groupBy(newestFirst, (name) => name.slice(0, length));
          for (const [first = ""] of [...groups.values()].slice(0, count ?? 0)) wanted.add(first);
        }
        expect([...found].toSorted()).toEqual([...wanted].toSorted());
      }),
      { numRuns: runs(200) },
    );
  });

  it("are the same if the others are removed and the policy is applied again", () => {
    fc.assert(
      fc.property(names, rule, rule, rule, rule, (all, last, daily, weekly, yearly) => {
        const policy = { ...none, last, daily, weekly, yearly };
        const once = keptBackups(all, policy);
        expect(keptBackups([...once], policy)).toEqual(once);
      }),
      { numRuns: runs(200) },
    );
  });

  it("have names that tell their moment", () => {
    const moment = new Date("2026-11-22T05:20:07Z");
    expect(momentOfName(nameOfBackup(moment))).toEqual(moment);
    expect(momentOfName("2026-11-22")).toBeNull();
  });
});
