import { hash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { namingFullFolder } from "../errors.ts";
import { isRunning } from "../running-processes.ts";
import { isUntouchedFor, removeAbandoned } from "./abandoned.ts";
import type { BorrowedFile } from "./file-store.ts";
import { makeFolder } from "./make-folder.ts";
import { unlessAbsent } from "./unless-absent.ts";

/*
 * Local copies of files in a remote store, for tools that need a path. A copy is fetched once for all simultaneous
 * borrowers, and stays until its space is needed for another: the least recently used copies are removed first, but
 * none while it is lent.
 *
 * The copies are in a folder of this process, which is named after it. If a process has died, the next one to start
 * on the same machine removes its folder. It cannot see the processes of other machines, so their folders are removed
 * once nothing has happened there for a day.
 */

const abandonedAfterSeconds = 86_400;

interface Copy {
  path: string;
  /** In bytes. */
  size: number;
  lent: number;
  made: Promise<void>;
}

export interface Original {
  key: string;
  version: string;
  /** In bytes. */
  size: number;
}

export class LocalCopies {
  readonly #folder: string;
  readonly #limitBytes: number;
  /** Least recently used first. */
  readonly #copies = new Map<string, Copy>();
  #bytes = 0;
  /** Paths that could not be removed yet. */
  readonly #unremoved = new Set<string>();

  private constructor(folder: string, limitBytes: number) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
  }

  /** Lent copies do not count: the limit is for copies that are kept for later. */
  static async open(folder: string, limitBytes: number): Promise<LocalCopies> {
    const absolute = path.resolve(folder);
    await makeFolder(absolute);
    await removeAbandoned(absolute, isAbandoned);
    const own = path.join(absolute, `${thisProcess()}+${randomUUID()}`);
    await mkdir(own);
    return new LocalCopies(own, limitBytes);
  }

  /** Borrows the copy; `read` supplies its bytes if there is none yet. */
  async borrow(original: Original, read: () => Promise<Readable>): Promise<BorrowedFile> {
    const name = `${original.version} ${original.key}`;
    for (;;) {
      const known = this.#copies.get(name);
      const copy = known ?? this.#make(name, original.key, original.size, read);
      this.#copies.delete(name);
      this.#copies.set(name, copy);
      copy.lent += 1;
      const giveBack = once(async () => {
        copy.lent -= 1;
        await this.#makeRoom();
      });
      try {
        await copy.made;
        if (known === undefined || (await isThere(copy.path))) {
          return { path: copy.path, version: original.version, [Symbol.asyncDispose]: giveBack };
        }
      } catch (error) {
        this.#forget(name, copy);
        await giveBack();
        throw error;
      }
      // Something else has removed the file from the disk.
      this.#forget(name, copy);
      await giveBack();
    }
  }

  /**
   * Removes the copies of files that were replaced or deleted, even lent ones and those of other processes on this
   * machine: the file may have been replaced to get rid of its content.
   */
  async discard(keys: readonly string[]): Promise<void> {
    const all = path.dirname(this.#folder);
    const prefixes = new Set(keys.map(prefixOf));
    const isCopy = (name: string): boolean => prefixes.has(name.slice(0, name.indexOf("+") + 1));
    for (const [name, copy] of this.#copies) {
      if (!isCopy(path.basename(copy.path))) continue;
      this.#forget(name, copy);
      // A copy that is still being written would reappear.
      await copy.made.catch(() => undefined);
    }
    for (const folder of await namesIn(all)) {
      const names = (await namesIn(path.join(all, folder))).filter(isCopy);
      for (const name of names) await rm(path.join(all, folder, name), { force: true });
    }
  }

  async close(): Promise<void> {
    this.#copies.clear();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #make(name: string, key: string, size: number, read: () => Promise<Readable>): Copy {
    const file = path.join(this.#folder, `${prefixOf(key)}${randomUUID()}`);
    const made = this.#makeRoom(size).then(() => this.#write(file, size, read));
    const copy = { path: file, size, lent: 0, made };
    this.#bytes += size;
    this.#copies.set(name, copy);
    return copy;
  }

  async #write(target: string, size: number, read: () => Promise<Readable>): Promise<void> {
    try {
      await makeFolder(path.dirname(this.#folder));
      await makeFolder(this.#folder);
      const file = createWriteStream(target, { flags: "wx" });
      await pipeline(await read(), file);
      if (file.bytesWritten !== size) throw new Error(`${file.bytesWritten} bytes came instead of ${size}`);
    } catch (error) {
      await rm(target, { force: true });
      throw namingFullFolder(error, this.#folder);
    }
  }

  /** Retries failed removals the next time, since they must not fail the caller, who needs space or returns a copy. */
  async #makeRoom(forBytes = 0): Promise<void> {
    for (const [name, copy] of this.#copies) {
      if (this.#bytes + forBytes <= this.#limitBytes) break;
      if (copy.lent > 0) continue;
      this.#forget(name, copy);
      this.#unremoved.add(copy.path);
    }
    await Promise.all(
      [...this.#unremoved].map(async (file) => {
        try {
          await rm(file, { force: true });
          this.#unremoved.delete(file);
        } catch {
          // It stays in the set, to be retried.
        }
      }),
    );
  }

  #forget(name: string, copy: Copy): void {
    if (this.#copies.get(name) !== copy) return;
    this.#copies.delete(name);
    this.#bytes -= copy.size;
  }
}

/** The prefix of all copies of a file, whichever process made them. */
const prefixOf = (key: string): string => `${hash("sha1", key)}+`;

/** Empty if the folder does not exist. */
const namesIn = async (folder: string): Promise<string[]> => (await unlessAbsent(readdir(folder))) ?? [];

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  if (name.startsWith(`${thisProcess()}+`)) return false;
  const [host, pid] = name.split("+");
  if (host === hostname()) return Number(pid) === process.pid || !isRunning(Number(pid));
  return isUntouchedFor(folder, abandonedAfterSeconds);
}

/**
 * The start time distinguishes this process from an earlier one with the same id: in containers all have the same id.
 */
function thisProcess(): string {
  return `${hostname()}+${process.pid}+${Math.round(performance.timeOrigin)}`;
}

async function isThere(file: string): Promise<boolean> {
  return (await unlessAbsent(stat(file)))?.isFile() === true;
}

function once(action: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await action();
  };
}
