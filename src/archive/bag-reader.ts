import { createReadStream } from "node:fs";
import { lstat, opendir, readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { forEachConcurrently } from "../concurrently.ts";
import { bytesOfFile } from "../files/file-bytes.ts";
import { hashesOf } from "../files/hashed-bytes.ts";
import { unlessAbsent } from "../files/unless-absent.ts";
import {
  dataName,
  declarationName,
  infoName,
  manifestName,
  readManifestLine,
  tagManifestName,
  unfinishedName,
} from "./bag.ts";

/** The folder is not a bag, or not a complete one. */
export class NoBagError extends Error {
  override readonly name = "NoBagError";
}

/** The algorithms whose manifests are read, the preferred one first. */
const algorithms = ["sha512", "sha256"] as const;
type Algorithm = (typeof algorithms)[number];

const filesAtOnce = 16;

/** A finished bag in a folder. */
export class Bag {
  readonly #folder: string;
  readonly #algorithm: Algorithm;
  /** The values of bag-info.txt, by label. */
  readonly info: ReadonlyMap<string, string>;

  private constructor(folder: string, algorithm: Algorithm, info: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#algorithm = algorithm;
    this.info = info;
  }

  /** @throws {NoBagError} */
  static async open(folder: string): Promise<Bag> {
    const read = (name: string): Promise<string | null> => readSmall(path.join(folder, name));
    if ((await unlessAbsent(lstat(path.join(folder, unfinishedName)))) !== null) {
      throw new NoBagError(`${folder}: the export of this archive has not finished. Run it again`);
    }
    const declared = await read(declarationName);
    if (declared === null) throw new NoBagError(`${folder} is no archive: it has no ${declarationName}`);
    if (!/^BagIt-Version: (0\.9\d|1\.0)\r?\nTag-File-Character-Encoding: UTF-8\s*$/.test(declared)) {
      throw new NoBagError(
        `${folder}: ${declarationName} has another version or encoding than BagIt 1.0 and UTF-8`,
      );
    }
    if ((await read("fetch.txt")) !== null) {
      throw new NoBagError(`${folder}: some of its files are elsewhere (fetch.txt). Complete the bag first`);
    }
    const data = await unlessAbsent(lstat(path.join(folder, dataName)));
    if (data?.isDirectory() !== true) throw new NoBagError(`${folder}: ${dataName} is missing, or no folder`);
    for (const algorithm of algorithms) {
      const found = await unlessAbsent(lstat(path.join(folder, manifestName(algorithm))));
      if (found !== null) return new Bag(folder, algorithm, infoIn((await read(infoName)) ?? ""));
    }
    throw new NoBagError(`${folder} has no ${manifestName("sha256")}`);
  }

  /** The number of files of its content according to bag-info.txt; null if bag-info.txt does not say. */
  get files(): number | null {
    return this.#oxum?.files ?? null;
  }

  get #oxum(): { bytes: number; files: number } | null {
    const [, bytes, files] = /^(\d+)\.(\d+)$/.exec(this.info.get("Payload-Oxum") ?? "") ?? [];
    return bytes === undefined ? null : { bytes: Number(bytes), files: Number(files) };
  }

  /** The path of a file below `data/`. */
  path(file: string): string {
    return path.join(this.#folder, dataName, file);
  }

  /**
   * Reads the whole bag and compares it with its checksums and counts. Yields a sentence for each difference. A large
   * bag needs no more memory than a small one, as long as nothing differs.
   */
  async *verify(signal: AbortSignal, progress: (files: number) => void): AsyncGenerator<string> {
    let listed = 0;
    for (const name of [manifestName(this.#algorithm), tagManifestName(this.#algorithm)]) {
      const isOfTags = name !== manifestName(this.#algorithm);
      const faults: string[] = [];
      await forEachConcurrently(this.#lines(name), filesAtOnce, async (line) => {
        signal.throwIfAborted();
        const fault = await this.#faultOf(line, isOfTags, signal);
        if (fault !== null) faults.push(fault);
        if (!isOfTags) progress((listed += 1));
      });
      yield* faults;
    }
    const found = { files: 0, bytes: 0 };
    for await (const { file, size } of this.#contents(dataName)) {
      signal.throwIfAborted();
      if (size === null) yield `${file} is no file`;
      found.files += 1;
      found.bytes += size ?? 0;
    }
    const oxum = this.#oxum;
    if (found.files !== listed) yield* this.#unlisted();
    else if (oxum !== null && (oxum.files !== found.files || oxum.bytes !== found.bytes)) {
      yield `${dataName} has ${found.files} files of ${found.bytes} bytes, not ${oxum.files} of ${oxum.bytes}`;
    }
  }

  async *#unlisted(): AsyncGenerator<string> {
    const listed = new Set<string>();
    for await (const line of this.#lines(manifestName(this.#algorithm))) {
      const name = readManifestLine(line)?.path ?? "";
      if (listed.has(name)) yield `${name} is listed twice`;
      listed.add(name);
    }
    for await (const { file } of this.#contents(dataName))
      if (!listed.has(file)) yield `${file} is in no manifest`;
  }

  async *#lines(name: string): AsyncGenerator<string> {
    const file = path.join(this.#folder, name);
    if ((await unlessAbsent(lstat(file))) === null) return;
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
      if (line !== "") yield line;
  }

  async #faultOf(line: string, isOfTags: boolean, signal: AbortSignal): Promise<string | null> {
    const read = readManifestLine(line);
    if (read === null) return `a line of a manifest cannot be read: ${line}`;
    const { hash, path: name } = read;
    const parts = name.split("/");
    const isInside =
      !parts.some((part) => part === ".." || part === "." || part === "") && !name.includes("\\");
    if (!isInside || (parts[0] === dataName) === isOfTags) return `${name} is not where it may be`;
    const file = path.join(this.#folder, ...parts);
    const found = await unlessAbsent(lstat(file));
    if (found === null) return `${name} is missing`;
    if (!found.isFile()) return `${name} is no file`;
    const { [this.#algorithm]: now } = await hashesOf(bytesOfFile(file, signal), this.#algorithm);
    return now === hash ? null : `${name}: its content has changed`;
  }

  /** Everything below a folder except folders; `size` is null for an entry that is not a regular file. */
  async *#contents(folder: string): AsyncGenerator<{ file: string; size: number | null }> {
    for await (const entry of await opendir(path.join(this.#folder, folder))) {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#contents(file);
      else if (entry.isFile()) yield { file, size: (await lstat(path.join(this.#folder, file))).size };
      else yield { file, size: null };
    }
  }
}

/** An archive may come from a stranger: larger descriptions are refused before they fill the memory. */
const maxTagBytes = 1024 * 1024;

/**
 * The text of a small file; null if the file does not exist.
 *
 * @throws {NoBagError} if it is not a file, or not small.
 */
async function readSmall(file: string): Promise<string | null> {
  const found = await unlessAbsent(lstat(file));
  if (found === null) return null;
  if (!found.isFile() || found.size > maxTagBytes) throw new NoBagError(`${file} is no file, or too long`);
  return readFile(file, "utf8");
}

/** A line that begins with a space continues the previous line. */
function infoIn(text: string): ReadonlyMap<string, string> {
  const lines = text.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const pairs = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line)).filter((match) => match !== null);
  return new Map(pairs.map(([, label = "", value = ""]) => [label, value]));
}
