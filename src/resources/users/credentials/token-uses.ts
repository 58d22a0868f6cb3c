import type { Logger } from "pino";
import type { Database } from "../../../database/database.ts";
import { reasonOf } from "../../../errors.ts";
import { type FoundConnection, noteConnectionUse } from "../assistants/connection-store.ts";
import { type FoundApiToken, noteUse } from "./api-token-store.ts";
import { type FoundSession, noteSessionUse } from "./session-store.ts";

/**
 * Records when personal tokens, connected assistants and sessions were last used. No request waits for the write, or
 * fails because of it. For each of them, only one write is under way at a time.
 */
export class TokenUses {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #underWay = new Map<number | string, Promise<void>>();

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  note(token: FoundApiToken): void {
    this.#note(token.id, () => noteUse(this.#database, token));
  }

  noteSession(session: FoundSession): void {
    this.#note(session.digest, () => noteSessionUse(this.#database, session));
  }

  noteConnection(connection: FoundConnection): void {
    this.#note(`assistant ${connection.id}`, () => noteConnectionUse(this.#database, connection));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  #note(key: number | string, write: () => Promise<void>): void {
    if (!this.#underWay.has(key)) this.#underWay.set(key, this.#write(key, write));
  }

  async #write(key: number | string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#log.warn({ reason: reasonOf(error) }, "The use of a token or session could not be recorded");
    } finally {
      this.#underWay.delete(key);
    }
  }
}
