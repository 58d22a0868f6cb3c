import type { Logger } from "pino";
import type { Database, Writer } from "../../../database/database.ts";
import { logUnlessAway } from "../../../database/database-unavailable.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import { findNextPublication, lockDueDocuments, publish } from "./change-store.ts";
import { addHistory } from "../history-store.ts";

const lookAgainMilliseconds = 250;

/**
 * Makes documents public when their time has come: before the first request that comes after it is answered, so that
 * nobody is told otherwise, and without any request soon after. What another process has set is heard of within a
 * quarter of a second; what should have happened while nothing ran happens at the start.
 */
export class Publisher {
  readonly #database: Database;
  readonly #log: Logger;
  /** As far as is known here, nothing is to be published before this moment, in milliseconds. */
  #nextAt = 0;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#run(), lookAgainMilliseconds).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  /** Calls back once all is public that has to be by now: at once, as nearly always. */
  catchUp(done: () => void): void {
    void this.caughtUp(done);
  }

  /** What `ask` gives once all is public that has to be by now. */
  caughtUp<T>(ask: () => T): T | Promise<Awaited<T>> {
    if (Date.now() < this.#nextAt) return ask();
    return this.#run().then(() => ask()) as Promise<Awaited<T>>;
  }

  /** To be called after a write that may have brought a time to publish. */
  async heed(): Promise<void> {
    await this.#running;
    await this.#run();
  }

  #run(): Promise<void> {
    this.#running ??= this.#publishAndLook().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #publishAndLook(): Promise<void> {
    try {
      let next = await findNextPublication(this.#database);
      if (next !== null && next <= timestampNow()) {
        await this.#database.write((writer) => publishDue(writer, this.#database.dialect));
        next = await findNextPublication(this.#database);
      }
      this.#nextAt = next === null ? Infinity : Date.parse(next);
    } catch (error) {
      logUnlessAway(this.#log, error, "Documents could not be published at their time");
      this.#nextAt = Date.now() + lookAgainMilliseconds;
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
