import { setImmediate } from "node:timers/promises";
import pino from "pino";
import { vi } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { timestampAt } from "../jobs/clock.ts";
import { type JobFacts, type NewJob, enqueue, listJobs } from "../jobs/queue.ts";
import { JobRunner, type JobRunnerSettings } from "../jobs/runner.ts";
import type { Job, JobKind } from "../jobs/running-job.ts";
import { HandClock } from "./hand-clock.ts";
import { type TestEngine, type TestStorage, testStorage, throughPooler } from "./test-app.ts";

/** A queue of jobs of the kind "work", on separate storage, with a clock that the test advances. */
export class TestQueue implements AsyncDisposable {
  readonly storage: TestStorage;
  readonly database: Database;
  readonly clock = new HandClock();
  /** The subjects whose work was given up, with the reasons. */
  readonly givenUp: Record<number, string> = {};
  runners: JobRunner[] = [];

  constructor(storage: TestStorage, database: Database) {
    this.storage = storage;
    this.database = database;
  }

  static async open(engine: TestEngine): Promise<TestQueue> {
    const storage = await testStorage(engine);
    return new TestQueue(storage, await openOn(storage));
  }

  /** A kind of job that is tried at most three times. */
  kind(run: JobKind["run"], more: Partial<JobKind> = {}): JobKind {
    const failed = async (job: Job, reason: string): Promise<void> => {
      await this.database.write((writer) => job.complete(writer));
      this.givenUp[job.subject] = reason;
    };
    return { run, failed, attemptsAtMost: 3, ...more };
  }

  start(work: JobKind, settings: Partial<JobRunnerSettings> = {}): JobRunner {
    const { database, clock } = this;
    const log = pino({ level: "silent" });
    const runner = new JobRunner({ database, log, kinds: { work }, concurrency: 2, clock, ...settings });
    this.runners.push(runner);
    runner.start();
    return runner;
  }

  ask(subjects: readonly number[], options: NewJob["options"] = {}): Promise<void> {
    return this.database.write(async (writer) => {
      for (const subject of subjects) await enqueue(writer, { kind: "work", subject, options }, this.clock);
    });
  }

  list(): Promise<JobFacts[]> {
    return listJobs(this.database.reader, { kind: "work" }, this.clock);
  }

  /** Resolves when this job is waiting again after this number of attempts. */
  isWaiting(subject: number, attempts: number): Promise<void> {
    return eventually(async () => {
      const jobs = await this.list();
      const one = jobs.find((job) => job.subject === subject && job.attempts === attempts);
      if (one?.state !== "waiting") throw new Error(`Not waiting: ${JSON.stringify(jobs)}`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = Promise.all(this.runners.map((runner) => runner.stop()));
    // After a failed test, work may wait for what never comes: the runners are patient by this clock alone.
    while ((await Promise.race([stopped, setImmediate(null)])) === null) this.clock.pass(1);
    await this.database.close();
    await this.storage[Symbol.asyncDispose]();
  }
}

/**
 * Runs all queued jobs. Fails at once if a job is not due for long: an operation that has ended left it behind, and the
 * runner would wait for it.
 */
export async function runAll(runner: JobRunner, { reader }: Pick<Database, "reader">): Promise<void> {
  const late = await reader
    .selectFrom("jobs")
    .select(["kind", "subject", "due_at"])
    .where("due_at", ">", timestampAt(Date.now() + 60_000))
    .where("lease", "is", null)
    .executeTakeFirst();
  if (late !== undefined)
    throw new Error(`The job "${late.kind}" of ${late.subject} was left in the queue until ${late.due_at}`);
  runner.start();
  await runner.drain();
  await runner.stop();
}

/** A job that is in no queue, to call the function of a job directly. */
export function jobOn(
  subject: number,
  hold: Job["hold"] = () => Promise.resolve(),
  check: Job["check"] = () => Promise.resolve(),
): Job {
  return {
    id: 1,
    kind: "work",
    subject,
    options: {},
    attempt: 1,
    isLong: false,
    complete: () => Promise.resolve(),
    hold,
    check,
    isAwaited: () => Promise.resolve(false),
    giveWay: () => Promise.resolve(),
  };
}

export function openOn({ config }: TestStorage): Promise<Database> {
  return openDatabase(throughPooler({ dataFolder: config.data, databaseUrl: config.databaseUrl }));
}

/** Waits until the assertion holds, because only the database shows when a runner's changes are stored. */
export function eventually(assertion: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(assertion, { interval: 2, timeout: 60_000 });
}

/** Work that lasts until the test releases it or its signal fires. `after` runs when it was released. */
export class SlowWork {
  readonly #begun = Promise.withResolvers<void>();
  readonly #letGo = Promise.withResolvers<void>();
  readonly #after: (job: Job) => Promise<void>;
  readonly begun = this.#begun.promise;
  /** The signal of its last attempt. */
  signal: AbortSignal | null = null;

  constructor(after: (job: Job) => Promise<void> = () => Promise.resolve()) {
    this.#after = after;
  }

  letGo(): void {
    this.#letGo.resolve();
  }

  run = async (job: Job, signal: AbortSignal): Promise<void> => {
    this.signal = signal;
    const stopped = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => stopped.reject(signal.reason as Error));
    this.#begun.resolve();
    await Promise.race([this.#letGo.promise, stopped.promise]);
    await this.#after(job);
  };
}

/** The reason of the rejection; null if the promise is fulfilled. */
export function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}
