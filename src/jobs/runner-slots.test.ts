import { setImmediate } from "node:timers/promises";
import { hostname } from "node:os";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../database/database.ts";
import { SlowWork, TestQueue, eventually } from "../testing/job-queue.ts";
import { engines } from "../testing/test-app.ts";
import { enqueue } from "./queue.ts";
import { JobRunner } from "./runner.ts";
import type { Job, JobKind } from "./running-job.ts";

/* Which jobs a runner takes, how many at once, and how long it waits between polls. */

/** Work that lasts until `open` is called, and how many jobs of each kind are at it. */
function gatedWork() {
  const running: Record<string, number> = {};
  const gate = Promise.withResolvers<void>();
  const run = async ({ kind }: Job): Promise<void> => {
    running[kind] = (running[kind] ?? 0) + 1;
    await gate.promise;
  };
  return { running, run, open: () => gate.resolve() };
}

describe.each(engines)("a runner on %s", (engine) => {
  let queue: TestQueue;
  /** What it logs. */
  let lines: string[];
  /** How long it waits, in milliseconds, each time that it waits. */
  let waits: number[];
  beforeEach(async () => {
    queue = await TestQueue.open(engine);
    lines = [];
    waits = [];
  });
  afterEach(() => queue[Symbol.asyncDispose]());

  const log = () => pino({}, { write: (line) => void lines.push(line) });
  const clock = () => ({
    nowMilliseconds: () => queue.clock.nowMilliseconds(),
    after(milliseconds: number, callback: () => void) {
      waits.push(milliseconds);
      return queue.clock.after(milliseconds, callback);
    },
  });
  const ask = (kind: string, subjects: readonly number[], afterSeconds = 0) =>
    queue.database.write(async (writer) => {
      for (const subject of subjects) await enqueue(writer, { kind, subject, afterSeconds }, queue.clock);
    });
  /** A database whose writes wait for this first. */
  const after = (wait: () => Promise<unknown>): Database => ({
    ...queue.database,
    write: async (work) => {
      await wait();
      return queue.database.write(work);
    },
  });

  it("gives a kind its own slots, which others neither take nor give", async () => {
    const { running, run, open } = gatedWork();
    const kinds = { work: queue.kind(run), other: queue.kind(run), light: queue.kind(run, { ownSlots: 2 }) };
    await ask("work", [4, 5, 6]);
    const runner = queue.start(kinds.work, { kinds, concurrency: 3 });
    await eventually(() => expect(running).toEqual({ work: 3 }));
    await ask("light", [1, 2, 3]);
    await ask("other", [7, 8]);
    runner.notify();
    const expected = { light: 2, work: 3 };
    await eventually(() => expect(running).toEqual(expected));
    runner.notify();
    await setImmediate();
    await queue.list();
    expect(running).toEqual(expected);
    open();
    await runner.drain();
    expect(running).toEqual({ light: 3, work: 3, other: 2 });
  });

  /** Work whose first attempt gives way: the rest of it takes long, and lasts until `open` is called. */
  function longWork() {
    const running = { long: 0, short: 0 };
    const gate = Promise.withResolvers<void>();
    const run = async (job: Job): Promise<void> => {
      if (job.subject >= 10) running.short += 1;
      else if (!job.isLong) return queue.database.write((writer) => job.giveWay(writer, {}));
      else {
        running.long += 1;
        await gate.promise;
      }
    };
    return { running, work: queue.kind(run), open: () => gate.resolve() };
  }

  it.each([
    [1, 1],
    [2, 1],
    [4, 3],
  ])("with %i slots runs %i jobs that take long at once", async (concurrency, expected) => {
    const { running, work, open } = longWork();
    await queue.ask([1, 2, 3, 4, 5]);
    const runner = queue.start(work, { concurrency });
    await eventually(() => expect(running.long).toBe(expected));
    await queue.ask([10, 11]);
    runner.notify();
    // One slot is kept for others, unless there is one alone.
    await eventually(() => expect(running).toEqual({ long: expected, short: concurrency === 1 ? 0 : 2 }));
    open();
    await runner.drain();
    expect(running).toEqual({ long: 5, short: 2 });
  });

  it("takes a job that takes long although others run, if a slot is left for another one", async () => {
    const short = gatedWork();
    const { running, work, open } = longWork();
    const kinds = { work, short: queue.kind(short.run) };
    await ask("short", [1, 2]);
    const runner = queue.start(work, { kinds, concurrency: 3 });
    await eventually(() => expect(short.running).toEqual({ short: 2 }));
    await queue.ask([3]);
    runner.notify();
    await eventually(() => expect(running.long).toBe(1));
    open();
    short.open();
    await runner.drain();
  });

  it("is idle while it runs no job", async () => {
    const work = new SlowWork();
    const runner = queue.start(queue.kind(work.run));
    await runner.drain();
    expect(runner.isIdle).toBe(true);
    await queue.ask([1]);
    runner.notify();
    await work.begun;
    expect(runner.isIdle).toBe(false);
    work.letGo();
    await runner.drain();
    expect(runner.isIdle).toBe(true);
  });

  /** The name under which a runner holds a job. */
  const workerOf = async (worker?: string) => {
    const work = new SlowWork();
    await queue.ask([1]);
    const runner = queue.start(queue.kind(work.run), worker === undefined ? {} : { worker });
    await work.begun;
    const [row] = await queue.database.reader.selectFrom("jobs").select("worker").execute();
    work.letGo();
    await runner.drain();
    await runner.stop();
    return row?.worker;
  };

  it("names itself in the job by host and process unless it has a name", async () => {
    expect(await workerOf()).toBe(`${hostname()}:${process.pid}`);
    expect(await workerOf("the one in the cellar")).toBe("the one in the cellar");
  });

  it("waits for the next job that it knows of, at most as long as it is told to", async () => {
    let every = 5;
    const work = queue.kind(async () => undefined);
    const runner = queue.start(work, { clock: clock(), lookEverySeconds: () => every });
    await eventually(() => expect(waits.at(-1)).toBe(5000));
    await ask("work", [1], 3);
    await ask("work", [2], 9);
    queue.clock.pass(5);
    await eventually(() => expect(waits.at(-1)).toBe(4000));
    every = 2;
    queue.clock.pass(1);
    runner.notify();
    await eventually(() => expect(waits.at(-1)).toBe(2000));
    queue.start(work, { clock: clock(), kinds: {} });
    await eventually(() => expect(waits.at(-1)).toBe(1000));
  });

  it("ends draining when jobs of its own kinds are done, whatever else waits", async () => {
    await ask("other", [1]);
    await queue.ask([2]);
    await queue.start(queue.kind(async () => undefined)).drain();
    expect(await queue.list()).toEqual([]);
  });

  it("does nothing before it is started", async () => {
    const begun = vi.fn<() => void>();
    const database = {
      ...queue.database,
      get reader() {
        begun();
        return queue.database.reader;
      },
    };
    const kinds: Record<string, JobKind> = { work: queue.kind(async () => undefined) };
    const runner = new JobRunner({ database, log: log(), kinds, concurrency: 1, clock: clock() });
    runner.notify();
    await setImmediate();
    expect([begun.mock.calls.length, waits, lines]).toEqual([0, [], []]);
    await expect(runner.drain()).rejects.toThrow("A stopped runner runs no jobs");
  });

  it("logs why it cannot look for jobs, and looks again after the usual time", async () => {
    await queue.ask([1]);
    let isBroken = true;
    const database = after(async () => {
      if (isBroken) throw new Error("Something is wrong");
    });
    const work = queue.kind(async () => undefined);
    const runner = queue.start(work, { database, log: log(), clock: clock(), lookEverySeconds: 3 });
    await eventually(() => expect(waits).toEqual([3000]));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: "Looking for jobs failed" });
    isBroken = false;
    queue.clock.pass(3);
    await runner.drain();
    expect(lines).toHaveLength(1);
  });

  it("leaves a job that another worker has taken just before", async () => {
    await queue.ask([1]);
    const done = vi.fn<() => void>();
    const work = queue.kind(async () => done());
    // The runner writes only after it has seen the job.
    const database = after(() => queue.start(work).drain());
    const runner = queue.start(work, { database, log: log() });
    await runner.drain();
    expect([done.mock.calls.length, lines]).toEqual([1, []]);
  });

  it("gives back a job that it has just taken when it is stopped", async () => {
    await queue.ask([1]);
    const taken = Promise.withResolvers<void>();
    const stopping = Promise.withResolvers<void>();
    const begun = vi.fn<() => void>();
    const database: Database = {
      ...queue.database,
      write: async (work) => {
        const result = await queue.database.write(work);
        taken.resolve();
        await stopping.promise;
        return result;
      },
    };
    const runner = queue.start(
      queue.kind(async () => begun()),
      { database },
    );
    await taken.promise;
    const stopped = runner.stop();
    stopping.resolve();
    await stopped;
    expect(begun).not.toHaveBeenCalled();
    expect(await queue.list()).toMatchObject([{ subject: 1, state: "waiting", attempts: 0 }]);
  });

  it("lets jobs run for five seconds after it is told to stop, and then aborts them", async () => {
    const work = new SlowWork();
    await queue.ask([1]);
    const runner = queue.start(queue.kind(work.run));
    await work.begun;
    const stopped = runner.stop();
    queue.clock.pass(4.999);
    await queue.list();
    expect(work.signal?.aborted).toBe(false);
    queue.clock.pass(0.001);
    await stopped;
    expect(work.signal?.aborted).toBe(true);
  });
});
