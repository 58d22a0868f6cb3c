import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { DatabaseUnavailableError } from "../database-unavailable.ts";

const intervalMilliseconds = 1000;

/**
 * Notices that an open file was removed, replaced or hidden, for example because its volume is no longer mounted. An
 * open SQLite database would go on answering from a file that nobody else has, and writes to it would be lost.
 */
export class FilePresence {
  readonly #file: string;
  readonly #identity: string;
  readonly #timer: NodeJS.Timeout;
  #isThere = true;

  /** The file must exist. */
  constructor(file: string) {
    this.#file = file;
    this.#identity = identityOf(statSync(file, { bigint: true }));
    this.#timer = setInterval(() => void this.#look(), intervalMilliseconds).unref();
  }

  /** @throws {DatabaseUnavailableError} if the file was not there about a second ago. */
  check(): void {
    if (this.#isThere) return;
    throw new DatabaseUnavailableError("The database's file is gone, or another one is in its place", {
      cause: undefined,
      mayComeBack: true,
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      this.#isThere = identityOf(await stat(this.#file, { bigint: true })) === this.#identity;
    } catch {
      this.#isThere = false;
    }
  }
}

function identityOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev} ${ino}`;
}
