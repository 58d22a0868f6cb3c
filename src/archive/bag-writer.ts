import { createHash, hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  opendir,
  readFile,
  readdir,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { hashed } from "../files/hashed-bytes.ts";
import { unlessAbsent } from "../files/unless-absent.ts";
import {
  dataName,
  declaration,
  declarationName,
  infoName,
  manifestLine,
  manifestName,
  tagManifestName,
  unfinishedName,
} from "./bag.ts";

/** A file of a bag's content. `path` is relative to `data/`. */
export interface BagFile {
  path: string;
  sha256: string;
  /** In bytes. */
  size: number;
}

/** A bag that cannot be written to the folder. */
export class BagRefusedError extends Error {
  override readonly name = "BagRefusedError";
}

/** The file that says what the folder is to become. It exists only in {@link unfinishedName}. */
const purposeName = "purpose.txt";

/** Writes a bag into a folder. Until {@link BagWriter.finish} has resolved, no program takes the folder for a bag. */
export class BagWriter {
  readonly #folder: string;
  /** Whether an earlier run was interrupted, or this one has started again. */
  isResumed: boolean;
  #manifest: FileHandle | null = null;
  #manifestHash = createHash("sha256");
  #files = 0;
  #bytes = 0;

  private constructor(folder: string, isResumed: boolean) {
    this.#folder = folder;
    this.isResumed = isResumed;
  }

  /**
   * Opens an empty folder, or one that has an unfinished bag for the same purpose.
   *
   * @throws {BagRefusedError}
   */
  static async open(folder: string, purpose: string): Promise<BagWriter> {
    // Private, because the bag also contains content that is not public.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await readdir(folder);
    const isBegun = names.includes(unfinishedName);
    const isResumed = isBegun && names.length > 1;
    if (!isBegun && names.includes(declarationName)) {
      throw new BagRefusedError(`${folder} has a finished archive already: name another folder`);
    }
    if (!isBegun && names.length > 0) {
      throw new BagRefusedError(`${folder} is not empty: name an empty or a new folder`);
    }
    const purposeFile = path.join(folder, unfinishedName, purposeName);
    if (isResumed) {
      const before = await readFile(purposeFile, "utf8");
      if (before !== purpose) {
        throw new BagRefusedError(
          `${folder} has an unfinished archive of ${before}: finish that one, or name another folder`,
        );
      }
      await rm(path.join(folder, declarationName), { force: true });
    }
    await mkdir(path.join(folder, unfinishedName), { recursive: true });
    await writeFile(purposeFile, purpose);
    await mkdir(path.join(folder, dataName), { recursive: true });
    return new BagWriter(folder, isResumed);
  }

  /** Starts the list of files, and discards an existing one. */
  async begin(): Promise<void> {
    await this.#manifest?.close();
    this.isResumed ||= this.#manifest !== null;
    this.#manifest = await open(path.join(this.#folder, manifestName("sha256")), "w");
    this.#manifestHash = createHash("sha256");
    this.#files = 0;
    this.#bytes = 0;
  }

  /** Writes a file. It is part of the bag once {@link BagWriter.add} has its hash. */
  async write(file: string, content: string | AsyncIterable<string | Uint8Array>): Promise<BagFile> {
    const target = path.join(this.#folder, dataName, file);
    if (typeof content === "string") {
      await writeFile(target, content);
      return { path: file, sha256: hash("sha256", content), size: Buffer.byteLength(content) };
    }
    const bytes = hashed(buffersOf(content), "sha256");
    await writeBytes(target, bytes[Symbol.asyncIterator]());
    return { path: file, sha256: bytes.hash("sha256"), size: bytes.size };
  }

  /** Adds existing files of the folder to the list. */
  async add(files: readonly BagFile[]): Promise<void> {
    const lines = files.map((file) => manifestLine(file.sha256, `${dataName}/${file.path}`)).join("");
    this.#manifestHash.update(lines);
    this.#files += files.length;
    this.#bytes += files.reduce((sum, { size }) => sum + size, 0);
    await this.#manifest?.write(lines);
  }

  /** Makes a folder below `data/`. */
  async makeFolder(folder: string): Promise<void> {
    await mkdir(path.join(this.#folder, dataName, folder), { recursive: true });
  }

  /** The names in a folder below `data/`. */
  async *names(folder: string): AsyncGenerator<string> {
    for await (const { name } of await opendir(path.join(this.#folder, dataName, folder))) yield name;
  }

  /** The size of a file below `data/`; null if there is none. */
  async size(file: string): Promise<number | null> {
    const found = await unlessAbsent(stat(path.join(this.#folder, dataName, file)));
    return found?.size ?? null;
  }

  /** Removes a file or a folder below `data/`. */
  async remove(name: string): Promise<void> {
    await rm(path.join(this.#folder, dataName, name), { recursive: true, force: true });
  }

  /** Stores a text under a name until the bag is finished, for a run that continues an interrupted one. */
  async keepNote(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.#folder, unfinishedName, name), text);
  }

  /**
   * The JSON text that {@link BagWriter.keepNote} has stored, parsed. Null if nothing is stored, or only a part of it.
   */
  async findNote(name: string): Promise<unknown> {
    const text = await unlessAbsent(readFile(path.join(this.#folder, unfinishedName, name), "utf8"));
    try {
      return text === null ? null : JSON.parse(text);
    } catch {
      // A process that was killed has left an incomplete text.
      return null;
    }
  }

  /** Makes the folder a bag. Returns the number of files and bytes of its content. */
  async finish(
    info: readonly (readonly [label: string, value: string])[],
  ): Promise<{ files: number; bytes: number }> {
    const [files, bytes] = [this.#files, this.#bytes];
    await this.#manifest?.sync();
    await this.#manifest?.close();
    this.#manifest = null;
    const lines = [...info, ["Payload-Oxum", `${bytes}.${files}`] as const];
    const infoText = lines.map(([label, value]) => `${label}: ${value}\n`).join("");
    await this.#writeTag(infoName, infoText);
    const tags = [
      manifestLine(hash("sha256", infoText), infoName),
      manifestLine(hash("sha256", declaration), declarationName),
      manifestLine(this.#manifestHash.digest("hex"), manifestName("sha256")),
    ];
    await this.#writeTag(tagManifestName("sha256"), tags.join(""));
    await this.#writeTag(declarationName, declaration);
    await rm(path.join(this.#folder, unfinishedName), { recursive: true });
    return { files, bytes };
  }

  async close(): Promise<void> {
    await this.#manifest?.close();
  }

  async #writeTag(name: string, text: string): Promise<void> {
    const handle = await open(path.join(this.#folder, name), "w");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** Larger files are written as a stream. */
const maxHeldBytes = 256 * 1024;

async function writeBytes(target: string, bytes: AsyncGenerator<Uint8Array>): Promise<void> {
  const held: Uint8Array[] = [];
  for (let size = 0; size <= maxHeldBytes;) {
    const next = await bytes.next();
    if (next.done === true) return writeFile(target, Buffer.concat(held));
    held.push(next.value);
    size += next.value.length;
  }
  const all = async function* all(): AsyncGenerator<Uint8Array> {
    yield* held;
    yield* bytes;
  };
  await pipeline(all(), createWriteStream(target));
}

async function* buffersOf(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of content)
    yield typeof chunk === "string"
      ? Buffer.from(chunk)
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
}
