import type { Logger } from "pino";
import type { Database, Writer } from "../database/database.ts";
import { DatabaseUnavailableError } from "../database/database-unavailable.ts";
import { reasonOf } from "../errors.ts";
import { type Clock, timestampAt } from "./clock.ts";
import {
  type Lease,
  LeaseLostError,
  end,
  giveWay,
  isAnyWaiting,
  isHeld,
  releaseCancelled,
  release,
  renew,
  retryAt,
} from "./lease.ts";

export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly subject: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** Counts from 1. */
  readonly attempt: number;
  /** Whether the job has given way before. */
  readonly isLong: boolean;
  /**
   * Ends the job in the transaction that writes its result, so that both happen or neither. Call it last in the
   * transaction, after the job's subject is locked: a transaction that queues a job takes the locks in the same order.
   *
   * @throws {LeaseLostError} if this worker no longer holds the job: the transaction must not be committed.
   */
  complete(writer: Writer): Promise<void>;
  /**
   * Makes sure that this worker holds the job for the length of a lease from now on. Call it at the end of each
   * transaction that writes something before the last one.
   *
   * @throws {LeaseLostError} if this worker no longer holds the job: the transaction must not be committed.
   */
  hold(writer: Writer): Promise<void>;
  /**
   * Makes sure that this worker holds the job for at least half a lease from now on. Call it before a file is put where
   * others see it. It writes nothing if enough of the lease is left.
   *
   * @throws {LeaseLostError} if this worker no longer holds the job.
   */
  check(): Promise<void>;
  /** Whether another job is due that the runner takes and that no worker has begun. */
  isAwaited(): Promise<boolean>;
  /**
   * Gives way to other jobs, in the transaction that writes the progress so far: the job runs again later with these
   * options, as one that takes long. `run` must resolve afterwards.
   *
   * @throws {LeaseLostError} if this worker no longer holds the job: the transaction must not be committed.
   */
  giveWay(writer: Writer, options: Readonly<Record<string, unknown>>): Promise<void>;
}

/** The functions for jobs of one kind. Both may be called again for a job that they had almost finished. */
export interface JobKind {
  /**
   * Resolves when the job is done, which ends the job if `complete` has not; rejects if it failed. The signal says that
   * this worker no longer holds the job, or that the worker is to stop: `run` must then reject soon.
   */
  run(job: Job, signal: AbortSignal): Promise<void>;
  /** Records that a job is given up, with a reason that people can read. Ends the job as `run` does. */
  failed(job: Job, reason: string): Promise<void>;
  /**
   * Records that a job has to wait for another attempt and after which error, in the transaction that makes it wait.
   */
  postponed?(writer: Writer, job: Job, error: unknown): Promise<void>;
  attemptsAtMost: number;
  /**
   * The number of simultaneous jobs of this kind, in addition to the runner's jobs of other kinds. It is for work that
   * mostly waits for something else. Kinds without a number share the runner's slots.
   */
  ownSlots?: number;
  /** Whether another attempt would end in the same error, whose message is a reason for a person. */
  isFinal?(error: unknown): boolean;
  /** Whether an error is temporary and says nothing about the job: the job is tried until it has another outcome. */
  isPassing?(error: unknown): boolean;
}

export interface JobSurroundings {
  database: Database;
  log: Logger;
  clock: Clock;
  leaseSeconds: number;
  /** The kinds of jobs that the runner takes, by name. */
  kinds: Readonly<Record<string, JobKind>>;
  /** How long a job waits after this many attempts. */
  backoffSeconds: (attempts: number) => number;
}

class RunnerStoppedError extends Error {
  constructor() {
    super("The worker was asked to stop");
    this.name = "RunnerStoppedError";
  }
}

const maxReasonLength = 1000;

/** The pause between two attempts to write the outcome of a job. */
const pauseMilliseconds = 500;

/** A job that waits for something else waits as long as one that has failed this many times. */
const attemptsBeforeLongWaits = 3;

/** One attempt at a job, from its lease to its end. */
export class RunningJob {
  /** Resolves once no more work is done for the job here. Never rejects. */
  readonly ended: Promise<void>;
  readonly kind: string;
  readonly isLong: boolean;
  readonly #lease: Lease;
  readonly #kind: JobKind;
  readonly #surroundings: JobSurroundings;
  readonly #job: Job;
  readonly #controller = new AbortController();
  #leaseUntilMilliseconds: number;
  #cancelRenewal: () => void = () => undefined;
  #isRenewing = false;
  #needsNoLease = false;
  /** A cancelled job's row is removed when its work has ended. */
  #wasLost = false;

