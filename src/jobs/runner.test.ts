import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../database/database.ts";
import { TestQueue, eventually } from "../testing/job-queue.ts";
import { engines } from "../testing/test-app.ts";
import { enqueue } from "./queue.ts";
import { backoffSeconds } from "./runner.ts";
import type { Job } from "./running-job.ts";

describe("the time between attempts", () => {
  it("grows up to a limit", () => {
    expect([1, 2, 3, 4, 5, 6, 100].map(backoffSeconds)).toEqual([1, 4, 16, 64, 256, 256, 256]);
  });
});

describe.each(engines)("a runner on %s", (engine) => {
  let queue: TestQueue;
  beforeEach(async () => {
    queue = await TestQueue.open(engine);
  });
  afterEach(() => queue[Symbol.asyncDispose]());

  it("runs jobs that were queued before and after it started, with their options", async () => {
    const done: unknown[] = [];
    await queue.ask([1]);
    const runner = queue.start(
      queue.kind(async ({ subject, options, attempt }) => void done.push([subject, options, attempt])),
    );
    await runner.drain();
    await queue.ask([2], { force: true });
    await runner.drain();
    expect(done).toEqual([
      [1, {}, 1],
      [2, { force: true }, 1],
    ]);
  });

  it("starts a job at once when it is notified, and within a second when it is not", async () => {
    const done: number[] = [];
    const runner = queue.start(queue.kind(async ({ subject }) => void done.push(subject)));
    await runner.drain();
    await queue.ask([1]);
    runner.notify();
    await eventually(() => expect(done).toEqual([1]));
    await runner.drain();
    await queue.ask([2]);
    queue.clock.pass(1);
    await eventually(() => expect(done).toEqual([1, 2]));
  });

  it("runs a limited number of jobs at once", async () => {
    let atOnce = 0;
    let maxAtOnce = 0;
    const full = Promise.withResolvers<void>();
    const runner = queue.start(
      queue.kind(async () => {
        maxAtOnce = Math.max(maxAtOnce, ++atOnce);
        if (atOnce === 3) full.resolve();
        await full.promise;
        await queue.list();
        atOnce--;
      }),
      { concurrency: 3 },
    );
    await queue.ask([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await runner.drain();
    expect(maxAtOnce).toBe(3);
  });

  it("retries after 1, 4 and 16 seconds, not earlier", async () => {
    const times: number[] = [];
    const begin = queue.clock.nowMilliseconds();
    const failing = queue.kind(
      async () => {
        times.push((queue.clock.nowMilliseconds() - begin) / 1000);
        if (times.length < 4) throw new Error("The disk is full.");
      },
      { attemptsAtMost: 4 },
    );
    await queue.ask([1]);
    const runner = queue.start(failing);
    for (const [index, seconds] of [1, 4, 16].entries()) {
      await queue.isWaiting(1, index + 1);
      expect(await queue.list()).toMatchObject([{ lastError: "The disk is full." }]);
      queue.clock.pass(seconds - 0.001);
      runner.notify();
      await queue.isWaiting(1, index + 1);
      queue.clock.pass(0.001);
      runner.notify();
    }
    await runner.drain();
    expect(times).toEqual([0, 1, 5, 21]);
    expect(queue.givenUp).toEqual({});
  });

  it("gives up after the last attempt, with its reason", async () => {
    let attempts = 0;
    await queue.ask([1]);
    const runner = queue.start(
      queue.kind(async () => {
        throw new Error(`Broken the ${++attempts}. time`);
      }),
      { backoffSeconds: () => 0 },
    );
    await runner.drain();
    expect(queue.givenUp).toEqual({ 1: "Broken the 3. time" });
    expect(attempts).toBe(3);
  });

  it("gives up at once after a permanent error", async () => {
    await queue.ask([1]);
    const work = queue.kind(() => Promise.reject(new RangeError("No PDF")), {
      isFinal: (error) => error instanceof RangeError,
    });
    const runner = queue.start(work);
    await runner.drain();
    expect(queue.givenUp).toEqual({ 1: "No PDF" });
  });

  it("gives up a job that killed its workers, without running it again", async () => {
    let attempts = 0;
    await queue.ask([1]);
    // None of these workers ever returns or renews its lease, as if its process were gone.
    for (let time = 0; time < 3; time++) {
      queue.start(
        queue.kind(() => {
          attempts++;
          return new Promise(() => undefined);
        }),
        {
          clock: { nowMilliseconds: () => queue.clock.nowMilliseconds(), after: () => () => undefined },
          // With room for more, it would take the job again if it looks once more after the lease has expired.
          concurrency: 1,
        },
      );
      const expected = time + 1;
      await eventually(() => expect(attempts).toBe(expected));
      queue.clock.jump(60);
    }
    queue.runners = [];
    const runner = queue.start(queue.kind(async () => void attempts++));
    await runner.drain();
    expect(attempts).toBe(3);
    expect(queue.givenUp[1]).toContain("went away");
  });

  it("calls the failure handler again if it failed, with the same reason", async () => {
    const reasons: string[] = [];
    const failed = async (_job: Job, reason: string): Promise<void> => {
      reasons.push(reason);
      if (reasons.length < 3) throw new Error("The database is away.");
    };
    await queue.ask([1]);
    const work = queue.kind(() => Promise.reject(new Error("No PDF")), { failed, attemptsAtMost: 1 });
    await queue.start(work, { backoffSeconds: () => 0 }).drain();
    expect(reasons).toEqual(["No PDF", "No PDF", "No PDF"]);
  });

  it("runs other jobs while one fails", async () => {
    const order: number[] = [];
    await queue.ask([1, 2, 3, 4, 5]);
    const runner = queue.start(
      queue.kind(async ({ subject }) => {
        order.push(subject);
        if (subject === 1) throw new Error("Poison");
      }),
      { concurrency: 1 },
    );
    await eventually(() => expect(order).toEqual([1, 2, 3, 4, 5]));
    await queue.isWaiting(1, 1);
    queue.clock.pass(1);
    await queue.isWaiting(1, 2);
    queue.clock.pass(4);
    await runner.drain();
    expect(order).toEqual([1, 2, 3, 4, 5, 1, 1]);
    expect(queue.givenUp).toEqual({ 1: "Poison" });
  });

  it("runs the jobs of one user in a row for the length of a turn, and then those of the next", async () => {
    const order: number[] = [];
    const work = queue.kind(async (job) => {
      const { subject, isLong } = job;
      order.push(subject);
      queue.clock.jump(0.2);
      if (subject === 15 && !isLong) await queue.database.write((writer) => job.giveWay(writer, {}));
    });
    await queue.database.write(async (writer) => {
      for (const subject of [15, 11, 12, 13, 14, 21, 22, 23, 31, 24])
        await enqueue(writer, { kind: "work", subject, owner: Math.floor(subject / 10) }, queue.clock);
    });
    const runner = queue.start(work, { concurrency: 1, turnMilliseconds: { work: 300 } });
    await runner.drain();
    // The third user's turn comes although the second has more. The job that gave way comes last, in no turn.
    expect(order).toEqual([15, 11, 12, 21, 22, 23, 31, 13, 14, 24, 15]);
  });

  it("takes no job that is not due to continue a turn", async () => {
    const order: number[] = [];
    const work = queue.kind(async ({ subject, attempt }) => {
      order.push(subject);
      if (subject === 11 && attempt === 1) throw new Error("Try again");
    });
    await queue.database.write(async (writer) => {
      for (const subject of [11, 12, 13]) {
        const afterSeconds = subject === 13 ? 60 : 0;
        await enqueue(writer, { kind: "work", subject, owner: 1, afterSeconds }, queue.clock);
      }
    });
    const runner = queue.start(work, { concurrency: 1, turnMilliseconds: { work: 500 } });
    await queue.isWaiting(11, 1);
    await eventually(() => expect(order).toEqual([11, 12]));
    queue.clock.pass(1);
    await eventually(() => expect(order).toEqual([11, 12, 11]));
    await eventually(async () => expect(await queue.list()).toMatchObject([{ subject: 13, attempts: 0 }]));
    await runner.stop();
  });

  it("continues after the database was unavailable", async () => {
    let isAway = true;
    const asked = vi.fn<() => void>();
    const unreliable: Database = {
      ...queue.database,
      write: (work) => {
        asked();
        return isAway ? Promise.reject(new Error("The database is away.")) : queue.database.write(work);
      },
    };
    await queue.ask([1]);
    const runner = queue.start(
      queue.kind(async () => undefined),
      { database: unreliable },
    );
    await eventually(() => expect(asked).toHaveBeenCalled());
    isAway = false;
    await eventually(async () => {
      queue.clock.pass(1);
      expect(await queue.list()).toEqual([]);
    });
    await runner.drain();
  });

  it("writes nothing while no job is due", async () => {
    const wrote = vi.fn<() => void>();
    const watched: Database = {
      ...queue.database,
      write: (work) => {
        wrote();
        return queue.database.write(work);
      },
    };
    const runner = queue.start(
      queue.kind(async () => undefined),
      { database: watched },
    );
    await runner.drain();
    queue.clock.pass(10);
    await runner.drain();
    expect(wrote).not.toHaveBeenCalled();
  });
});
