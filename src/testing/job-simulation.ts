import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Database, Writer } from "../database/database.ts";
import { cancelJob, enqueue, remove } from "../jobs/queue.ts";
import type { Job } from "../jobs/running-job.ts";
import { HandClock } from "./hand-clock.ts";
import { answersFor, answersOf } from "./job-answers.ts";
import { faultsIn } from "./job-changes.ts";
import { type JobRow, type JobRowName, afterCancelling, afterRemoval, afterRequest } from "./job-model.ts";
import {
  type Attempt,
  SimulatedWorker,
  type Transaction,
  type Turns,
  concurrency,
  kindsOfWork,
  maxHow,
} from "./simulated-worker.ts";

/*
 * Several workers, their clock and their clients in one thread. Each result of a read, each transaction, each answer
 * and each step of the work waits for its turn, so that a worker can die, be suspended or be overtaken between any two
 * of them. After every transaction, the rows of the queue are compared with the plain rules of job-model.ts.
 */

/** A step of the simulation. A step that does not apply is skipped. */
export type Step =
  | { what: "ask"; job: JobRowName; owner: number | null; afterSeconds: number; tells: number }
  | { what: "cancel" | "remove"; job: JobRowName }
  /** Lets this many steps of workers happen, one after the other. */
  | { what: "proceed"; which: number[]; how: number }
  /** Lets all workers look for jobs, and then lets a transaction of each of them happen at once. */
  | { what: "together" }
  | { what: "pass"; seconds: number }
  | { what: "kill" | "suspend" | "continue" | "stop"; worker: number }
  | { what: "look" };

interface Turn {
  worker: SimulatedWorker;
  step: Parameters<Turns["next"]>[1];
  go: (how: number) => void;
}

export async function createEffects(database: Database): Promise<void> {
  await database.write(async (writer) => {
    await sql`create table effects (kind text, subject bigint, request bigint, what text)`.execute(writer);
  });
}

export class JobSimulation implements Turns {
  readonly clock = new HandClock();
  readonly #databases: readonly Database[];
  readonly #client: Database;
  readonly #workers: SimulatedWorker[];
  readonly #underWay = new Set<Promise<unknown>>();
  #turns: Turn[] = [];
  #begun: Transaction[] = [];
  #rows: JobRow[] = [];
  readonly #byLease = new Map<string, Attempt>();
  /** The last request for each job that was not cancelled, and how many there were. */
  readonly #requests = new Map<string, number>();
  readonly #withoutEffect = new Set<number>();
  #asked = 0;
  #hired = 0;

  /** `databases` has the connections of each worker, and of the clients last. Empties the queue. */
  static async begin(databases: readonly Database[]): Promise<JobSimulation> {
    await databases.at(-1)?.write(async (writer) => {
      await sql`delete from jobs`.execute(writer);
      await sql`delete from effects`.execute(writer);
    });
    return new JobSimulation(databases);
  }

  private constructor(databases: readonly Database[]) {
    this.#databases = databases.slice(0, -1);
    this.#client = databases.at(-1) as Database;
    this.#workers = this.#databases.map((database) => this.#hire(database));
  }

