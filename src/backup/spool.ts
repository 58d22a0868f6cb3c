import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { namingFullFolder } from "../errors.ts";
import { makeWorkFolder } from "../work-folders.ts";

const chunkBytes = 256 * 1024;

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

  /** May be called again, also before an earlier reading has come to its end. */
  async *read(): AsyncGenerator<T> {
    // A stream of Node's would close the file at its end.
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let begun = Buffer.alloc(0);
    for (let position = 0; ;) {
      const { bytesRead } = await this.#handle.read(chunk, { position });
      if (bytesRead === 0) return;
      position += bytesRead;
      const bytes = Buffer.concat([begun, chunk.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf("\n") + 1;
      begun = bytes.subarray(end);
      for (const line of bytes.toString("utf8", 0, end).split("\n").slice(0, -1)) yield JSON.parse(line) as T;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
