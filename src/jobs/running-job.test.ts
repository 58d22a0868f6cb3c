import { once } from "node:events";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../database/database.ts";
import { DatabaseUnavailableError } from "../database/database-unavailable.ts";
import { addDocuments } from "../testing/factories.ts";
import { SlowWork, TestQueue, errorOf, eventually } from "../testing/job-queue.ts";
import { engines } from "../testing/test-app.ts";
import { timestampAt } from "./clock.ts";
import { LeaseLostError } from "./lease.ts";
import { cancelJob, isCancelled, remove } from "./queue.ts";
import type { Job } from "./running-job.ts";

describe.each(engines)("a job on %s", (engine) => {
  let queue: TestQueue;
  beforeEach(async () => {
    queue = await TestQueue.open(engine);
  });
  afterEach(() => queue[Symbol.asyncDispose]());

  it("renews its lease while it works", async () => {
    const slow = new SlowWork();
    await queue.ask([1]);
    const runner = queue.start(queue.kind(slow.run));
    await slow.begun;
    for (let time = 0; time < 18; time++) {
      queue.clock.pass(10);
      // If a renewal has not quite ended when the next one is due, the next one is skipped.
      const soon = queue.clock.nowMilliseconds() + 29_999;
      await eventually(async () => {
        const [job] = await queue.list();
        expect(job?.state).toBe("leased");
        expect(Date.parse(job?.dueAt ?? "")).toBeGreaterThan(soon);
      });
    }
    slow.letGo();
    await runner.drain();
    expect(slow.signal?.aborted).toBe(false);
  });

  it("retries transient failures without limit and still counts its other failures", async () => {
    const passing = new Error("The store does not answer.");
    const outcomes = [...Array.from({ length: 10 }, () => passing), new Error("1"), passing, new Error("2")];
    let attempts = 0;
    const work = queue.kind(
      async () => {
        attempts += 1;
        throw outcomes.shift() ?? new Error("3");
      },
      { isPassing: (error) => error === passing },
    );
    await queue.ask([1]);
    await queue.start(work, { backoffSeconds: () => 0 }).drain();
    expect(attempts).toBe(14);
    expect(queue.givenUp).toEqual({ 1: "3" });
  });

  it("is retried without counting an attempt after the database was unavailable", async () => {
    const error = new DatabaseUnavailableError("away", { cause: null, mayComeBack: true });
    const outages = 5;
    let [begun, refused, isAway] = [0, 0, false];
    const database: Database = {
      ...queue.database,
      write: async (work) => {
        if (!isAway) return queue.database.write(work);
        isAway = ++refused % 3 !== 0;
        throw error;
      },
    };
    const work = queue.kind(async ({ attempt }) => {
      expect(attempt).toBe(1);
      isAway = ++begun <= outages;
      if (isAway) throw error;
    });
    await queue.ask([1]);
    queue.start(work, { database, backoffSeconds: () => 0, leaseSeconds: 1e6 });
    await eventually(async () => {
      queue.clock.pass(1);
      expect(await queue.list()).toEqual([]);
    });
    expect([begun, refused, queue.givenUp]).toEqual([outages + 1, outages * 3, {}]);
  });

  it("fails finally with its last error and the stack in the log, or one line if the error is no fault", async () => {
    const lines: { err?: unknown; reason?: unknown }[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const work = queue.kind(
      async (job) => {
        throw job.subject === 1
          ? new TypeError("nobody thought of this")
          : new RangeError("broken: its end is missing");
      },
      { isFinal: (error) => error instanceof RangeError },
    );
    await queue.ask([1]);
    const runner = queue.start(work, { backoffSeconds: () => 0, log });
    await runner.drain();
    expect(lines.at(-1)).toMatchObject({
      msg: "A job is given up",
      reason: "nobody thought of this",
      err: { type: "TypeError", stack: expect.stringContaining("running-job.test.ts") },
    });
    lines.length = 0;
    await queue.ask([2]);
    await runner.drain();
    expect(lines).toEqual([expect.objectContaining({ subject: 2, reason: "broken: its end is missing" })]);
    expect(lines[0]).not.toHaveProperty("err");
  });

  it("has no effect after another worker took its lease", async () => {
    const { database } = queue;
    const [id = 0] = await addDocuments({ database }, [{ title: "Before" }]);
    const rename = (job: Job, title: string): Promise<void> =>
      database.write(async (writer) => {
        await writer.updateTable("documents").set({ title }).where("id", "=", id).execute();
        await job.complete(writer);
      });
    const outcome = Promise.withResolvers<unknown>();
    const asleep = new SlowWork(async (job) => outcome.resolve(await errorOf(rename(job, "By who slept"))));
    await queue.ask([id]);
    queue.start(queue.kind(asleep.run), { concurrency: 1 });
    await asleep.begun;
    queue.clock.jump(60);
    const runner = queue.start(queue.kind((job) => rename(job, "By who took over")));
    await runner.drain();
    asleep.letGo();
    expect(await outcome.promise).toBeInstanceOf(LeaseLostError);
    const { title } = await queue.database.reader
      .selectFrom("documents")
      .select("title")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(title).toBe("By who took over");
    expect(queue.givenUp).toEqual({});
  });

  it("extends its lease before it stores a file only if less than half of it is left", async () => {
    const dueAt = async (): Promise<string | null | undefined> => (await queue.list())[0]?.dueAt;
    const dueTimes: unknown[] = [];
    const outcome = Promise.withResolvers<unknown>();
    await queue.ask([1]);
    const work = queue.kind(async (job) => {
      for (const seconds of [0, 20, 20]) {
        queue.clock.jump(seconds);
        await job.check();
        dueTimes.push(await dueAt());
      }
      await queue.database.write((writer) => remove(writer, { kind: "work", subject: 1 }));
      outcome.resolve(await errorOf(job.check()));
    });
    await queue.start(work, { leaseSeconds: 60 }).drain();
    const [first, second, third] = dueTimes;
    expect(second).toBe(first);
    expect(third).toBe(timestampAt(Date.parse(String(first)) + 40_000));
    expect(await outcome.promise).toBeInstanceOf(LeaseLostError);
  });

  it("is aborted at the next renewal after it was cancelled, and other work begins when it has ended", async () => {
    const { database } = queue;
    const outcome = Promise.withResolvers<unknown>();
    const asleep = new SlowWork();
    await queue.ask([1]);
    const runner = queue.start(
      queue.kind(async (job, signal) => {
        await database.write((writer) => job.hold(writer));
        await asleep.run(job, signal).catch(() => undefined);
        outcome.resolve(await errorOf(database.write((writer) => job.hold(writer))));
        signal.throwIfAborted();
      }),
    );
    await asleep.begun;
    await database.write((writer) => cancelJob(writer, { kind: "work", subject: 1 }));
    const isStillCancelled = (): Promise<boolean> =>
      isCancelled(database.reader, { kinds: ["work"], subject: 1 }, queue.clock);
    expect(await isStillCancelled()).toBe(true);
    runner.notify();
    await eventually(() => expect(asleep.signal?.reason).toBeInstanceOf(LeaseLostError));
    asleep.letGo();
    expect(await outcome.promise).toBeInstanceOf(LeaseLostError);
    await runner.drain();
    expect(await isStillCancelled()).toBe(false);
    expect(queue.givenUp).toEqual({});
  });

  it.each([
    ["ends", () => Promise.resolve()],
    ["fails", () => Promise.reject(new Error("The disk is full."))],
  ])(
    "makes no other work wait when it %s without having noticed that it was cancelled",
    async (_how, after) => {
      const { database } = queue;
      const slow = new SlowWork(after);
      await queue.ask([1]);
      queue.start(queue.kind(slow.run));
      await slow.begun;
      await database.write((writer) => cancelJob(writer, { kind: "work", subject: 1 }, queue.clock));
      slow.letGo();
      await eventually(async () => {
        expect(await isCancelled(database.reader, { kinds: ["work"], subject: 1 }, queue.clock)).toBe(false);
      });
    },
  );

  it("is aborted when another worker has taken its job or the job was removed", async () => {
    for (const lose of [
      () => queue.start(queue.kind(async () => undefined)).drain(),
      () => queue.database.write((writer) => remove(writer, { kind: "work", subject: 1 })),
    ]) {
      const asleep = new SlowWork();
      await queue.ask([1]);
      const sleeper = queue.start(queue.kind(asleep.run), { concurrency: 1 });
      await asleep.begun;
      queue.clock.jump(60);
      await lose();
      expect(asleep.signal?.aborted).toBe(false);
      queue.clock.pass(20);
      await eventually(() => expect(asleep.signal?.reason).toBeInstanceOf(LeaseLostError));
      for (const runner of queue.runners) await runner.stop();
      await sleeper.stop();
    }
    expect(queue.givenUp).toEqual({});
  });

  it.each([
    ["refuses", () => Promise.reject(new Error("The database is away."))],
    ["does not answer", () => new Promise<never>(() => undefined)],
  ])(
    "is let go, and its runner can be stopped, when its lease is over and the database %s",
    async (_what, answer) => {
      const { database } = queue;
      let isAway = false;
      const unreliable: Database = {
        ...database,
        write: (work) => (isAway ? answer() : database.write(work)),
      };
      const slow = new SlowWork();
      await queue.ask([1]);
      const runner = queue.start(queue.kind(slow.run), { concurrency: 1, database: unreliable });
      await slow.begun;
      isAway = true;
      for (let time = 0; time < 2; time++) {
        queue.clock.pass(20);
        await queue.list();
        expect(slow.signal?.aborted).toBe(false);
      }
      queue.clock.pass(20);
      await eventually(() => expect(slow.signal?.reason).toBeInstanceOf(LeaseLostError));
      queue.runners = [];
      let isStopped = false;
      const stop = async (): Promise<void> => {
        await runner.stop();
        isStopped = true;
      };
      void stop();
      await eventually(() => {
        queue.clock.pass(1);
        expect(isStopped).toBe(true);
      });
    },
  );

  it("runs again if it was requested while it ran", async () => {
    const done: unknown[] = [];
    const first = new SlowWork();
    await queue.ask([1]);
    const runner = queue.start(
      queue.kind(async (job, signal) => {
        done.push(job.options);
        if (done.length === 1) await first.run(job, signal);
      }),
    );
    await first.begun;
    await queue.ask([1], { pages: 1 });
    await queue.ask([1], { pages: 2 });
    runner.notify();
    first.letGo();
    await runner.drain();
    expect(done).toEqual([{}, { pages: 2 }]);
  });

  it("finishes its jobs when it is stopped and takes no more", async () => {
    const slow = new SlowWork();
    await queue.ask([1, 2]);
    const runner = queue.start(queue.kind(slow.run), { concurrency: 1 });
    await slow.begun;
    const stopped = runner.stop();
    slow.letGo();
    await stopped;
    expect(slow.signal?.aborted).toBe(false);
    expect(await queue.list()).toMatchObject([{ subject: 2, state: "waiting", attempts: 0 }]);
    await expect(runner.drain()).rejects.toThrow("stopped");
  });

  it("aborts jobs that take too long when it is stopped, so that other workers continue at once", async () => {
    const slow = new SlowWork();
    await queue.ask([1]);
    const runner = queue.start(queue.kind(slow.run), { graceSeconds: 5 });
    await slow.begun;
    const stopped = runner.stop();
    await eventually(() => {
      queue.clock.pass(1);
      expect(slow.signal?.aborted).toBe(true);
    });
    await stopped;
    expect(await queue.list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    const attempts: number[] = [];
    await queue.start(queue.kind(async ({ attempt }) => void attempts.push(attempt))).drain();
    expect(attempts).toEqual([1]);
  });

  it("releases the job of a function that ignores the signal, which then has no effect", async () => {
    const deaf = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const outcome = Promise.withResolvers<unknown>();
    await queue.ask([1]);
    const runner = queue.start(
      queue.kind(async (job) => {
        begun.resolve();
        await deaf.promise;
        outcome.resolve(await errorOf(queue.database.write((writer) => job.complete(writer))));
      }),
    );
    await begun.promise;
    const stopped = runner.stop();
    await eventually(async () => {
      queue.clock.pass(1);
      expect(await queue.list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    });
    await stopped;
    deaf.resolve();
    expect(await outcome.promise).toBeInstanceOf(LeaseLostError);
  });

  it("runs a job again if it returned without an error after it was told to stop", async () => {
    const begun = Promise.withResolvers<void>();
    await queue.ask([1]);
    const runner = queue.start(
      queue.kind(async (_job, signal) => {
        begun.resolve();
        await once(signal, "abort");
      }),
      { graceSeconds: 0 },
    );
    await begun.promise;
    const stopped = runner.stop();
    await eventually(async () => {
      queue.clock.pass(1);
      expect(await queue.list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    });
    await stopped;
  });
});
