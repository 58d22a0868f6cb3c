import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { HandClock } from "../testing/hand-clock.ts";
import { type TestStorage, engines, testStorage } from "../testing/test-app.ts";
import { timestampAt } from "./clock.ts";
import {
  type Claim,
  type Lease,
  LeaseLostError,
  claimNext,
  end,
  findNextDue,
  giveWay,
  isHeld,
  releaseCancelled,
  release,
  removeExpiredCancelled,
  renew,
  retryAt,
} from "./lease.ts";
import { type NewJob, cancelJob, enqueue, hasJobs, isCancelled, listJobs, remove } from "./queue.ts";

const kinds = ["read", "send"];

const jobOf = (subject: number, owner: number): NewJob => ({ kind: "read", subject, owner });

describe.each(engines)("the queue on %s", (engine) => {
  let storage: TestStorage;
  let database: Database;
  let clock: HandClock;
  beforeEach(async () => {
    storage = await testStorage(engine);
    database = await openDatabase({
      dataFolder: storage.config.data,
      databaseUrl: storage.config.databaseUrl,
    });
    clock = new HandClock();
  });
  afterEach(async () => {
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  const now = (): string => timestampAt(clock.nowMilliseconds());
  const inSeconds = (seconds: number): string => timestampAt(clock.nowMilliseconds() + seconds * 1000);
  const ask = (...jobs: NewJob[]): Promise<void> =>
    database.write(async (writer) => {
      for (const job of jobs) await enqueue(writer, job, clock);
    });
  const claim = (worker = "a", of = kinds): Promise<Lease | null> =>
    claimNext(database, { kinds: of, worker, now: now(), until: inSeconds(60) });
  const claimed = async (worker?: string): Promise<Lease> => {
    const lease = await claim(worker);
    if (lease === null) throw new Error("Nothing is due");
    return lease;
  };
  const renewed = (lease: Lease, until: string): Promise<boolean> =>
    database.write((writer) => renew(writer, lease, until));
  const finish = (lease: Lease): Promise<boolean> => database.write((writer) => end(writer, lease, now()));
  const list = (kind = "read") => listJobs(database.reader, { kind }, clock);

  /** Claims the next job, has it wait for another attempt, and returns how many attempts it counts. */
  const retried = async (counts?: boolean) => {
    const lease = await claimed();
    const retry = { dueAt: now(), reason: "No answer", ...(counts !== undefined && { counts }) };
    await database.write((writer) => retryAt(writer, lease, retry));
    return (await list())[0]?.attempts;
  };

  it("leases the job that has been due longest, once", async () => {
    await ask({ kind: "read", subject: 9 });
    clock.jump(1);
    await ask({ kind: "send", subject: 1 }, { kind: "read", subject: 1, options: { force: true } });
    const leases = [await claimed(), await claimed(), await claimed()];
    expect(leases.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(["read 9", "send 1", "read 1"]);
    expect(leases.map(({ options }) => options)).toEqual(["{}", "{}", '{"force":true}']);
    expect(await claim()).toBeNull();
    expect(await Promise.all(leases.map(finish))).toEqual([true, true, true]);
    expect(await findNextDue(database.reader, kinds)).toBeNull();
  });

  it("keeps a job for later until it is due", async () => {
    await ask({ kind: "read", subject: 1, afterSeconds: 60 });
    clock.jump(59);
    expect(await claim()).toBeNull();
    clock.jump(1);
    expect(await claim()).toMatchObject({ subject: 1 });
  });

  it("leases different jobs to simultaneous callers", async () => {
    await ask(...Array.from({ length: 8 }, (_, subject) => ({ kind: "read", subject })));
    const leases = await Promise.all(Array.from({ length: 8 }, () => claimed()));
    const subjects = leases.map(({ subject }) => subject);
    expect(subjects.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("leases only jobs of the requested kinds", async () => {
    await ask({ kind: "other", subject: 1 });
    expect(await findNextDue(database.reader, kinds)).toBeNull();
    expect(await claim()).toBeNull();
    expect(await claim("a", ["other"])).toMatchObject({ kind: "other" });
  });

  it("leases jobs that take long only to callers that take such jobs, and are not bound to a user", async () => {
    await ask(jobOf(1, 7));
    const lease = await claimed();
    await database.write((writer) => giveWay(writer, lease, { options: {}, now: now() }));
    const take = (asked: Pick<Claim, "exceptLong" | "owner">) =>
      claimNext(database, { kinds, worker: "a", now: now(), until: inSeconds(60), ...asked });
    expect(await findNextDue(database.reader, kinds)).toBe(now());
    expect(await findNextDue(database.reader, kinds, { exceptLong: true })).toBeNull();
    expect(await take({ exceptLong: true })).toBeNull();
    expect(await take({ owner: 7 })).toBeNull();
    await ask(jobOf(2, 8), jobOf(3, 7));
    expect(await take({ owner: 7 })).toMatchObject({ subject: 3 });
    expect(await take({ exceptLong: true })).toMatchObject({ subject: 2 });
    expect(await claim()).toMatchObject({ subject: 1 });
  });

  it("counts an attempt that failed, unless it is told not to", async () => {
    await ask({ kind: "read", subject: 1 });
    expect([await retried(), await retried(true), await retried(false), await retried()]).toEqual([
      1, 2, 2, 3,
    ]);
  });

  it("does not contain jobs of a transaction that was rolled back", async () => {
    const failing = database.write(async (writer) => {
      await enqueue(writer, { kind: "read", subject: 1 }, clock);
      throw new Error("The document is refused.");
    });
    await expect(failing).rejects.toThrow("refused");
    expect(await list()).toEqual([]);
  });

  it("contains a waiting job once, with the newest options", async () => {
    await ask({ kind: "read", subject: 1 });
    clock.jump(1);
    await ask({ kind: "read", subject: 1, options: { force: true } });
    const lease = await claimed();
    expect(lease.options).toBe('{"force":true}');
    expect(await finish(lease)).toBe(true);
    expect(await list()).toEqual([]);
  });

  it("queues a job again that is requested while it runs, and starts it from the beginning", async () => {
    await ask({ kind: "read", subject: 1 });
    const first = await claimed();
    await ask({ kind: "read", subject: 1, options: { again: 1 } }, { kind: "read", subject: 1 });
    clock.jump(5);
    expect(await claim()).toBeNull();
    expect(await finish(first)).toBe(true);
    expect(await list()).toEqual([
      {
        kind: "read",
        subject: 1,
        state: "waiting",
        attempts: 0,
        createdAt: now(),
        dueAt: now(),
        worker: null,
        lastError: null,
      },
    ]);
    const second = await claimed();
    expect(second.attempts).toBe(1);
    expect(await finish(first)).toBe(false);
    expect(await finish(second)).toBe(true);
    expect(await list()).toEqual([]);
  });

  it("counts a retry after such a request as the second run", async () => {
    await ask({ kind: "read", subject: 1 });
    const first = await claimed();
    await ask({ kind: "read", subject: 1 });
    await database.write((writer) => retryAt(writer, first, { dueAt: now(), reason: "broken" }));
    expect(await finish(await claimed())).toBe(true);
    expect(await list()).toEqual([]);
  });

  it("does not lease a job to others while its lease is renewed", async () => {
    await ask({ kind: "read", subject: 1 });
    const lease = await claimed();
    for (let time = 0; time < 3; time++) {
      clock.jump(40);
      expect(await claim()).toBeNull();
      expect(await renewed(lease, inSeconds(60))).toBe(true);
    }
    clock.jump(59.999);
    expect(await claim()).toBeNull();
    clock.jump(0.001);
    expect(await claim("b")).toMatchObject({ attempts: 2, last_error: expect.stringContaining("went away") });
  });

  it("refuses changes of the job under a lost lease, even if the same worker holds the new one", async () => {
    await ask({ kind: "read", subject: 1 });
    const lost = await claimed();
    clock.jump(60);
    const held = await claimed();
    expect(await renewed(lost, inSeconds(600))).toBe(false);
    const again = { dueAt: now(), reason: "" };
    expect(await database.write((writer) => retryAt(writer, lost, again))).toBe(false);
    expect(await release(database, lost)).toBe(false);
    expect(await finish(lost)).toBe(false);
    expect(await list()).toMatchObject([{ state: "leased", attempts: 2, dueAt: inSeconds(60) }]);
    expect(await finish(held)).toBe(true);
  });

  it("lets an expired lease be renewed or ended if no other worker took the job", async () => {
    await ask({ kind: "read", subject: 1 });
    const lease = await claimed();
    clock.jump(100);
    expect(await list()).toMatchObject([{ state: "abandoned" }]);
    expect(await renewed(lease, inSeconds(60))).toBe(true);
    expect(await list()).toMatchObject([{ state: "leased" }]);
    clock.jump(100);
    expect(await finish(lease)).toBe(true);
  });

  it("returns a released job to its old position, as if it had not begun", async () => {
    await ask({ kind: "read", subject: 1 });
    clock.jump(1);
    await ask({ kind: "read", subject: 2 });
    const lease = await claimed();
    expect(await release(database, lease)).toBe(true);
    expect(await claim()).toMatchObject({ subject: 1, attempts: 1 });
  });

  it("leases a removed job to nobody and ends it for the worker that has it", async () => {
    await ask({ kind: "read", subject: 1 }, { kind: "send", subject: 1 });
    const lease = await claimed();
    const removed = database.write((writer) => remove(writer, { kind: "read", subject: 1 }));
    expect(await removed).toBe(true);
    expect(await finish(lease)).toBe(false);
    expect(await database.write((writer) => remove(writer, { kind: "read", subject: 1 }))).toBe(false);
    expect(await claim()).toMatchObject({ kind: "send" });
  });

  it("counts a cancelled job as running until its worker releases it or its lease expires", async () => {
    const isCancelledNow = (subject: number): Promise<boolean> =>
      isCancelled(database.reader, { kinds, subject }, clock);
    const cancel = (subject: number): Promise<void> =>
      database.write((writer) => cancelJob(writer, { kind: "read", subject }, clock));
    const rows = () => database.reader.selectFrom("jobs").select(["subject", "cancelled_at"]).execute();
    await ask({ kind: "read", subject: 1 }, { kind: "read", subject: 2 }, { kind: "read", subject: 3 });
    const [first, second] = [await claimed(), await claimed()];
    for (const subject of [1, 2, 3]) await cancel(subject);
    expect(await Promise.all([1, 2, 3].map(isCancelledNow))).toEqual([true, true, false]);
    expect(await hasJobs(database.reader, { kinds, subject: 1 })).toBe(false);
    for (const lease of [first, second]) {
      expect([await isHeld(database.reader, lease), await finish(lease)]).toEqual([false, false]);
      expect([await renewed(lease, inSeconds(600)), await release(database, lease)]).toEqual([false, false]);
    }
    await releaseCancelled(database, first);
    expect(await isCancelledNow(1)).toBe(false);
    await ask({ kind: "read", subject: 2 });
    const again = await claimed();
    await cancel(2);
    expect(await finish(again)).toBe(false);
    clock.jump(60);
    expect(await isCancelledNow(2)).toBe(false);
    expect(await claim("b")).toBeNull();
    expect(await rows()).toMatchObject([{ subject: 2 }, { subject: 2 }]);
    await removeExpiredCancelled(database, now());
    expect(await rows()).toEqual([]);
  });

  it("queues a job again while its cancelled predecessor still runs, and ends them separately", async () => {
    const job = { kind: "read", subject: 1 };
    await ask(job);
    const first = await claimed();
    await database.write((writer) => cancelJob(writer, job, clock));
    expect(await list()).toEqual([]);
    await ask(job, job);
    await removeExpiredCancelled(database, now());
    expect(await list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    const second = await claimed();
    expect(second.id).not.toBe(first.id);
    await releaseCancelled(database, second);
    expect(await isHeld(database.reader, second)).toBe(true);
    await releaseCancelled(database, first);
    expect(await isCancelled(database.reader, { kinds, subject: 1 }, clock)).toBe(false);
    expect(await finish(second)).toBe(true);
    expect(await hasJobs(database.reader)).toBe(false);
  });

  it("makes a request for a job that is ending wait until it has ended", async () => {
    await ask({ kind: "read", subject: 1 });
    const lease = await claimed();
    const asked: Promise<void>[] = [];
    await database.write(async (writer) => {
      if (!(await end(writer, lease, now()))) throw new LeaseLostError();
      asked.push(ask({ kind: "read", subject: 1 }));
      await list();
    });
    await Promise.all(asked);
    expect(await list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
  });
});
