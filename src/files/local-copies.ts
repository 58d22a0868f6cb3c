import { hash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isUntouchedFor, removeAbandoned } from "./abandoned.ts";
import type { BorrowedFile } from "./file-store.ts";
import { unlessAbsent } from "./unless-absent.ts";

/*
 * Copies on this machine's disk of files that are kept elsewhere, for what reads files by their path. The copy of a file
 * is made once for all who want it at the same time, and stays until its room is needed for another: those that were
 * not wanted for the longest time go first, and none while it is lent.
 *
 * They are in a folder of this process alone, whose name says whose it is. Where a process has died, the next one that
 * starts on the same machine removes its folder; of another machine, whose processes it cannot see, once nothing has
 * happened there for a day.
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
  /** In the order in which they were wanted. */
  readonly #copies = new Map<string, Copy>();
  #bytes = 0;
  /** What is to be removed, and could not be yet. */
  readonly #remains = new Set<string>();

  private constructor(folder: string, limitBytes: number) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
  }

  /** What is lent does not count: the limit holds for what is kept for later. */
  static async open(folder: string, limitBytes: number): Promise<LocalCopies> {
    const absolute = path.resolve(folder);
    await mkdir(absolute, { recursive: true });
    await removeAbandoned(absolute, isAbandoned);
    const own = path.join(absolute, `${thisProcess()}+${randomUUID()}`);
    await mkdir(own);
    return new LocalCopies(own, limitBytes);
  }

  /** The copy, which `read` gives the bytes for if there is none yet. */
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
      // Nobody was to remove it, but it was a file on a disk.
      this.#forget(name, copy);
      await giveBack();
    }
  }

  /**
   * Removes the copies of files that were replaced or deleted, also those that are lent, and those of other processes on
   * this machine: they may have been replaced to be rid of what was in them.
   */
  async discard(keys: readonly string[]): Promise<void> {
    const all = path.dirname(this.#folder);
    const prefixes = new Set(keys.map(prefixOf));
    const isCopy = (name: string): boolean => prefixes.has(name.slice(0, name.indexOf("+") + 1));
    for (const [name, copy] of this.#copies) {
      if (!isCopy(path.basename(copy.path))) continue;
      this.#forget(name, copy);
      // What is still being written would come back.
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
    const place = path.join(this.#folder, `${prefixOf(key)}${randomUUID()}`);
    const made = this.#makeRoom(size).then(() => this.#write(place, size, read));
    const copy = { path: place, size, lent: 0, made };
    this.#bytes += size;
    this.#copies.set(name, copy);
    return copy;
  }

  async #write(place: string, size: number, read: () => Promise<Readable>): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true });
      const file = createWriteStream(place, { flags: "wx" });
      await pipeline(await read(), file);
      if (file.bytesWritten !== size) throw new Error(`${file.bytesWritten} bytes came instead of ${size}`);
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
  }

  /** What cannot be removed is tried again the next time: it is no fault of who wants room, or gives a copy back. */
  async #makeRoom(forBytes = 0): Promise<void> {
    for (const [name, copy] of this.#copies) {
      if (this.#bytes + forBytes <= this.#limitBytes) break;
      if (copy.lent > 0) continue;
      this.#forget(name, copy);
      this.#remains.add(copy.path);
    }
    await Promise.all(
      [...this.#remains].map(async (place) => {
        try {
          await rm(place, { force: true });
          this.#remains.delete(place);
        } catch {
          // It stays among the remains.
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

/** By which the copies of one file are known, whichever process has made them. */
const prefixOf = (key: string): string => `${hash("sha1", key)}+`;

/** None where there is no such folder. */
const namesIn = async (folder: string): Promise<string[]> => (await unlessAbsent(readdir(folder))) ?? [];

async function isAbandoned(place: string, name: string): Promise<boolean> {
  if (name.startsWith(`${thisProcess()}+`)) return false;
  const [host, pid] = name.split("+");
  if (host === hostname()) return !isRunning(Number(pid));
  return isUntouchedFor(place, abandonedAfterSeconds);
}

/** When it began tells it from an earlier one with its number: in a container all have the same. */
function thisProcess(): string {
  return `${hostname()}+${process.pid}+${Math.round(performance.timeOrigin)}`;
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await unlessAbsent(stat(file)))?.isFile() === true;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function once(action: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await action();
  };
}
