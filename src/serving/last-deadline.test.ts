import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LastDeadline } from "./last-deadline.ts";

function begun(): { deadline: LastDeadline; events: string[] } {
  const events: string[] = [];
  vi.spyOn(process, "exit").mockImplementation(((code: number) => void events.push(`exit ${code}`)) as never);
  const log = { fatal: () => void events.push("log") };
  const deadline = new LastDeadline(9, log, () => void events.push("flush"));
  deadline.begin();
  return { deadline, events };
}

describe("the last deadline of stopping", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("ends a process that hangs, five seconds after its last requests, and logs that", () => {
    const { deadline, events } = begun();
    vi.advanceTimersByTime(13_000);
    deadline.begin();
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(events).toEqual(["log", "flush", "exit 1"]);
  });

  it("does nothing to a process that has stopped in time", () => {
    const { deadline, events } = begun();
    deadline.end();
    vi.advanceTimersByTime(60_000);
    expect(events).toEqual([]);
  });
});
