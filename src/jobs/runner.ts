import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import { logUnlessAway } from "../database/database-unavailable.ts";
import { type Clock, systemClock, timestampAt } from "./clock.ts";
import { type Claim, type Lease, claimNext, findNextDue, release, removeExpiredCancelled } from "./lease.ts";
import { hasJobs, isCancelled } from "./queue.ts";
import { type JobKind, RunningJob } from "./running-job.ts";

export interface JobRunnerSettings {
  database: Database;
  log: Logger;
  /** The kinds of jobs that this runner takes, by name. It leaves other kinds to other runners. */
  kinds: Readonly<Record<string, JobKind>>;
  /** The maximum number of simultaneous jobs, of all kinds without their own slots. */
  concurrency: number;
  /**
   * By kind: how long after a job others of the same user may follow it before those of other users. It is for work
   * that is cheaper right after other work for the same user. Otherwise each job ends its user's turn.
   */
  turnMilliseconds?: Readonly<Record<string, number>>;
  leaseSeconds?: number;
  /** How often it polls for jobs that other processes have queued; a function is asked at each poll. */
  lookEverySeconds?: number | (() => number);
  /** How long jobs may take to finish after the runner is stopped, before they are aborted. */
  graceSeconds?: number;
  /** How long aborted jobs may take to end, before their leases are released anyway. */
  abortSeconds?: number;
  /** How long a job waits after this many attempts. */
  backoffSeconds?: (attempts: number) => number;
  /** The runner's name, for people. */
  worker?: string;
  clock?: Clock;
}

/** The jobs of one kind that a user has in a row. */
interface UserTurn {
  kind: string;
  owner: number;
  endsAtMilliseconds: number;
}

/** 1 s, 4 s, 16 s, 64 s, then every four minutes. */
export function backoffSeconds(attempts: number): number {
  return Math.min(4 ** (attempts - 1), 256);
}

/**
 * Runs jobs as they become due, alternating between users. Some kinds of jobs cost less right after another job of the
 * same user, for which they can share a process. A user's jobs of such a kind may follow each other for a moment
 * (`turnMilliseconds`) before the next user's turn. So a user waits for at most one job and one such moment of each
 * other user. It polls with a read, which delays no one, and writes only when there is a job to take. After any error
 * while polling, it polls again.
 */
export class JobRunner {
  readonly #settings: Required<JobRunnerSettings>;
  readonly #kinds: readonly string[];
  readonly #running = new Set<RunningJob>();
  /** The turns whose last jobs have just ended. */
  #openTurns: UserTurn[] = [];
  #isStarted = false;
  #looking: Promise<void> | null = null;
  #isAskedAgain = false;
  #cancelTimer: () => void = () => undefined;
  /** Resolves after the next poll. */
  #looked = Promise.withResolvers<void>();

