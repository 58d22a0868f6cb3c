import { open, type Entry, type ZipFile } from "yauzl";
import { UnreadableFileError } from "../unreadable-file.ts";

const maxEntries = 20_000;
const maxInflatedMb = 512;
/** XML shrinks to a tenth, in rare tables to a fiftieth. A file with a higher ratio was crafted as a ZIP bomb. */
const maxRatio = 250;
const smallEnough = 4 * 1024 * 1024;

/** The files inside a ZIP file, inflated as streams within limits. Close it after use. */
export class ZipEntries {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #inflated = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(path: string): Promise<ZipEntries> {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      open(path, { lazyEntries: true, autoClose: false }, (error, opened) => {
        if (error) reject(error);
        else resolve(opened);
      });
    });
    const entries = new Map<string, Entry>();
    let count = 0;
    await new Promise<void>((resolve, reject) => {
      zip.on("error", reject);
      zip.on("end", resolve);
      zip.on("entry", (entry) => {
        count += 1;
        if (count > maxEntries) return reject(tooLarge(`it holds more than ${maxEntries} files`));
        entries.set(entry.fileName, entry);
        zip.readEntry();
      });
      zip.readEntry();
    });
    return new ZipEntries(zip, entries);
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new UnreadableFileError("broken", `broken: it has no ${name}`);
    if (entry.isEncrypted()) throw new UnreadableFileError("encrypted", "encrypted: it needs a password");
    const stream = await this.#zip.openReadStreamPromise(entry);
    let length = 0;
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      this.#inflated += chunk.length;
      if (length > smallEnough && length > entry.compressedSize * maxRatio) {
        throw tooLarge(`${name} in it is more than ${maxRatio} times as large as its packed form`);
      }
      if (this.#inflated > maxInflatedMb * 1024 * 1024) {
        throw tooLarge(`what is in it is larger than ${maxInflatedMb} MB`);
      }
      yield chunk;
    }
  }

  close(): void {
    this.#zip.close();
  }
}

const tooLarge = (reason: string): UnreadableFileError =>
  new UnreadableFileError("too-large", `too large when unpacked: ${reason}`);
