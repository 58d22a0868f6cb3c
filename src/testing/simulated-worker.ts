import pino from "pino";
import type { Database, Writer } from "../database/database.ts";
import { DatabaseUnavailableError } from "../database/database-unavailable.ts";
import { LeaseLostError } from "../jobs/lease.ts";
import { JobRunner } from "../jobs/runner.ts";
import type { Job, JobKind } from "../jobs/running-job.ts";
import type { HandClock } from "./hand-clock.ts";
import { type JobRow, type Retry, modelLeaseSeconds, waitAfter } from "./job-model.ts";

/** What the work of a job may do at its turn, as often as it is to happen among the others. */
const workSteps = {
  fail: 4,
  failForGood: 1,
  failInPassing: 2,
  failForWantOfDatabase: 1,
  hold: 5,
  giveWay: 3,
  endWithoutEffect: 2,
  askWhetherAwaited: 1,
  wait: 2,
  completeAndFail: 3,
  complete: 8,
} as const;
type WorkStep = keyof typeof workSteps;
const workStepsByHow = Object.entries(workSteps).flatMap(([step, times]) =>
  Array.from({ length: times }, () => step as WorkStep),
);

/**
 * How a turn turns out: a number from 0 to this. For the work of a job, it is what the work does next; at the highest,
 * the work completes. For a statement, 0 says that the database is away.
 */
export const maxHow = workStepsByHow.length - 1;

/** The number of shared slots of each worker. */
export const concurrency = 2;

export const kindsOfWork = {
  read: { attemptsAtMost: 8 },
  send: { attemptsAtMost: 3, ownSlots: 1 },
} as const satisfies Record<string, Partial<JobKind>>;
export type KindOfWork = keyof typeof kindsOfWork;

/** The subject whose work fails at every attempt, and the one whose work does not hear that it is to stop. */
const [failingSubject, deafSubject] = [0, 3];

/** What the runner still has to write for an attempt whose work has ended. */
export type Outcome = { step: "end" | "release" | "nothing" } | { step: "retry"; retry: Retry };

/** One lease, as the simulation knows it. */
export interface Attempt {
  worker: SimulatedWorker;
  row: JobRow;
  isRunning: boolean;
  /** Null until the work has ended. */
  outcome: Outcome | null;
  /** Whether a statement of its worker failed since it began, so that its outcome may be missing. */
  isDisturbed: boolean;
}

/** What a transaction of the work itself does to the job. Other transactions are the runner's. */
export interface Effect {
  attempt: Attempt;
  step: "hold" | "complete" | "giveWay";
  options: string;
}

export interface Transaction {
  worker: SimulatedWorker;
  askedAt: number;
  effect: Effect | null;
  isCommitted: boolean;
}

/** The simulation, as its workers see it: each of their steps waits until it is its turn. */
export interface Turns {
  readonly clock: HandClock;
  /** Resolves to how the step turns out: see {@link maxHow}. */
  next(worker: SimulatedWorker, step: "read" | "begin" | "answer" | "work"): Promise<number>;
  /** Counts as under way until it has settled. */
  track<T>(work: Promise<T>): Promise<T>;
  begun(transaction: Transaction): void;
  /** Notes that the work is done, without a transaction of its own. */
  endsWithoutEffect(job: Job): void;
  /** Records in a transaction that a job took effect or was given up. */
  record(writer: Writer, job: Job, what: "done" | "given up"): Promise<void>;
}

class PassingError extends Error {}
class FinalError extends Error {}

/** A process that runs jobs: the real runner, on a database and a clock that the simulation controls. */
export class SimulatedWorker {
  readonly name: string;
  readonly database: Database;
  readonly runner: JobRunner;
  state: "running" | "suspended" | "dead" = "running";
  isStopping = false;
  /** The attempt that it leased last. */
  leased: Attempt | null = null;
  readonly attempts: Attempt[] = [];
  readonly #turns: Turns;
  readonly #real: Database;
  readonly #byJob = new Map<Job, Attempt>();
  #postponed: (() => void)[] = [];

  constructor(name: string, database: Database, turns: Turns) {
    this.name = name;
    this.#turns = turns;
    this.#real = database;
    this.database = {
      ...database,
      reader: this.#paced(database.reader),
      write: (work) => this.#write(work, null),
    };
    this.runner = new JobRunner({
      database: this.database,
      log: pino({ level: "silent" }),
      kinds: { read: this.#kind("read"), send: this.#kind("send") },
      concurrency,
      leaseSeconds: modelLeaseSeconds,
      worker: name,
      clock: {
        nowMilliseconds: () => turns.clock.nowMilliseconds(),
        after: (milliseconds, callback) => turns.clock.after(milliseconds, () => this.#run(callback)),
      },
    });
    this.runner.start();
  }

  /** Timers of a suspended process run when it continues. */
  #run(callback: () => void): void {
    if (this.state === "running") callback();
    else if (this.state === "suspended") this.#postponed.push(callback);
  }

  continue(): void {
    if (this.state !== "suspended") return;
    this.state = "running";
    const postponed = this.#postponed;
    this.#postponed = [];
    for (const callback of postponed) callback();
  }

  stop(): void {
    this.isStopping = true;
    void this.runner.stop();
  }

  #disturb(): DatabaseUnavailableError {
    for (const attempt of this.attempts) attempt.isDisturbed = true;
    return new DatabaseUnavailableError("away", { cause: null, mayComeBack: true });
  }

