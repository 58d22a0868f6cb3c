import { array, assert, asyncProperty, boolean, integer, record } from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SlowWork, TestQueue } from "../testing/job-queue.ts";
import { engines } from "../testing/test-app.ts";
import { timestampAt } from "./clock.ts";
import { type Lease, claimNext, end, giveWay } from "./lease.ts";
import { type NewJob, enqueue } from "./queue.ts";
import { runsOn } from "../testing/runs.ts";

describe.each(engines)("the rounds of the queue on %s", (engine) => {
  let queue: TestQueue;
  beforeEach(async () => {
    queue = await TestQueue.open(engine);
  });
  afterEach(() => queue[Symbol.asyncDispose]());

  const now = (): string => timestampAt(queue.clock.nowMilliseconds());
  const ask = (owner: number | null, subject: number, more: Pick<NewJob, "urgency"> = {}): Promise<void> =>
    queue.database.write((writer) => enqueue(writer, { kind: "work", subject, owner, ...more }, queue.clock));
  const claim = (exceptLong = false): Promise<Lease | null> =>
    claimNext(queue.database, {
      kinds: ["work"],
      worker: "a",
      now: now(),
      until: timestampAt(queue.clock.nowMilliseconds() + 60_000),
      exceptLong,
    });
  const finish = (lease: Lease): Promise<boolean> =>
    queue.database.write((writer) => end(writer, lease, now()));
  const next = async (): Promise<number | null> => {
    const lease = await claim();
    if (lease !== null) await finish(lease);
    return lease?.subject ?? null;
  };

  it("serve users in turn, whatever the order and number of their jobs", async () => {
    for (const subject of [11, 12, 13, 14]) await ask(1, subject);
    expect(await next()).toBe(11);
    for (const subject of [21, 22]) await ask(2, subject);
    await ask(null, 1);
    const order = [];
    for (let subject = await next(); subject !== null; subject = await next()) order.push(subject);
    expect(order).toEqual([12, 21, 1, 13, 22, 14]);
  });

  it("have an urgent job change rounds with the first bulk job of its owner, and keep others' turns", async () => {
    for (const subject of [11, 12, 13]) await ask(1, subject, { urgency: "bulk" });
    await ask(1, 14);
    for (const subject of [21, 22]) await ask(2, subject);
    expect(await next()).toBe(11);
    await ask(1, 15, { urgency: "urgent" });
    await ask(1, 16, { urgency: "urgent" });
    // It does not take the turn of another urgent job, nor of one that is neither.
    await ask(1, 17, { urgency: "urgent" });
    const order = [];
    for (let subject = await next(); subject !== null; subject = await next()) order.push(subject);
    expect(order).toEqual([21, 22, 15, 16, 14, 17, 13, 12]);
  });

  it("put a job that gave way behind its owner's other jobs, and keep its progress", async () => {
    for (const subject of [11, 12]) await ask(1, subject);
    const first = await claim();
    if (first === null) throw new Error("nothing is due");
    const options = { page: 8 };
    await queue.database.write((writer) => giveWay(writer, first, { options, now: now() }));
    expect(await finish(first)).toBe(false);
    await ask(2, 21);
    expect(await next()).toBe(12);
    expect(await next()).toBe(21);
    expect(await claim(true)).toBeNull();
    expect(await claim()).toMatchObject({ subject: 11, options: '{"page":8}', attempts: 1 });
  });

  it("keep one worker free of long jobs", async () => {
    const long = new SlowWork();
    const done: number[] = [];
    const work = queue.kind(async (job, signal) => {
      if (job.subject > 10) return void done.push(job.subject);
      if (job.isLong) return long.run(job, signal);
      await queue.database.write((writer) => job.giveWay(writer, {}));
    });
    for (const subject of [1, 2, 3]) await ask(1, subject);
    queue.start(work, { concurrency: 2 });
    await long.begun;
    for (const subject of [11, 12]) await ask(1, subject);
    queue.runners[0]?.notify();
    await expect.poll(() => done).toEqual([11, 12]);
    const leased = (await queue.list()).filter(({ state }) => state === "leased");
    expect(leased).toHaveLength(1);
    long.letGo();
    await queue.runners[0]?.drain();
  });

  it("never make a user wait for more than one job of each other user", async () => {
    const asked = array(record({ owner: integer({ min: 1, max: 4 }), isServed: boolean() }), {
      maxLength: 20,
    });
    let subject = 0;
    await assert(
      asyncProperty(asked, async (steps) => {
        const owners = new Map<number, number>();
        for (const { owner, isServed } of steps) {
          owners.set(++subject, owner);
          await ask(owner, subject);
          if (isServed) await next();
        }
        owners.set(++subject, 9);
        await ask(9, subject);
        const before: number[] = [];
        for (let one = await next(); one !== subject; one = await next())
          before.push(owners.get(one ?? 0) ?? 0);
        expect(before).toHaveLength(new Set(before).size);
        while ((await next()) !== null);
      }),
      { numRuns: runsOn(engine, 8) },
    );
  });
});
