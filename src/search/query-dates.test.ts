import { describe, expect, it } from "vitest";
import { dateRange } from "./query-dates.ts";
import type { Bound } from "./query-tree.ts";

const now = new Date("2024-03-31T12:34:56.789Z");
const end = (value: string, isIncluded = true) => ({ value, isIncluded });

/** A start, and an exclusive end. */
function spanOf(from: string, to = from): readonly [string | null, string | null] | null {
  const range = dateRange("created_at", end(from), end(to), now);
  if (range.kind !== "range") return null;
  return [textOf(range.from), textOf(range.to)];
}

const textOf = (bound: Bound | null): string | null => (bound === null ? null : String(bound.value));

const moment = (text: string): string =>
  `${text.padEnd(23, "0000-01-01T00:00:00.000".slice(text.length))}000Z`;

describe("dates in a query", () => {
  it.each([
    ["2024", "2024", "2025"],
    ["2024-02", "2024-02", "2024-03"],
    ["2023-12-31", "2023-12-31", "2024-01-01"],
    ["2024-02-28T23:59", "2024-02-28T23:59", "2024-02-29T00:00"],
    ["2024-01-01T10:00:00Z", "2024-01-01T10:00:00", "2024-01-01T10:00:01"],
    ["2024-01-01T10:00:00.5Z", "2024-01-01T10:00:00.500", "2024-01-01T10:00:00.501"],
    ["NOW", "2024-03-31T12:34:56.789", "2024-03-31T12:34:56.790"],
    ["NOW/DAY", "2024-03-31", "2024-03-31T00:00:00.001"],
    ["NOW/DATE", "2024-03-31", "2024-03-31T00:00:00.001"],
    ["NOW-7DAYS/DAY", "2024-03-24", "2024-03-24T00:00:00.001"],
    ["NOW/MONTH-1MONTH", "2024-02-01", "2024-02-01T00:00:00.001"],
    ["NOW-1MONTH", "2024-02-29T12:34:56.789", "2024-02-29T12:34:56.790"],
    ["NOW-1YEAR+2HOURS", "2023-03-31T14:34:56.789", "2023-03-31T14:34:56.790"],
    ["NOW+90MINUTES", "2024-03-31T14:04:56.789", "2024-03-31T14:04:56.790"],
    ["NOW-789MILLIS", "2024-03-31T12:34:56.000", "2024-03-31T12:34:56.001"],
    ["NOW/SECOND", "2024-03-31T12:34:56.000", "2024-03-31T12:34:56.001"],
    ["2020-01-01T00:00:00Z+1YEAR", "2021-01-01", "2021-01-01T00:00:01"],
  ])("reads %s", (text, from, to) => {
    expect(spanOf(text)).toEqual([moment(from), moment(to)]);
  });

  it.each([
    "",
    "yesterday",
    "2024-13",
    "2024-02-30",
    "24-01-01",
    "NOW-1FORTNIGHT",
    "NOW+",
    "NOW/",
    "now",
    "2024-1-1",
  ])("matches nothing for %j, which is not a date", (text) =>
    expect(dateRange("created_at", end(text), end(text), now)).toEqual({ kind: "nothing" }),
  );

  it("matches nothing beyond years of four digits", () => {
    expect(spanOf("NOW-3000YEARS")).toBe(null);
    expect(spanOf("9999")).toBe(null);
  });

  it("may have ranges that end with whole days, months and years", () => {
    expect(spanOf("2020", "2021-06")).toEqual([moment("2020"), moment("2021-07")]);
    expect(spanOf("*", "2021")).toEqual([null, moment("2022")]);
    expect(spanOf("2021", "*")).toEqual([moment("2021"), null]);
    const without = dateRange("updated_at", end("2020", false), end("2022", false), now);
    expect(without).toEqual({
      kind: "range",
      field: "updated_at",
      from: { value: moment("2021"), isIncluded: true },
      to: { value: moment("2022"), isIncluded: false },
    });
  });
});
