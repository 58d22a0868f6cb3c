import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OutageRefusals } from "./outage-refusals.ts";

describe("the log of requests that an outage refuses", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("has one line a second for each reason", () => {
    const lines: unknown[] = [];
    const refusals = new OutageRefusals({ warn: (line: unknown) => void lines.push(line) });
    for (let request = 0; request < 100; request++) refusals.count("the database is away");
    refusals.count("the bucket is away");
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(lines).toEqual([
      { status: 503, requests: 100, reason: "the database is away" },
      { status: 503, requests: 1, reason: "the bucket is away" },
    ]);
    vi.advanceTimersByTime(5000);
    expect(lines).toHaveLength(2);
    refusals.count("the database is away");
    vi.advanceTimersByTime(1000);
    expect(lines[2]).toEqual({ status: 503, requests: 1, reason: "the database is away" });
  });
});
