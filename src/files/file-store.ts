import type { Readable } from "node:stream";

/**
 * Where the files of documents are, each under a key such as `documents/7/a-report.pdf` (keys.ts makes and checks them).
 * A key names a whole file or none: whoever reads sees what one `put` brought, never a part or a mixture, and once
 * `put` has resolved the file survives a crash of the machine. Every method rejects with a FileKeyError for a key that
 * is none. file-store-contract.ts says all this as tests; every store runs it.
 */
export interface FileStore {
  /**
   * Keeps these bytes under the key, in place of what was there. If the source fails, or this does, what was there
   * stays.
   */
  put(key: string, source: FileSource): Promise<void>;
  /** Null where there is no file. */
  stat(key: string): Promise<FileStat | null>;
  /** The bytes, or those of a range that begins inside the file; null where there is no file. */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /**
   * Where on this machine the file is, to be read there in place; null where there is no file, or none that can be read
   * in place. It may be gone at any moment.
   */
  placeOf(key: string): Promise<string | null>;
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
}

/** Both ends belong to it, as in HTTP; an end beyond the file's is the file's. */
export interface ByteRange {
  start: number;
  end: number;
}