  constructor(lease: Lease, kind: JobKind, surroundings: JobSurroundings) {
    this.kind = lease.kind;
    this.isLong = Boolean(lease.is_long);
    this.#lease = lease;
    this.#kind = kind;
    this.#surroundings = surroundings;
    this.#job = {
      id: lease.id,
      kind: lease.kind,
      subject: lease.subject,
      options: JSON.parse(lease.options) as Record<string, unknown>,
      attempt: lease.attempts,
      isLong: this.isLong,
      complete: async (writer) => {
        if (!(await end(writer, lease, this.#now()))) throw new LeaseLostError();
        this.#needsNoLease = true;
      },
      hold: async (writer) => {
        const until = this.#leaseFromNow();
        if (!(await renew(writer, lease, timestampAt(until)))) throw new LeaseLostError();
        this.#leaseUntilMilliseconds = until;
      },
      check: async () => {
        const leftMilliseconds = this.#leaseUntilMilliseconds - surroundings.clock.nowMilliseconds();
        if (leftMilliseconds < (surroundings.leaseSeconds * 1000) / 2)
          await surroundings.database.write((writer) => this.#job.hold(writer));
        else if (!(await isHeld(surroundings.database.reader, lease))) throw new LeaseLostError();
      },
      isAwaited: () =>
        isAnyWaiting(surroundings.database.reader, Object.keys(surroundings.kinds), this.#now()),
      giveWay: async (writer, options) => {
        if (!(await giveWay(writer, lease, { options, now: this.#now() }))) throw new LeaseLostError();
        this.#needsNoLease = true;
      },
    };
    this.#leaseUntilMilliseconds = this.#leaseFromNow();
    this.ended = this.#do();
  }

  /** Asks the work to stop. The job is released when it has stopped. */
  abort(): void {
    this.#controller.abort(new RunnerStoppedError());
  }

  /** Checks whether this worker still holds the job, so that cancelled work ends soon. */
  async look(): Promise<void> {
    const isHeldStill = await isHeld(this.#surroundings.database.reader, this.#lease);
    if (!isHeldStill) this.#lose();
  }

  /** Releases the job, whether or not its work has stopped: the work can have no effect after this. Never rejects. */
  async giveBack(): Promise<void> {
    this.#cancelRenewal();
    try {
      if (!(await release(this.#surroundings.database, this.#lease))) this.#wasLost = true;
    } catch (error) {
      this.#logger().error(
        { err: error },
        "A job could not be released: it is due again when its lease expires",
      );
    }
  }

  async #do(): Promise<void> {
    this.#renewLater();
    try {
      await this.#attempt();
    } catch (error) {
      // The outcome could not be written. Nothing else is needed: once the lease has expired, the job is due again.
      this.#logger().error({ err: error }, "The outcome of a job could not be written");
    } finally {
      this.#cancelRenewal();
    }
    if (this.#wasLost) await this.#releaseCancelled();
  }

  async #releaseCancelled(): Promise<void> {
    try {
      await releaseCancelled(this.#surroundings.database, this.#lease);
    } catch (error) {
      this.#logger().warn({ err: error }, "Other jobs wait for a cancelled job until its lease expires");
    }
  }

  async #attempt(): Promise<void> {
    const { attempts, last_error: lastError } = this.#lease;
    const { attemptsAtMost } = this.#kind;
    if (attempts > attemptsAtMost) {
      return this.#giveUp({ reason: lastError ?? `It was begun ${attempts - 1} times` });
    }
    try {
      await this.#kind.run(this.#job, this.#controller.signal);
    } catch (error) {
      return this.#afterFailure(error);
    }
    // A function that was told to stop and returned without an error may have stopped halfway.
    return this.#controller.signal.aborted ? this.giveBack() : this.#end();
  }

  async #afterFailure(error: unknown): Promise<void> {
    const { signal } = this.#controller;
    if (error instanceof LeaseLostError || signal.reason instanceof LeaseLostError) {
      this.#wasLost = true;
      this.#logger().warn("A job's lease was lost");
      return;
    }
    if (signal.aborted) return this.giveBack();
    if (error instanceof DatabaseUnavailableError) {
      return this.#retry(error, "A job has to wait for the database", { counts: false, waits: 1 });
    }
    if (this.#kind.isPassing?.(error) === true) {
      return this.#retry(error, "A job has to wait", { counts: false });
    }
    const isFinal = this.#kind.isFinal?.(error) === true;
    const isLast = this.#lease.attempts >= this.#kind.attemptsAtMost;
    if (!isFinal && !isLast) return this.#retry(error, "A job failed and will be tried again");
    const saysAll = isFinal && error instanceof Error && error.cause === undefined;
    return this.#giveUp({ reason: shortReason(error), ...(!saysAll && { err: error }) });
  }

  /** `err` is a fault of the program, or has a cause. The owner is told only the reason. */
  async #giveUp(failure: { reason: string; err?: unknown }): Promise<void> {
    const { reason } = failure;
    this.#logger().warn(failure, "A job is given up");
    try {
      await this.#kind.failed(this.#job, reason);
    } catch (error) {
      if (error instanceof LeaseLostError) {
        this.#wasLost = true;
        return;
      }
      // The failure is not recorded for the owner yet, so the next attempt records it with the same reason.
      await this.#retry(error, "The failure of a job could not be recorded", { reason });
      return;
    }
    await this.#end();
  }

  async #retry(
    error: unknown,
    message: string,
    {
      reason,
      counts = true,
      waits = counts ? this.#lease.attempts : attemptsBeforeLongWaits,
    }: {
      reason?: string;
      counts?: boolean;
      /** The job waits as long as after this many attempts. */
      waits?: number;
    } = {},
  ): Promise<void> {
    const { clock, backoffSeconds } = this.#surroundings;
    const seconds = backoffSeconds(waits);
    const dueAt = timestampAt(clock.nowMilliseconds() + seconds * 1000);
    const retry = { dueAt, reason: reason ?? shortReason(error), counts };
    let isRetried = true;
    try {
      await this.#write(async (writer) => {
        if (reason === undefined) await this.#kind.postponed?.(writer, this.#job, error);
        if (!(await retryAt(writer, this.#lease, retry))) throw new LeaseLostError();
      });
    } catch (thrown) {
      if (!(thrown instanceof LeaseLostError)) throw thrown;
      this.#wasLost = true;
      isRetried = false;
    }
    this.#logger().warn({ err: error, retryInSeconds: isRetried ? seconds : null }, message);
  }

  async #end(): Promise<void> {
    // Its own transaction has ended the job, or made it wait.
    if (this.#needsNoLease) return;
    this.#needsNoLease = true;
    await this.#write(async (writer) => {
      if (!(await end(writer, this.#lease, this.#now()))) this.#wasLost = true;
    });
  }

  /** Writes the outcome of the job, and retries while the database is unavailable, as long as the lease lasts. */
  async #write(work: (writer: Writer) => Promise<unknown>): Promise<void> {
    const { clock, database } = this.#surroundings;
    for (;;) {
      try {
        await database.write(work);
        return;
      } catch (error) {
        const isOver = clock.nowMilliseconds() >= this.#leaseUntilMilliseconds;
        const goesOn = !isOver && !this.#controller.signal.aborted;
        if (!goesOn || !(error instanceof DatabaseUnavailableError)) throw error;
      }
      const { promise: paused, resolve } = Promise.withResolvers<void>();
      clock.after(pauseMilliseconds, resolve);
      await paused;
    }
  }

  #renewLater(): void {
    const { clock, leaseSeconds } = this.#surroundings;
    this.#cancelRenewal = clock.after((leaseSeconds * 1000) / 3, () => {
      this.#renewLater();
      void this.#renew();
    });
  }

  async #renew(): Promise<void> {
    const { database } = this.#surroundings;
    // The previous renewal has no response yet, so it does not count.
    if (this.#isRenewing) return this.#loseIfOver();
    this.#isRenewing = true;
    try {
      const until = this.#leaseFromNow();
      const isRenewed = await database.write((writer) => renew(writer, this.#lease, timestampAt(until)));
      if (isRenewed) this.#leaseUntilMilliseconds = until;
      else this.#lose();
    } catch (error) {
      this.#logger().warn({ err: error }, "A job's lease was not renewed");
      this.#loseIfOver();
    } finally {
      this.#isRenewing = false;
    }
  }

  #loseIfOver(): void {
    if (this.#surroundings.clock.nowMilliseconds() >= this.#leaseUntilMilliseconds) this.#lose();
  }

  #lose(): void {
    this.#cancelRenewal();
    // Work after the last transaction needs no lease, and neither does a job that has ended.
    if (this.#needsNoLease) return;
    this.#wasLost = true;
    this.#controller.abort(new LeaseLostError());
  }

  #leaseFromNow(): number {
    const { clock, leaseSeconds } = this.#surroundings;
    return clock.nowMilliseconds() + leaseSeconds * 1000;
  }

  #now(): string {
    return timestampAt(this.#surroundings.clock.nowMilliseconds());
  }

  #logger(): Logger {
    const { kind, subject, attempts } = this.#lease;
    return this.#surroundings.log.child({ job: kind, subject, attempt: attempts });
  }
}

function shortReason(error: unknown): string {
  return reasonOf(error).slice(0, maxReasonLength);
}
