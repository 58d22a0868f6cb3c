import { describe, expect, it } from "vitest";
import { Backoff } from "./backoff.ts";

describe("Backoff", () => {
  it("doubles its pauses up to a minute, and starts again at one second after a long run", () => {
    const backoff = new Backoff();
    const seconds = Array.from({ length: 8 }, () => backoff.next(10) / 1000);
    expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(backoff.next(60_001)).toBe(1000);
    expect(backoff.failures).toBe(1);
  });
});
