import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { byTheClock, limitTime, secondsOfGroup, secondsOfProcess, unhurried } from "./processor-time.ts";

const mockedMilliseconds = (): number => vi.getMockedSystemTime()?.getTime() ?? 0;

/** Runs for some seconds by the clock, and gets this share of a processor. Returns when it was ended, if it was. */
function endAt(
  limit: Parameters<typeof limitTime>[0],
  share: number | null,
  seconds: number,
  freeSeconds = 0,
): number | null {
  const started = mockedMilliseconds();
  const elapsed = (): number => (mockedMilliseconds() - started) / 1000;
  let ended: number | null = null;
  // The time before the timer began does not count.
  const read = (): number | null => (share === null ? null : 1000 + share * elapsed());
  const running = limitTime(limit, read, () => (ended = elapsed()), freeSeconds);
  vi.advanceTimersByTime(seconds * 1000);
  expect(running.isLate()).toBe(ended !== null);
  running.lift();
  vi.advanceTimersByTime(1_000_000);
  return ended;
}

describe("a limit on processor time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("lets work go on that gets a share of a processor alone", () => {
    expect(endAt(unhurried(10), 1, 100)).toBeCloseTo(10);
    expect(endAt(unhurried(10), 0.5, 19)).toBeNull();
    expect(endAt(unhurried(10), 0.5, 100)).toBeCloseTo(20, 0);
  });

  it("has the clock as its outer bound, and counts by it where nothing else is known", () => {
    expect(endAt(unhurried(10), 0, 100)).toBeCloseTo(40);
    expect(endAt(byTheClock(10), 0.1, 100)).toBeCloseTo(10);
    expect(endAt(unhurried(10), null, 100)).toBeCloseTo(10);
  });

  it("counts from a moment later where that is asked for, and reads nothing before", () => {
    expect(endAt(unhurried(10), 1, 100, 0.5)).toBeCloseTo(10.5);
    expect(endAt(byTheClock(10), 1, 100, 0.5)).toBeCloseTo(10);
    expect(endAt(unhurried(0.2), 1, 100, 0.5)).toBeLessThan(0.4);
    const read = vi.fn<() => number>(() => 0);
    const running = limitTime(unhurried(10), read, () => undefined, 0.5);
    vi.advanceTimersByTime(400);
    running.lift();
    vi.advanceTimersByTime(1_000_000);
    expect(read).not.toHaveBeenCalled();
  });

  it("does nothing once it is lifted", () => {
    expect(endAt(unhurried(10), 1, 9)).toBeNull();
  });
});

describe.runIf(process.platform === "linux")("the processor time of this process", () => {
  it("grows with its work, and is part of its group's", () => {
    const before = secondsOfProcess(process.pid) ?? 0;
    const { user, system } = process.cpuUsage();
    while (process.cpuUsage({ user, system }).user < 200_000);
    expect((secondsOfProcess(process.pid) ?? 0) - before).toBeGreaterThan(0.15);
    expect(secondsOfGroup(2 ** 30)).toBeNull();
    expect(secondsOfProcess(undefined)).toBeNull();
  });
});
