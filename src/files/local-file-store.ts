import { createHash, randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { namingFullFolder } from "../errors.ts";
import { isUntouchedFor, removeAbandoned } from "./abandoned.ts";
import { bytesOfFile } from "./file-bytes.ts";
import type { BorrowedFile, ByteRange, FileSource, FileStat, FileStore, ListedFile } from "./file-store.ts";
import { namesInKey } from "./keys.ts";
import { makeFolder } from "./make-folder.ts";
import { unlessAbsent } from "./unless-absent.ts";

/*
 * Files in a folder. A file is first written to `.incoming` in the same folder, and so on the same file system, then
 * synced, then renamed to its path, and then its parent folders are synced: after a crash at any point each path
 * holds a complete file, and unfinished files are in `.incoming`. There is no index of the files that could disagree
 * with the folder.
 *
 * Several processes may use one folder, for example a server and an import. So opening the store removes from
 * `.incoming` only files that were not written to for an hour: newer ones may be arriving in another process.
 */

const incoming = ".incoming";
const abandonedAfterSeconds = 3600;

/** File systems limit a name to 255 bytes; a slug alone may have as many. */
const maxNameLength = 200;

export class LocalFileStore implements FileStore {
  readonly #folder: string;
  readonly #syncs = new FolderSyncs();
  /** The folders directly in the store's own whose entries have been synced. */
  readonly #synced = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the store in this folder, and creates the folder if necessary, but not the one that it is in. */
  static async open(folder: string): Promise<LocalFileStore> {
    const absolute = path.resolve(folder);
    await makeFolder(absolute);
    await makeFolder(path.join(absolute, incoming));
    await removeAbandoned(path.join(absolute, incoming), (file) =>
      isUntouchedFor(file, abandonedAfterSeconds),
    );
    return new LocalFileStore(absolute);
  }

  async put(key: string, source: FileSource, { isRemakeable = false } = {}): Promise<void> {
    const file = this.#pathOf(key);
    const temporary = path.join(this.#folder, incoming, randomUUID());
    try {
      await writeSynced(temporary, source);
      await mkdir(path.dirname(file), { recursive: true });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw namingFullFolder(error, this.#folder);
    }
    if (!isRemakeable) await this.#syncFoldersAbove(file);
  }

  async stat(key: string): Promise<FileStat | null> {
    const found = await unlessAbsent(stat(this.#pathOf(key), { bigint: true }));
    if (found?.isFile() !== true) return null;
    return { size: Number(found.size), modifiedAt: found.mtime, version: versionOf(found) };
  }

  async read(key: string, range?: ByteRange, version?: string): Promise<Readable | null> {
    if ((await this.stat(key)) === null) return null;
    const handle = await unlessAbsent(open(this.#pathOf(key)));
    if (handle === null) return null;
    try {
      const hasVersion = version === undefined || versionOf(await handle.stat({ bigint: true })) === version;
      if (hasVersion) return handle.createReadStream(range);
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return null;
  }

  /** Keeps even empty folders: another `put` may be about to rename its file into one. */
  async delete(key: string): Promise<void> {
    if ((await this.stat(key)) === null) return;
    const file = this.#pathOf(key);
    await rm(file, { force: true });
    await this.#syncFoldersAbove(file);
  }

  /** Lends the file itself. */
  async borrow(key: string): Promise<BorrowedFile | null> {
    const found = await this.stat(key);
    if (found === null) return null;
    return { path: this.#pathOf(key), version: found.version, async [Symbol.asyncDispose]() {} };
  }

  async signedAddress(key: string): Promise<null> {
    namesInKey(key);
    return null;
  }

  async deleteFolder(key: string): Promise<void> {
    const folder = this.#pathOf(key);
    const found = await unlessAbsent(stat(folder));
    if (found?.isDirectory() !== true) return;
    await rm(folder, { recursive: true, force: true });
    await this.#syncFoldersAbove(folder);
  }

  async *folders(key: string): AsyncGenerator<string> {
    const entries = await unlessAbsent(opendir(this.#pathOf(key)));
    for await (const entry of entries ?? []) if (entry.isDirectory()) yield entry.name;
  }

  async *names(key: string): AsyncGenerator<string> {
    const entries = await unlessAbsent(opendir(this.#pathOf(key)));
    for await (const entry of entries ?? [])
      if (entry.isFile() && !entry.name.includes("~")) yield entry.name;
  }

  async *list(key: string): AsyncGenerator<ListedFile> {
    const folder = this.#pathOf(key);
    for await (const entry of (await unlessAbsent(opendir(folder))) ?? []) {
      const below = `${key}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".")) yield* this.list(below);
      if (!entry.isFile() || entry.name.includes("~")) continue;
      const found = await unlessAbsent(stat(path.join(folder, entry.name), { bigint: true }));
      if (found !== null) yield { key: below, size: Number(found.size), modifiedAt: found.mtime };
    }
  }

  /** A file system finds a file by its path in some microseconds. */
  listInOrder(key: string): null {
    namesInKey(key);
    return null;
  }

  /** Folders count too: one without a file may belong to a `put` in progress. */
  async changedAt(key: string): Promise<Date | null> {
    const folder = this.#pathOf(key);
    const names = await unlessAbsent(readdir(folder, { recursive: true }));
    let latest: Date | null = null;
    for (const name of names === null ? [] : ["", ...names]) {
      const { mtime } = (await unlessAbsent(stat(path.join(folder, name)))) ?? {};
      if (mtime !== undefined && (latest === null || mtime > latest)) latest = mtime;
    }
    return latest;
  }

  async ping(): Promise<void> {
    await access(path.join(this.#folder, incoming), constants.R_OK | constants.W_OK);
  }

  /** Nothing stays open between calls. */
  async close(): Promise<void> {}

  #pathOf(key: string): string {
    return path.join(this.#folder, ...namesInKey(key).map(nameOnDisk));
  }

  /**
   * A new folder is an entry in its parent, so all folders up to the store's own are synced. The folders in the store's
   * own are never removed, so their entries are synced once.
   */
  async #syncFoldersAbove(file: string): Promise<void> {
    const folders: string[] = [];
    for (let folder = path.dirname(file); folder !== this.#folder; folder = path.dirname(folder))
      folders.push(folder);
    const first = folders.at(-1) ?? file;
    const isKnown = this.#synced.has(first);
    await Promise.all([...folders, ...(isKnown ? [] : [this.#folder])].map((one) => this.#syncs.sync(one)));
    if (first !== file) this.#synced.add(first);
  }
}

/** Syncs folders. Callers that wait for the same folder share one sync, which begins after all of them have called. */
class FolderSyncs {
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #running = new Map<string, Promise<unknown>>();

  sync(folder: string): Promise<void> {
    const known = this.#waiting.get(folder);
    if (known !== undefined) return known;
    const syncing = this.#syncAfterRunning(folder);
    this.#waiting.set(folder, syncing);
    return syncing;
  }

  async #syncAfterRunning(folder: string): Promise<void> {
    await this.#running.get(folder);
    this.#waiting.delete(folder);
    const syncing = syncFolder(folder);
    const settled = syncing.catch(() => undefined);
    this.#running.set(folder, settled);
    try {
      await syncing;
    } finally {
      if (this.#running.get(folder) === settled) this.#running.delete(folder);
    }
  }
}

function versionOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ino}`;
}

/** No key contains `~`, so a shortened name cannot collide. */
function nameOnDisk(name: string): string {
  if (name.length <= maxNameLength) return name;
  return `${name.slice(0, 100)}~${createHash("sha256").update(name).digest("hex")}`;
}

async function writeSynced(file: string, source: FileSource): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(typeof source === "string" ? bytesOfFile(source) : source);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
