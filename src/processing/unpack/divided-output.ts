import { closeSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/** A file in an archive, as the list of the archive has it. */
export interface Item {
  path: string;
  /** Whether it is packed alone, without a name. */
  isUnnamed: boolean;
  /** In bytes; null if the archive does not state it. */
  size: number | null;
  isEncrypted: boolean;
  checksum: number | null;
}

/** One reading of the archive ends after this many files or bytes, which wait on the disk. */
const filesAtOnce = 500;
const bytesAtOnce = 128 * 1024 * 1024;

/** Ends a reading of the archive from within. */
export class EnoughError extends Error {
  override readonly name = "EnoughError";
}

/** Divides what 7-Zip writes into files, from the first one that is wanted on. */
export class DividedOutput {
  readonly #items: readonly Item[];
  readonly #wanted: { first: number; maxFileBytes: number; pathOf: (position: number) => string };
  /** The positions of files whose checksums are wrong. */
  readonly damaged: number[] = [];
  #position = 0;
  /** What is left of the present file; infinite if its size is not known. */
  #left: number;
  #total = 0;
  #file: number | null = null;
  #checksum = 0;

  constructor(
    items: readonly Item[],
    wanted: { first: number; maxFileBytes: number; pathOf: (position: number) => string },
  ) {
    this.#items = items;
    this.#wanted = wanted;
    this.#left = items[0]?.size ?? Infinity;
  }

  /** @throws {EnoughError} when no more is needed for now */
  take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      while (this.#left === 0 && this.#position < this.#items.length) this.#endFile();
      if (this.#position >= this.#items.length) return;
      const some = chunk.subarray(at, at + Math.min(this.#left, chunk.length - at));
      at += some.length;
      this.#left -= some.length;
      if (this.#isWanted) this.#write(some);
      if (this.#left === 0) this.#endFile();
    }
  }

  /** Ends the present file, if it has this path: 7-Zip writes no more of it. Returns its position, or null. */
  fail(path: string): number | null {
    while (this.#left === 0 && this.#position < this.#items.length) this.#next();
    if (this.#items[this.#position]?.path !== path) return null;
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    this.#next();
    return this.#position - 1;
  }

  /** Returns the position after the last file that is whole, or that is as long as it may be. */
  close(): number {
    if (this.#file !== null) closeSync(this.#file);
    if (this.#left === Infinity && this.#total > 0) return this.#position + 1;
    while (this.#left === 0 && this.#position < this.#items.length) this.#next();
    return this.#position;
  }

  get #isWanted(): boolean {
    const size = this.#items[this.#position]?.size ?? 0;
    return this.#position >= this.#wanted.first && size <= this.#wanted.maxFileBytes;
  }

  #write(bytes: Uint8Array): void {
    this.#checksum = crc32(bytes, this.#checksum);
    this.#total += bytes.length;
    this.#file ??= openSync(this.#wanted.pathOf(this.#position), "w");
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    // A file of unknown size: one byte more than is allowed tells that it is too large.
    if (this.#left === Infinity && this.#total > this.#wanted.maxFileBytes) throw new EnoughError();
  }

  #endFile(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    const expected = this.#items[this.#position]?.checksum ?? null;
    if (this.#isWanted && expected !== null && expected !== this.#checksum >>> 0)
      this.damaged.push(this.#position);
    this.#next();
    const isFull = this.#position >= this.#wanted.first + filesAtOnce || this.#total >= bytesAtOnce;
    if (isFull) throw new EnoughError();
  }

  #next(): void {
    this.#position += 1;
    this.#checksum = 0;
    this.#left = this.#items[this.#position]?.size ?? Infinity;
  }
}
