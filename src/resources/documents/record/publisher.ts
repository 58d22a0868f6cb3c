import type { Database, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { findNextPublication, lockDueDocuments, publish } from "./change-store.ts";
import { addHistory } from "../history-store.ts";

const retryMilliseconds = 250;
/** How often it looks for times that others have set although it is told of them: a hint may be lost. */
const hintedMilliseconds = 5000;

/**
 * Publishes documents at their time. Publication happens before the first request after that time is answered, so that
 * no response is out of date, and happens soon even without a request: the schedule of the process runs `look` a few
 * times a second, and so notices the times that other processes have set.
 *
 * The clock of the database says what is due, so that all machines agree. Between two questions, this process counts
 * with its own clock from there. Should it ask too early, nothing is due yet.
 */
export class Publisher {
  readonly #database: Database;
  /** As far as this process knows, nothing is due before this time of the database, in milliseconds. */
  #nextAt: number;
  /** How far the clock of the database is ahead of this process's, or a little more. */
  #leadMilliseconds = 0;
  /** When it asked the database last. */
  #askedAt = -Infinity;
  #running: Promise<void> | null = null;

  /** A read-only server publishes nothing: what is due waits until a server may write again. */
  constructor(database: Database, { isReadOnly }: { isReadOnly: boolean }) {
    this.#database = database;
    this.#nextAt = isReadOnly ? Infinity : 0;
    if (!isReadOnly) database.hints?.onHint("publications", () => void this.#tryToPublish());
  }

  /** Publishes what is due, unless nothing can be: where others give hints, the database is seldom asked. */
  async look(): Promise<void> {
    const isTold = this.#database.hints?.areHeard === true;
    const isRecent = performance.now() - this.#askedAt < hintedMilliseconds;
    if (isTold && isRecent && this.#now() < this.#nextAt) return;
    await this.publishDue();
  }

  /** Publishes the documents whose time has come. @throws what kept it from doing so; requests go on without. */
  publishDue(): Promise<void> {
    this.#running ??= this.#publishAndSchedule().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Resolves when nothing is being published. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** Calls `done` once all due documents are public. That is nearly always at once. */
  catchUp(done: () => void): void {
    void this.caughtUp(done);
  }

  /** Runs `query` once all due documents are public, and returns its result. */
  caughtUp<T>(query: () => T): T | Promise<Awaited<T>> {
    if (this.#now() < this.#nextAt) return query();
    return this.#tryToPublish().then(() => query()) as Promise<Awaited<T>>;
  }

  /** Must be called after a write that may have set a publication time. */
  async heed(): Promise<void> {
    await this.settled();
    await this.#tryToPublish();
    this.#database.hints?.send("publications");
  }

  #now(): number {
    return Date.now() + this.#leadMilliseconds;
  }

  /** A failure does not fail a request. The schedule tries again at once, and reports it. */
  #tryToPublish(): Promise<void> {
    return this.publishDue().catch(() => undefined);
  }

  async #publishAndSchedule(): Promise<void> {
    this.#askedAt = performance.now();
    try {
      let { next, now } = await this.#ask();
      if (next !== null && next <= now) {
        await this.#database.write((writer) => publishDue(writer, this.#database.dialect, now));
        ({ next, now } = await this.#ask());
      }
      this.#nextAt = next === null ? Infinity : Date.parse(next);
    } catch (error) {
      this.#nextAt = this.#now() + retryMilliseconds;
      throw error;
    }
  }

  async #ask(): Promise<{ next: string | null; now: string }> {
    const askedAt = Date.now();
    const answer = await findNextPublication(this.#database);
    this.#leadMilliseconds = Date.parse(answer.now) - askedAt;
    return answer;
  }
}

async function publishDue(writer: Writer, dialect: Dialect, now: string): Promise<void> {
  for (const { id, access, publish_at } of await lockDueDocuments(writer, dialect, now)) {
    await publish(writer, id);
    const changes = { access: [access, "public"] as const, publish_at: [publish_at, null] as const };
    await addHistory(writer, [{ documentId: id, userId: null, action: "published", changes }]);
  }
}
