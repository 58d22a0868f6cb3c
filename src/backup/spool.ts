import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { namingFullFolder } from "../errors.ts";
import { makeWorkFolder } from "../work-folders.ts";

/**
 * Values in a temporary file, in the order in which they were added: their number does not matter to the memory. The
 * file loses its name at once, so that a killed process leaves nothing.
 */
export class Spool<T> implements AsyncDisposable {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create<T>(): Promise<Spool<T>> {
    await using folder = await makeWorkFolder("spool");
    return new Spool<T>(await open(folder.file("values"), "a+", 0o600));
  }

  /** The values must survive JSON. */
  async add(values: readonly T[]): Promise<void> {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    if (lines === "") return;
    try {
      await this.#handle.appendFile(lines);
    } catch (error) {
      throw namingFullFolder(error, tmpdir());
    }
  }

  async *read(): AsyncGenerator<T> {
    const input = createReadStream("", { fd: this.#handle, start: 0, autoClose: false });
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) yield JSON.parse(line) as T;
    } finally {
      input.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
