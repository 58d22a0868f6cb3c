import { createHash, randomUUID } from "node:crypto";
import { type BigIntStats, createReadStream } from "node:fs";
import { access, constants, mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { isUntouchedFor, removeAbandoned } from "./abandoned.ts";
import type { BorrowedFile, ByteRange, FileSource, FileStat, FileStore } from "./file-store.ts";
import { namesInKey } from "./keys.ts";
import { unlessAbsent } from "./unless-absent.ts";

/*
 * Files in a folder. A file is written aside, in `.incoming` of the same folder and so of the same file system, then
 * synced, then renamed to its place, and then the folders above it are synced: after a crash at any point each place
 * holds a whole file, and what was not finished lies in `.incoming`. No list of files is kept anywhere else that could
 * disagree with the folder.
 *
 * Several processes may use one folder, a server and an import, say. Hence opening it clears `.incoming` only of what
 * nobody has written to for an hour: it may be another process's file that is just arriving.
 */

const incoming = ".incoming";
const abandonedAfterSeconds = 3600;

/** A name may have 255 bytes on the file systems there are; a slug alone may have as many. */
const maxNameLength = 200;

export class LocalFileStore implements FileStore {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the store in this folder, which is made if need be. */
  static async open(folder: string): Promise<LocalFileStore> {
    const absolute = path.resolve(folder);
    await mkdir(path.join(absolute, incoming), { recursive: true });
    await removeAbandoned(path.join(absolute, incoming), (place) =>
      isUntouchedFor(place, abandonedAfterSeconds),
    );
    return new LocalFileStore(absolute);
  }

  async put(key: string, source: FileSource): Promise<void> {
    const place = this.#placeOf(key);
    const aside = path.join(this.#folder, incoming, randomUUID());
    try {
      await writeSynced(aside, source);
      await mkdir(path.dirname(place), { recursive: true });
      await rename(aside, place);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    await this.#syncFoldersAbove(place);
  }

  async stat(key: string): Promise<FileStat | null> {
    const found = await unlessAbsent(stat(this.#placeOf(key), { bigint: true }));
    if (found?.isFile() !== true) return null;
    return { size: Number(found.size), modifiedAt: found.mtime, version: versionOf(found) };
  }

  async read(key: string, range?: ByteRange, version?: string): Promise<Readable | null> {
    if ((await this.stat(key)) === null) return null;
    const handle = await unlessAbsent(open(this.#placeOf(key)));
    if (handle === null) return null;
    try {
      const isWanted = version === undefined || versionOf(await handle.stat({ bigint: true })) === version;
      if (isWanted) return handle.createReadStream(range);
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return null;
  }

  /** Folders stay, even empty: another `put` may be about to rename its file into one. */
  async delete(key: string): Promise<void> {
    if ((await this.stat(key)) === null) return;
    const place = this.#placeOf(key);
    await rm(place, { force: true });
    await this.#syncFoldersAbove(place);
  }

  /** It lends the file itself. */
  async borrow(key: string): Promise<BorrowedFile | null> {
    const found = await this.stat(key);
    if (found === null) return null;
    return { path: this.#placeOf(key), version: found.version, async [Symbol.asyncDispose]() {} };
  }

  async signedAddress(key: string): Promise<null> {
    namesInKey(key);
    return null;
  }

  async deleteFolder(key: string): Promise<void> {
    const place = this.#placeOf(key);
    const found = await unlessAbsent(stat(place));
    if (found?.isDirectory() !== true) return;
    await rm(place, { recursive: true, force: true });
    await this.#syncFoldersAbove(place);
  }

  async *folders(key: string): AsyncGenerator<string> {
    const entries = await unlessAbsent(opendir(this.#placeOf(key)));
    for await (const entry of entries ?? []) if (entry.isDirectory()) yield entry.name;
  }

  /** Folders count as well: one without a file may be there for one that is about to come. */
  async changedAt(key: string): Promise<Date | null> {
    const place = this.#placeOf(key);
    const names = await unlessAbsent(readdir(place, { recursive: true }));
    let latest: Date | null = null;
    for (const name of names === null ? [] : ["", ...names]) {
      const { mtime } = (await unlessAbsent(stat(path.join(place, name)))) ?? {};
      if (mtime !== undefined && (latest === null || mtime > latest)) latest = mtime;
    }
    return latest;
  }

  async ping(): Promise<void> {
    await access(path.join(this.#folder, incoming), constants.R_OK | constants.W_OK);
  }

  /** Nothing stays open between two calls. */
  async close(): Promise<void> {}

  #placeOf(key: string): string {
    return path.join(this.#folder, ...namesInKey(key).map(nameOnDisk));
  }

  /** A folder that was just made is itself an entry in the one above, up to the store's own. */
  async #syncFoldersAbove(place: string): Promise<void> {
    let folder = place;
    while (folder !== this.#folder) {
      folder = path.dirname(folder);
      await syncFolder(folder);
    }
  }
}

function versionOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ino}`;
}

/** A `~` is in no key, so a shortened name is nobody else's. */
function nameOnDisk(name: string): string {
  if (name.length <= maxNameLength) return name;
  return `${name.slice(0, 100)}~${createHash("sha256").update(name).digest("hex")}`;
}

async function writeSynced(file: string, source: FileSource): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(typeof source === "string" ? createReadStream(source) : source);
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