  constructor(settings: JobRunnerSettings) {
    this.#settings = {
      turnMilliseconds: {},
      leaseSeconds: 60,
      lookEverySeconds: 1,
      graceSeconds: 5,
      abortSeconds: 2,
      backoffSeconds,
      worker: `${hostname()}:${process.pid}`,
      clock: systemClock,
      ...settings,
    };
    this.#kinds = Object.keys(this.#settings.kinds);
  }

  start(): void {
    this.#isStarted = true;
    this.notify();
  }

  /** Polls now, because a job may be due. Call it after a commit that enqueued a job. */
  notify(): void {
    if (!this.#isStarted) return;
    this.#isAskedAgain = true;
    this.#looking ??= this.#look();
  }

  /** Whether it is running no job now. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /**
   * Takes no more jobs, lets running jobs finish for a while, then aborts them. The leases of jobs that still do not
   * end are released, so that other workers continue at once.
   */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#cancelTimer();
    await this.#within(this.#settings.graceSeconds, this.#quiet());
    for (const job of this.#running) job.abort();
    await this.#within(this.#settings.abortSeconds, this.#quiet());
    const left = [...this.#running].map((job) => job.giveBack());
    await this.#within(this.#settings.abortSeconds, Promise.all(left));
    this.#looked.resolve();
    // Otherwise, after another start, `drain` would wait for a promise that is already resolved, and loop.
    this.#looked = Promise.withResolvers();
  }

  /** Resolves when no job of its kinds is waiting or running, here or in another process. */
  async drain(): Promise<void> {
    this.notify();
    for (;;) {
      if (!this.#isStarted) throw new Error("A stopped runner runs no jobs");
      const looked = this.#looked.promise;
      if (this.#running.size === 0 && !(await this.#isAnyLeft())) return;
      await looked;
    }
  }

  /** Whether any job of its kinds is waiting or running, including cancelled ones. */
  async #isAnyLeft(): Promise<boolean> {
    const { clock, database } = this.#settings;
    const kinds = this.#kinds;
    return (
      (await hasJobs(database.reader, { kinds })) || (await isCancelled(database.reader, { kinds }, clock))
    );
  }

  async #look(): Promise<void> {
    const { clock, log, lookEverySeconds: every } = this.#settings;
    const usualWait = (): number => (typeof every === "number" ? every : every()) * 1000;
    let waitMilliseconds = usualWait();
    this.#cancelTimer();
    try {
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        for (const job of this.#running) await job.look();
        await removeExpiredCancelled(this.#settings.database, timestampAt(clock.nowMilliseconds()));
        waitMilliseconds = Math.min(await this.#takeDue(), usualWait());
      }
    } catch (error) {
      logUnlessAway(log, error, "Looking for jobs failed");
    }
    this.#looking = null;
    if (this.#isStarted) this.#cancelTimer = clock.after(waitMilliseconds, () => this.notify());
    this.#looked.resolve();
    this.#looked = Promise.withResolvers();
  }

  /**
   * Takes and starts due jobs while there are free slots. Returns how many milliseconds to wait for the next known job.
   */
  async #takeDue(): Promise<number> {
    const { clock, database } = this.#settings;
    for (;;) {
      const kinds = this.#isStarted ? this.#kindsWithRoom() : [];
      if (kinds.length === 0) return Infinity;
      if (await this.#continueTurn(kinds)) continue;
      const exceptLong = !this.#hasRoomForLong();
      const dueAt = await findNextDue(database.reader, kinds, { exceptLong });
      if (dueAt === null) return Infinity;
      const now = clock.nowMilliseconds();
      if (Date.parse(dueAt) > now) return Date.parse(dueAt) - now;
      const lease = await claimNext(database, { kinds, exceptLong, ...this.#claimAt(now) });
      if (lease === null) return Infinity;
      await this.#start(lease);
    }
  }

  /** Starts the next job of a user whose last one has just ended here. Returns whether there is one. */
  async #continueTurn(kinds: readonly string[]): Promise<boolean> {
    const now = this.#settings.clock.nowMilliseconds();
    const turns = this.#openTurns.filter(({ endsAtMilliseconds }) => endsAtMilliseconds > now);
    const turn = turns.find(({ kind }) => kinds.includes(kind));
    this.#openTurns = turns.filter((open) => open !== turn);
    if (turn === undefined) return false;
    const { kind, owner } = turn;
    const lease = await claimNext(this.#settings.database, { kinds: [kind], owner, ...this.#claimAt(now) });
    if (lease !== null) await this.#start(lease, turn);
    return lease !== null;
  }

  #claimAt(nowMilliseconds: number): Pick<Claim, "worker" | "now" | "until"> {
    const { leaseSeconds, worker } = this.#settings;
    const now = timestampAt(nowMilliseconds);
    return { worker, now, until: timestampAt(nowMilliseconds + leaseSeconds * 1000) };
  }

  async #start(lease: Lease, turn: UserTurn | null = null): Promise<void> {
    const kind = this.#settings.kinds[lease.kind] as JobKind;
    // The runner may have been stopped in the meantime.
    if (this.#isStarted) void this.#keep(new RunningJob(lease, kind, this.#settings), lease, turn);
    else await release(this.#settings.database, lease);
  }

  #kindsWithRoom(): string[] {
    const { concurrency, kinds } = this.#settings;
    const running = [...this.#running].map(({ kind }) => kind);
    const sharing = running.filter((kind) => kinds[kind]?.ownSlots === undefined).length;
    return this.#kinds.filter((kind) => {
      const own = kinds[kind]?.ownSlots;
      return own === undefined ? sharing < concurrency : running.filter((one) => one === kind).length < own;
    });
  }

  /** If several jobs may run at once, one slot is always kept for jobs that do not take long. */
  #hasRoomForLong(): boolean {
    const long = [...this.#running].filter(({ isLong }) => isLong).length;
    return long < Math.max(1, this.#settings.concurrency - 1);
  }

  /** @param turn the turn that the job continues, if any */
  async #keep(job: RunningJob, lease: Lease, turn: UserTurn | null): Promise<void> {
    this.#running.add(job);
    await job.ended;
    this.#running.delete(job);
    const open = turn ?? this.#turnAfter(lease);
    if (open !== null) this.#openTurns.push(open);
    this.notify();
  }

  #turnAfter({ kind, owner }: Lease): UserTurn | null {
    const { clock, turnMilliseconds } = this.#settings;
    const length = turnMilliseconds[kind];
    if (owner === null || length === undefined) return null;
    return { kind, owner, endsAtMilliseconds: clock.nowMilliseconds() + length };
  }

  /** Resolves when the current poll and all running jobs have ended. */
  async #quiet(): Promise<void> {
    await this.#looking;
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  /** Waits for `done`, but not longer than this. Later failures of `done` are ignored. */
  async #within(seconds: number, done: Promise<unknown>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = this.#settings.clock.after(seconds * 1000, late.resolve);
    await Promise.race([late.promise, done]);
    cancel();
  }
}
