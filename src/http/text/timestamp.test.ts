import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTimestamp, timestampNow } from "./timestamp.ts";

const two = (number: number): string => String(number).padStart(2, "0");

const asWritten = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

describe("a timestamp", () => {
  it.each([
    ["2025-09-24T16:09:01.460974Z", "2025-09-24T16:09:01.460974Z"],
    ["2025-09-24", "2025-09-24T00:00:00.000000Z"],
    ["2025-09-24T16:09", "2025-09-24T16:09:00.000000Z"],
    ["2025-09-24 16:09:01", "2025-09-24T16:09:01.000000Z"],
    ["2025-09-24T16:09:01.5Z", "2025-09-24T16:09:01.500000Z"],
    ["2025-09-24T16:09:01.123456789Z", "2025-09-24T16:09:01.123456Z"],
    ["2025-09-24T16:09:01+02:00", "2025-09-24T14:09:01.000000Z"],
    ["2025-09-24T16:09:01.000001-0530", "2025-09-24T21:39:01.000001Z"],
    ["2025-01-01T00:30:00+01", "2024-12-31T23:30:00.000000Z"],
    ["2025-09-24T16:09:01 02:00", "2025-09-24T14:09:01.000000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000000Z"],
    ["2025-9-4", "2025-09-04T00:00:00.000000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000000Z"],
    ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
  ])("is read from %s", (text, expected) => {
    expect(readTimestamp(text)).toBe(expected);
  });

  it.each([
    "",
    "now",
    "2025",
    "2025-02-29",
    "2025-02-30T00:00:00Z",
    "2025-13-01",
    "2025-00-10",
    "2025-01-00",
    "2025-01-01T24:00:00Z",
    "2025-01-01T00:60:00Z",
    "2025-01-01T00:00:60Z",
    "2025-01-01T00:00:00+24:00",
    "2025-01-01T00:00:00+00:60",
    "0000-01-01",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "20250101",
    "2025-01-01T00:00:00Z; drop table documents",
  ])("is null for %j", (text) => {
    expect(readTimestamp(text)).toBeNull();
  });

  it("is the same whatever its offset", () => {
    const date = fc.date({ min: new Date("0002-01-01"), max: new Date("9998-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(
        date,
        fc.integer({ min: -1439, max: 1439 }),
        fc.integer({ min: 0, max: 999 }),
        (moment, minutes, micro) => {
          const seconds = moment.toISOString().slice(0, -1);
          const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1);
          const size = Math.abs(minutes);
          const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
          const digits = String(micro).padStart(3, "0");
          expect(readTimestamp(`${local}${digits}${offset}`)).toBe(`${seconds}${digits}Z`);
        },
      ),
    );
  });

  it("is null or in the API's format, whatever the text", () => {
    const piece = fc.constantFrom("2025", "-", "02", "30", "T", ":", "59", ".", "123456", "Z", "+", " ", "x");
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (given) => {
        const read = readTimestamp(given) ?? "2025-01-31T12:00:00.000000Z";
        expect(read).toMatch(asWritten);
        expect(readTimestamp(read)).toBe(read);
      }),
    );
  });
});

describe("now", () => {
  it("is in the API's format, between the times before and after", () => {
    const before = new Date().toISOString();
    const now = timestampNow();
    expect(now).toMatch(asWritten);
    expect(now >= before.replace("Z", "000Z")).toBe(true);
    expect(now <= new Date().toISOString().replace("Z", "999Z")).toBe(true);
  });

  it("never goes back, and is seldom the same twice", () => {
    const asked = Array.from({ length: 20_000 }, () => timestampNow());
    expect(asked).toEqual(asked.toSorted());
    expect(new Set(asked).size).toBeGreaterThan(2000);
  });
});
