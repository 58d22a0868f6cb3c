import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localTimeOf, momentOf } from "./local-time.ts";

const zones = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/St_Johns",
  "Pacific/Apia",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
);

describe("a local time", () => {
  it.each([
    ["2039-02-01T00:00", "Europe/Berlin", "2039-01-31T23:00:00.000Z"],
    ["2026-07-01T12:00", "America/New_York", "2026-07-01T16:00:00.000Z"],
    // The clocks are set back: the first of two.
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    // They are set forward from 2 to 3 o'clock.
    ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["2026-03-29T03:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ])("%s in %s is %s", (local, zone, moment) => {
    expect(momentOf(local, zone)).toBe(moment);
  });

  it("always leads back to a moment that is shown in the same way", () => {
    const minutes = fc.integer({ min: Date.UTC(1975, 0) / 60_000, max: Date.UTC(2060, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        const local = localTimeOf(new Date(minute * 60_000).toISOString(), zone);
        expect(localTimeOf(momentOf(local, zone), zone)).toBe(local);
      }),
      { numRuns: 300 },
    );
  });
});
