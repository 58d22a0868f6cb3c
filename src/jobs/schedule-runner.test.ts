import { beforeEach, describe, expect, it } from "vitest";
import { DatabaseUnavailableError } from "../database/database-unavailable.ts";
import { HandClock } from "../testing/hand-clock.ts";
import { ScheduleRunner, type ScheduledWork } from "./schedule-runner.ts";

function failAtOnce(): Promise<void> {
  throw new Error("at once");
}

type Line = [level: string, message: string, cause: unknown];

describe("the runner of scheduled work", () => {
  let clock: HandClock;
  let lines: Line[];
  beforeEach(() => {
    clock = new HandClock();
    lines = [];
  });

  function runnerOf(...schedule: ScheduledWork[]): ScheduleRunner {
    const log = {
      debug: ({ reason }: { reason: string }, message: string) => void lines.push(["debug", message, reason]),
      error: ({ err }: { err: unknown }, message: string) => void lines.push(["error", message, err]),
    };
    return new ScheduleRunner(schedule, log as never, clock);
  }

  async function pass(runner: ScheduleRunner, seconds: number): Promise<void> {
    clock.pass(seconds);
    await runner.settled();
  }

  it("runs everything at the start, and each again when its pause is over", async () => {
    const ran: string[] = [];
    const work = (name: string, every: number): ScheduledWork => [
      name,
      every,
      async () => void ran.push(name),
    ];
    const runner = runnerOf(work("often", 1), work("seldom", 3));
    expect(runner.report().map(({ lastAt }) => lastAt)).toEqual([null, null]);
    await runner.start();
    expect(ran).toEqual(["often", "seldom"]);
    for (let second = 1; second <= 3; second++) await pass(runner, 1);
    expect(ran).toEqual(["often", "seldom", "often", "often", "seldom", "often"]);
    const now = clock.nowMilliseconds();
    expect(runner.report()).toEqual([
      { name: "often", everySeconds: 1, lastAt: now, problem: null },
      { name: "seldom", everySeconds: 3, lastAt: now, problem: null },
    ]);
    expect(runner.startedAt).toBe(now - 3000);
    expect(lines).toEqual([]);
  });

  it("runs nothing twice at a time: the pause begins when the work ends", async () => {
    let ended = Promise.withResolvers<void>();
    let runs = 0;
    const slow = (): Promise<void> => {
      runs += 1;
      return ended.promise;
    };
    const runner = runnerOf(["slow", 1, slow]);
    const first = runner.start();
    clock.pass(10);
    expect(runs).toBe(1);
    const former = ended;
    ended = Promise.withResolvers();
    former.resolve();
    await first;
    clock.pass(0.5);
    expect(runs).toBe(1);
    clock.pass(0.5);
    expect(runs).toBe(2);
    ended.resolve();
    await runner.stop();
  });

  it("logs a failure once with its cause, tries again, and logs the next one after a success", async () => {
    const causes: (Error | null)[] = [1, 2, 3].map(() => new Error("no room"));
    causes.push(new Error("no rights"), null, new Error("no rights"));
    const all = [...causes];
    const failing = async (): Promise<void> => {
      const cause = causes.shift() ?? null;
      if (cause !== null) throw cause;
    };
    const runner = runnerOf(["sweep", 60, failing]);
    await runner.start();
    expect(runner.report()[0]).toMatchObject({ problem: "no room", lastAt: clock.nowMilliseconds() });
    for (let time = 1; time < all.length; time++) await pass(runner, 60);
    const message = "Scheduled work failed: sweep";
    expect(lines).toEqual([
      ["error", message, all[0]],
      ["error", message, all[3]],
      ["error", message, all[5]],
    ]);
    await pass(runner, 60);
    expect(runner.report()[0]).toMatchObject({ problem: null });
  });

  it("leaves it to the pool to log that the database is away", async () => {
    const away = new DatabaseUnavailableError("away", { cause: new Error("refused"), mayComeBack: true });
    const runner = runnerOf(["sweep", 60, () => Promise.reject(away)]);
    await runner.start();
    expect(lines).toEqual([["debug", "Scheduled work failed: sweep", "refused"]]);
    expect(runner.report()[0]).toMatchObject({ problem: "away" });
  });

  it("goes on with the other work if one fails at once", async () => {
    let runs = 0;
    const runner = runnerOf(["first", 1, failAtOnce], ["second", 1, async () => void (runs += 1)]);
    await runner.start();
    await pass(runner, 1);
    expect(runs).toBe(2);
    expect(lines).toHaveLength(1);
  });

  it("stops when the work under way has ended, and begins nothing afterwards", async () => {
    const ended = Promise.withResolvers<void>();
    let runs = 0;
    const runner = runnerOf(["slow", 1, () => ended.promise], ["quick", 1, async () => void (runs += 1)]);
    void runner.start();
    let isStopped = false;
    const stopped = runner.stop().finally(() => {
      isStopped = true;
    });
    await Promise.resolve();
    expect(isStopped).toBe(false);
    ended.resolve();
    await stopped;
    clock.pass(100);
    await runner.settled();
    expect(runs).toBe(1);
  });
});
