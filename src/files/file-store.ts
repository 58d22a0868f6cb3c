import type { Readable } from "node:stream";
import type { ServedType } from "./content-types.ts";

/**
 * Stores the files of documents, each under a key such as `documents/7/a-report.pdf` (keys.ts creates and checks
 * keys). A key names a complete file or none: readers see the content of a single `put`, never a part or a mixture,
 * and once `put` has resolved, the file survives a crash of the machine unless it can be made again. Every method
 * rejects with a FileKeyError for an invalid key, and with a FilesUnavailableError if the store cannot be reached.
 * file-store-contract.ts contains all this as tests, which every store runs.
 */
export interface FileStore {
  /**
   * Stores these bytes under the key and replaces an existing file. If the source or the store fails, the existing
   * file remains. A crash of the machine may lose a file that can be made again (`isRemakeable`), as if it had not been
   * stored.
   */
  put(key: string, source: FileSource, options?: { isRemakeable?: boolean }): Promise<void>;
  /** Null if there is no file. */
  stat(key: string): Promise<FileStat | null>;
  /**
   * The bytes, or those of a range that starts inside the file; null if there is no file or if it no longer has the
   * given version.
   */
  read(key: string, range?: ByteRange, version?: string): Promise<Readable | null>;
  /**
   * The file, or a copy of it, on the local disk, for tools that need a path; null if there is no file. The caller
   * must dispose of it, and until then may read but not write it. A later `put` under the key may or may not change
   * the borrowed file.
   */
  borrow(key: string): Promise<BorrowedFile | null>;
  /**
   * A signed address at which clients can fetch the file from the store itself, as this type and for this many
   * seconds; null if the store has no addresses. Does not check that the file exists.
   */
  signedAddress(key: string, servedAs: ServedType, validSeconds: number): Promise<string | null>;
  /** The subfolders of this key; only those with short names, in no particular order. */
  folders(key: string): AsyncIterable<string>;
  /** The names of the files directly below this key; only short names, in no particular order. */
  names(key: string): AsyncIterable<string>;
  /** All files below this key, at any depth; only those with short names, in no particular order. */
  list(key: string): AsyncIterable<ListedFile>;
  /**
   * The keys of all files below this one in batches, in order of their bytes, and only those that come after the folder
   * `after` of this key. Null if finding single files costs no more than listing them.
   */
  listInOrder(key: string, after: string | null): AsyncIterable<string[]> | null;
  /** When a file was last stored below this key, as far as the store knows; null if there is none. */
  changedAt(key: string): Promise<Date | null>;
  /** Removes all files whose keys start with this one and a slash. */
  deleteFolder(key: string): Promise<void>;
  /** Removes the file, if there is one. Readers that have it open can finish reading. */
  delete(key: string): Promise<void>;
  /** Rejects unless the store is usable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A stream of bytes, or the path of a file to copy. */
export type FileSource = AsyncIterable<Uint8Array> | string;

export interface FileStat {
  /** In bytes. */
  size: number;
  modifiedAt: Date;
  /** Short, and different for each file stored under the key. Only letters, digits, `.` and `-`. */
  version: string;
}

export interface ListedFile {
  key: string;
  /** In bytes. */
  size: number;
  /** By the clock of the store. */
  modifiedAt: Date;
}

export interface BorrowedFile extends AsyncDisposable {
  readonly path: string;
  readonly version: string;
}

/** Both ends are inclusive, as in HTTP; an end beyond the file means the end of the file. */
export interface ByteRange {
  start: number;
  end: number;
}