  #hire(database: Database): SimulatedWorker {
    return new SimulatedWorker(`worker ${++this.#hired}`, database, this);
  }

  next(worker: SimulatedWorker, step: Turn["step"]): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    if (worker.state !== "dead") this.#turns.push({ worker, step, go: resolve });
    return promise;
  }

  async track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  begun(transaction: Transaction): void {
    this.#begun.push(transaction);
  }

  async record(writer: Writer, { kind, subject, options }: Job, what: string): Promise<void> {
    await sql`insert into effects values (${kind}, ${subject}, ${options["request"]}, ${what})`.execute(
      writer,
    );
  }

  endsWithoutEffect({ options }: Job): void {
    this.#withoutEffect.add(Number(options["request"]));
  }

  async take(step: Step): Promise<void> {
    switch (step.what) {
      case "ask":
        await this.#ask(step);
        break;
      case "cancel":
      case "remove":
        await this.#withdraw(step.what, step.job);
        break;
      case "proceed":
        for (const which of step.which) await this.#proceed(which, step.how);
        break;
      case "together":
        await this.#together();
        break;
      case "pass":
        this.clock.pass(step.seconds);
        break;
      case "look":
        assert.deepEqual(
          await answersOf(this.#client.reader, this.clock),
          answersFor(this.#rows, this.clock),
        );
        break;
      case "stop":
      case "kill":
      case "suspend":
      case "continue":
        this.#disturb(step.what, step.worker);
    }
    await this.#settled();
  }

  async #ask({ job, owner, afterSeconds, tells }: Extract<Step, { what: "ask" }>): Promise<void> {
    const options = { request: ++this.#asked };
    const request = { ...job, owner, afterSeconds, options: JSON.stringify(options) };
    const expected = afterRequest(this.#rows, request, this.clock.nowMilliseconds());
    await this.#client.write((writer) => enqueue(writer, { ...request, options }, this.clock));
    await this.#expect(expected);
    this.#requests.set(nameOf(job), this.#asked);
    const told = this.#workers[tells];
    if (told?.state === "running") told.runner.notify();
  }

  async #withdraw(how: "cancel" | "remove", job: JobRowName): Promise<void> {
    const expected =
      how === "cancel"
        ? afterCancelling(this.#rows, job, this.clock.nowMilliseconds())
        : afterRemoval(this.#rows, job);
    await this.#client.write(async (writer) => {
      if (how === "cancel") await cancelJob(writer, job, this.clock);
      else assert.equal(await remove(writer, job), expected.length < this.#rows.length);
    });
    await this.#expect(expected);
    this.#requests.delete(nameOf(job));
    // Their workers have left them already, and will not notice.
    for (const attempt of this.#byLease.values()) attempt.isDisturbed ||= attempt.outcome?.step === "nothing";
  }

  async #proceed(which: number, how: number): Promise<void> {
    const ready = this.#turns.filter(({ worker }) => worker.state === "running");
    const turn = ready[which % Math.max(1, ready.length)];
    if (turn !== undefined) await this.#go([turn], how);
  }

  async #together(): Promise<void> {
    const ready = (step: Turn["step"]): Turn[] =>
      this.#turns.filter((turn) => turn.worker.state === "running" && turn.step === step);
    for (const { state, runner } of this.#workers) if (state === "running") runner.notify();
    await this.#settled();
    for (;;) {
      const before = [...ready("read"), ...ready("answer")];
      if (before.length === 0) break;
      await this.#go(before);
    }
    await this.#go(
      [...Map.groupBy(ready("begin"), ({ worker }) => worker).values()].map(([turn]) => turn as Turn),
    );
  }

  async #go(turns: readonly Turn[], how = maxHow): Promise<void> {
    this.#turns = this.#turns.filter((turn) => !turns.includes(turn));
    for (const { go } of turns) go(how);
    await this.#settled();
  }

  #disturb(how: "kill" | "suspend" | "continue" | "stop", index: number): void {
    const worker = this.#workers[index] as SimulatedWorker;
    if (how === "continue") worker.continue();
    else if (how === "stop") worker.stop();
    else if (how === "suspend") worker.state = "suspended";
    else {
      worker.state = "dead";
      this.#turns = this.#turns.filter((turn) => turn.worker !== worker);
      this.#workers[index] = this.#hire(this.#databases[index] as Database);
    }
  }

  /** Waits until every worker waits for its turn, and checks what they have written meanwhile. */
  async #settled(): Promise<void> {
    do {
      await Promise.allSettled(this.#underWay);
      await setImmediate();
    } while (this.#underWay.size > 0);
    const transactions = this.#begun;
    this.#begun = [];
    if (transactions.length > 0) this.#check(transactions, await this.#read());
    for (const worker of this.#workers) if (worker.state === "running") this.#checkWorker(worker);
  }

  #check(transactions: readonly Transaction[], rows: JobRow[]): void {
    const before = { rows: this.#rows, byLease: this.#byLease, now: this.clock.nowMilliseconds() };
    assert.deepEqual(faultsIn(before, transactions, rows), []);
    for (const row of rows) {
      if (row.lease === null || this.#byLease.has(row.lease)) continue;
      const worker = this.#workers.find(({ name }) => name === row.worker) as SimulatedWorker;
      const attempt = { worker, row, isRunning: false, outcome: null, isDisturbed: false };
      this.#byLease.set(row.lease, attempt);
      worker.attempts.push(attempt);
      worker.leased = attempt;
    }
    this.#rows = rows;
  }

  /** A worker keeps to its slots, and keeps no lease after its work has ended. */
  #checkWorker(worker: SimulatedWorker): void {
    const running = worker.attempts.filter(({ isRunning }) => isRunning);
    const sending = running.filter(({ row }) => row.kind === "send");
    const long = running.filter(({ row }) => row.is_long);
    assert.ok(sending.length <= kindsOfWork.send.ownSlots, "too much is being sent at once");
    assert.ok(running.length - sending.length <= concurrency, "too many jobs at once");
    assert.ok(long.length < concurrency, "no slot is left for jobs that do not take long");
    if (this.#turns.some((turn) => turn.worker === worker && turn.step !== "work")) return;
    const kept = this.#rows.filter((row) => {
      const attempt = worker.attempts.find(({ row: { lease } }) => lease === row.lease);
      if (attempt === undefined || attempt.outcome === null || attempt.isDisturbed) return false;
      // A worker that believes that its lease is over leaves the job to others.
      return attempt.outcome.step !== "nothing" || row.cancelled_at !== null;
    });
    assert.deepEqual(kept, [], `${worker.name} keeps leases of work that has ended`);
  }

  /** Compares the queue with what a client's transaction should have made of it. */
  async #expect(expected: readonly JobRow[]): Promise<void> {
    const rows = await this.#read();
    const known = new Set(this.#rows.map(({ id }) => id));
    const comparable = rows.map((row) => (known.has(row.id) ? row : Object.assign({}, row, { id: 0 })));
    assert.deepEqual(comparable, expected);
    this.#rows = rows;
  }

  async #read(): Promise<JobRow[]> {
    const rows = await this.#client.reader.selectFrom("jobs").selectAll().orderBy("id").execute();
    const flags = rows.map(({ again, is_long }) => ({ again: Boolean(again), is_long: Boolean(is_long) }));
    return rows.map((row, index) => Object.assign({}, row, flags[index]));
  }

  /** Nothing fails any more, except work that always does: the queue becomes empty. */
  async end(): Promise<{ queued: JobRow[]; servedTwice: number[]; neverServed: number[] }> {
    for (const [index, worker] of this.#workers.entries()) {
      worker.continue();
      if (worker.isStopping) this.#disturb("kill", index);
    }
    for (let time = 0; this.#rows.length > 0 && time < 200; time++) {
      await this.#settled();
      while (this.#turns.length > 0) await this.#proceed(0, maxHow);
      this.clock.pass(20);
    }
    for (const worker of this.#workers) worker.state = "dead";
    const { rows } = await sql<{ request: number }>`select request from effects`.execute(this.#client.reader);
    const requests = rows.map(({ request }) => request);
    const served = new Set([...requests, ...this.#withoutEffect]);
    return {
      queued: this.#rows,
      servedTwice: requests.filter((request, index) => requests.indexOf(request) < index),
      neverServed: [...this.#requests.values()].filter((request) => !served.has(request)),
    };
  }
}

function nameOf({ kind, subject }: JobRowName): string {
  return `${kind} ${subject}`;
}
