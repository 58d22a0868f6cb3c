import type { Logger } from "pino";
import type { Database, Writer } from "../../../database/database.ts";
import { logUnlessAway } from "../../../database/database-unavailable.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import { findNextPublication, lockDueDocuments, publish } from "./change-store.ts";
import { addHistory } from "../history-store.ts";

const pollMilliseconds = 250;

/**
 * Publishes documents at their time. Publication happens before the first request after that time is answered, so that
 * no response is out of date, and happens soon even without a request. Times set by other processes are noticed within
 * a quarter of a second. Documents that fell due while no server ran are published at the start.
 */
export class Publisher {
  readonly #database: Database;
  readonly #log: Logger;
  /** As far as this process knows, nothing is due before this time, in milliseconds. */
  #nextAt = 0;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#run(), pollMilliseconds).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  /** Calls `done` once all due documents are public. That is nearly always at once. */
  catchUp(done: () => void): void {
    void this.caughtUp(done);
  }

  /** Runs `query` once all due documents are public, and returns its result. */
  caughtUp<T>(query: () => T): T | Promise<Awaited<T>> {
    if (Date.now() < this.#nextAt) return query();
    return this.#run().then(() => query()) as Promise<Awaited<T>>;
  }

  /** Must be called after a write that may have set a publication time. */
  async heed(): Promise<void> {
    await this.#running;
    await this.#run();
  }

  #run(): Promise<void> {
    this.#running ??= this.#publishAndSchedule().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #publishAndSchedule(): Promise<void> {
    try {
      let next = await findNextPublication(this.#database);
      if (next !== null && next <= timestampNow()) {
        await this.#database.write((writer) => publishDue(writer, this.#database.dialect));
        next = await findNextPublication(this.#database);
      }
      this.#nextAt = next === null ? Infinity : Date.parse(next);
    } catch (error) {
      logUnlessAway(this.#log, error, "Documents could not be published at their time");
      this.#nextAt = Date.now() + pollMilliseconds;
    }
  }
}

async function publishDue(writer: Writer, dialect: Dialect): Promise<void> {
  for (const { id, access, publish_at } of await lockDueDocuments(writer, dialect, timestampNow())) {
    await publish(writer, id);
    const changes = { access: [access, "public"] as const, publish_at: [publish_at, null] as const };
    await addHistory(writer, [{ documentId: id, userId: null, action: "published", changes }]);
  }
}
