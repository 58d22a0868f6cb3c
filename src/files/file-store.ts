import type { Readable } from "node:stream";
import type { ServedType } from "./content-types.ts";

/**
 * Where the files of documents are, each under a key such as `documents/7/a-report.pdf` (keys.ts makes and checks them).
 * A key names a whole file or none: whoever reads sees what one `put` brought, never a part or a mixture, and once
 * `put` has resolved the file survives a crash of the machine. Every method rejects with a FileKeyError for a key that
 * is none, and with a FilesUnavailableError where the store cannot be reached. file-store-contract.ts says all this as
 * tests; every store runs it.
 */
export interface FileStore {
  /**
   * Keeps these bytes under the key, in place of what was there. If the source fails, or this does, what was there
   * stays.
   */
  put(key: string, source: FileSource): Promise<void>;
  /** Null where there is no file. */
  stat(key: string): Promise<FileStat | null>;
  /**
   * The bytes, or those of a range that begins inside the file; null where there is no file, or, where a version is
   * named, no longer that one.
   */
  read(key: string, range?: ByteRange, version?: string): Promise<Readable | null>;
  /**
   * The file, or a copy of it, on this machine's disk, for what reads files by their path; null where there is no file.
   * It has to be given back, and may be read until then, not written. What is put under the key meanwhile may take its
   * place, or not.
   */
  borrow(key: string): Promise<BorrowedFile | null>;
  /**
   * Where whoever has the address may fetch the file from the store itself, for so many seconds, as this type; null
   * where a store is nobody's but ours. Whether there is such a file is not asked.
   */
  signedAddress(key: string, servedAs: ServedType, validSeconds: number): Promise<string | null>;
  /** The names that follow this one in keys of files and are followed by others; of short names only, in no order. */
  folders(key: string): AsyncIterable<string>;
  /** When something was last put below this one, as far as the store knows; null where nothing is. */
  changedAt(key: string): Promise<Date | null>;
  /** Removes all files whose keys begin with this one and a slash. */
  deleteFolder(key: string): Promise<void>;
  /** Removes the file, if there is one. Whoever is reading it reads on to its end. */
  delete(key: string): Promise<void>;
  /** Rejects unless the store can be used. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Bytes as they come, or the path of a file to copy. */
export type FileSource = AsyncIterable<Uint8Array> | string;

export interface FileStat {
  /** In bytes. */
  size: number;
  modifiedAt: Date;
  /** Short, and another one once there is another file under the key. Plain letters, digits, `.` and `-`. */
  version: string;
}

export interface BorrowedFile extends AsyncDisposable {
  readonly path: string;
  readonly version: string;
}

/** Both ends belong to it, as in HTTP; an end beyond the file's is the file's. */
export interface ByteRange {
  start: number;
  end: number;
}
