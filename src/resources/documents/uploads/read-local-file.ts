import type { ReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";

const maxBuffer = 1024 * 1024;

/** The bytes of an open local file of this size. The buffer of a small file is as small: a large one costs 10 ms. */
export function readLocalFile(handle: FileHandle, size: number): ReadStream {
  return handle.createReadStream({ highWaterMark: Math.max(1, Math.min(size, maxBuffer)), autoClose: false });
}
