import type { Logger } from "pino";
import type { Database } from "../../../database/database.ts";
import { reasonOf } from "../../../errors.ts";
import { type FoundApiToken, noteUse } from "./api-token-store.ts";

/**
 * Writes down when personal tokens were last used. No request waits for that, and none fails because it cannot be
 * written. A token that is noted already is not noted twice at the same time.
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
      this.#log.warn({ reason: reasonOf(error) }, "The use of a token was not written down");
    } finally {
      this.#underWay.delete(token.id);
    }
  }
}
