import type { Logger } from "pino";
import type { Database } from "../../../database/database.ts";
import { reasonOf } from "../../../errors.ts";
import { type FoundApiToken, noteUse } from "./api-token-store.ts";

/**
 * Records when personal tokens were last used. No request waits for the write or fails because of it. For each token,
 * only one write is under way at a time.
 */
export class TokenUses {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #underWay = new Map<number, Promise<void>>();

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  note(token: FoundApiToken): void {
    if (this.#underWay.has(token.id)) return;
    this.#underWay.set(token.id, this.#write(token));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  async #write(token: FoundApiToken): Promise<void> {
    try {
      await noteUse(this.#database, token);
    } catch (error) {
      this.#log.warn({ reason: reasonOf(error) }, "The use of a token could not be recorded");
    } finally {
      this.#underWay.delete(token.id);
    }
  }
}
