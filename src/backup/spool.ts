import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** Values in a temporary file, in the order in which they were added: their number does not matter to the memory. */
export class Spool<T> implements AsyncDisposable {
  readonly #folder: string;
  readonly #handle: FileHandle;

  private constructor(folder: string, handle: FileHandle) {
    this.#folder = folder;
    this.#handle = handle;
  }

  static async create<T>(): Promise<Spool<T>> {
    const folder = await mkdtemp(path.join(tmpdir(), "quire-spool-"));
    return new Spool<T>(folder, await open(path.join(folder, "values"), "a", 0o600));
  }

  /** The values must survive JSON. */
  async add(values: readonly T[]): Promise<void> {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    if (lines !== "") await this.#handle.appendFile(lines);
  }

  async *read(): AsyncGenerator<T> {
    const input = createReadStream(path.join(this.#folder, "values"));
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) yield JSON.parse(line) as T;
    } finally {
      input.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
