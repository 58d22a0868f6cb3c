import { randomBytes } from "node:crypto";

/** Numbers the requests of a process, with a prefix that distinguishes the processes. */
export class RequestIds {
  readonly #prefix = randomBytes(4).toString("hex");
  #count = 0;

  next(): string {
    return `${this.#prefix}-${(++this.#count).toString(36)}`;
  }
}