  /** A reader whose results arrive when it is their turn, and are old by then. */
  #paced<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...parameters: unknown[]) => {
          const result: unknown = value.apply(target, parameters);
          if (result instanceof Promise) return this.#arrives(result);
          return typeof result === "object" && result !== null ? this.#paced(result) : result;
        };
      },
    });
  }

  async #arrives<T>(result: Promise<T>): Promise<T> {
    const value = await this.#turns.track(result);
    if ((await this.#turns.next(this, "read")) === 0) throw this.#disturb();
    return value;
  }

  /** If its answer is lost, the worker does not know whether the transaction was committed. */
  async #write<T>(work: (writer: Writer) => Promise<T>, effect: Effect | null): Promise<T> {
    const transaction = {
      worker: this,
      askedAt: this.#turns.clock.nowMilliseconds(),
      effect,
      isCommitted: false,
    };
    if ((await this.#turns.next(this, "begin")) === 0) throw this.#disturb();
    this.#turns.begun(transaction);
    const written = this.#real.write(work).then((result) => {
      transaction.isCommitted = true;
      return result;
    });
    const [outcome] = await this.#turns.track(Promise.allSettled([written]));
    if ((await this.#turns.next(this, "answer")) === 0) throw this.#disturb();
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  #kind(kind: KindOfWork): JobKind {
    return {
      ...kindsOfWork[kind],
      isPassing: (error) => error instanceof PassingError,
      isFinal: (error) => error instanceof FinalError,
      run: async (job, signal) => {
        const attempt = this.#begin(job);
        attempt.isRunning = true;
        try {
          await this.#work(job, signal, attempt);
          attempt.outcome = { step: signal.aborted ? "release" : "end" };
        } catch (error) {
          attempt.outcome = this.#outcomeOf(error, signal, attempt);
          throw error;
        } finally {
          attempt.isRunning = false;
        }
      },
      failed: (job, reason) => this.#giveUp(job, reason),
    };
  }

  /** The runner calls this for the attempt that it leased last, and tells it what the row says. */
  #begin(job: Job): Attempt {
    const known = this.#byJob.get(job);
    if (known !== undefined) return known;
    const attempt = this.leased;
    if (attempt === null) throw new Error("A job runs that was not leased");
    const { id, kind, subject, options, attempts, is_long } = attempt.row;
    const told = [job.id, job.kind, job.subject, JSON.stringify(job.options), job.attempt, job.isLong];
    const expected = [id, kind, subject, options, attempts, is_long];
    if (String(told) !== String(expected)) throw new Error(`${String(told)} runs, not ${String(expected)}`);
    this.#byJob.set(job, attempt);
    return attempt;
  }

  async #work(job: Job, signal: AbortSignal, attempt: Attempt): Promise<void> {
    const write = (step: Effect["step"], work: (writer: Writer) => Promise<void>, options = {}) =>
      this.#write(work, { attempt, step, options: JSON.stringify(options) });
    const away = new DatabaseUnavailableError("away", { cause: null, mayComeBack: true });
    for (;;) {
      const how = await this.#turns.next(this, "work");
      if (job.subject !== deafSubject) signal.throwIfAborted();
      const step = workStepsByHow[how] as WorkStep;
      if (job.subject === failingSubject && step !== "hold") throw new Error(`Failure ${how}`);
      if (step === "fail") throw new Error(`Failure ${how}`);
      if (step === "failForGood") throw new FinalError("Nothing helps");
      if (step === "failInPassing") throw new PassingError("The store does not answer");
      if (step === "failForWantOfDatabase") throw away;
      if (step === "hold") await write(step, (writer) => job.hold(writer));
      if (step === "giveWay") {
        const options = { ...job.options, turn: Number(job.options["turn"] ?? 0) + 1 };
        return write(step, (writer) => job.giveWay(writer, options), options);
      }
      if (step === "endWithoutEffect") return this.#turns.endsWithoutEffect(job);
      if (step === "askWhetherAwaited") await job.isAwaited();
      if (step !== "complete" && step !== "completeAndFail") continue;
      await write("complete", (writer) => this.#complete(writer, job, "done"));
      if (step === "complete") return;
      throw new Error("The work after the last transaction failed");
    }
  }

  async #complete(writer: Writer, job: Job, what: "done" | "given up"): Promise<void> {
    await this.#turns.record(writer, job, what);
    await job.complete(writer);
  }

  async #giveUp(job: Job, reason: string): Promise<void> {
    const attempt = this.#begin(job);
    attempt.outcome = null;
    try {
      const complete = (writer: Writer): Promise<void> => this.#complete(writer, job, "given up");
      await this.#write(complete, { attempt, step: "complete", options: "{}" });
      attempt.outcome = { step: "end" };
    } catch (error) {
      const isLost = error instanceof LeaseLostError;
      attempt.outcome = isLost ? { step: "nothing" } : this.#retry(reason, attempt.row.attempts);
      throw error;
    }
  }

  #outcomeOf(error: unknown, signal: AbortSignal, { row }: Attempt): Outcome | null {
    const { message } = error as Error;
    if (error instanceof LeaseLostError || signal.reason instanceof LeaseLostError)
      return { step: "nothing" };
    if (signal.aborted) return { step: "release" };
    if (error instanceof DatabaseUnavailableError) return this.#retry(message, 1, false);
    if (error instanceof PassingError) return this.#retry(message, 3, false);
    const { attemptsAtMost } = kindsOfWork[row.kind as KindOfWork];
    // The runner calls `failed`, which decides.
    if (error instanceof FinalError || row.attempts >= attemptsAtMost) return null;
    return this.#retry(message, row.attempts);
  }

  #retry(reason: string, waits: number, counts = true): Outcome {
    const dueAt = this.#turns.clock.nowMilliseconds() + waitAfter(waits) * 1000;
    return { step: "retry", retry: { dueAt, reason, counts } };
  }
}
