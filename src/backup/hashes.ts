import { hash } from "node:crypto";
import { bytesOfFile } from "../files/file-bytes.ts";
import { hashesOf as allHashesOf, hashed } from "../files/hashed-bytes.ts";

export interface Hashes {
  sha1: string;
  sha256: string;
  /** In bytes. */
  size: number;
}

export const hashesOf = (bytes: AsyncIterable<unknown>): Promise<Hashes> =>
  allHashesOf(bytes, "sha1", "sha256");

/** A file that has been read, and its bytes to read again. */
export interface HashedFile extends Hashes {
  bytes: () => AsyncGenerator<Uint8Array>;
}

/** Files up to this size are read only once. */
const maxHeldBytes = 256 * 1024;

export async function readHashed(file: string, signal: AbortSignal): Promise<HashedFile> {
  const held: Uint8Array[] = [];
  let size = 0;
  const holding = async function* holding(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytesOfFile(file, signal)) {
      size += chunk.length;
      if (size <= maxHeldBytes) held.push(chunk);
      else held.length = 0;
      yield chunk;
    }
  };
  const hashes = await hashesOf(holding());
  const again = async function* again(): AsyncGenerator<Uint8Array> {
    if (size > maxHeldBytes) yield* bytesOfFile(file, signal);
    else yield* held;
  };
  return { ...hashes, bytes: again };
}

export function sha256Of(text: string): string {
  return hash("sha256", text);
}

/** The content that was read does not match its hash. */
export class WrongContentError extends Error {
  override readonly name = "WrongContentError";
}

/**
 * Passes the bytes on, and throws at their end if their hash differs, or as soon as there are more than `size`. So a
 * store never completes a wrong file.
 *
 * @throws {WrongContentError}
 */
export async function* checked(
  bytes: AsyncIterable<unknown>,
  { sha256, size = Infinity, name }: { sha256: string; size?: number; name: string },
): AsyncGenerator<Uint8Array> {
  const read = hashed(bytes, "sha256");
  for await (const chunk of read) {
    if (read.size > size) throw new WrongContentError(`${name} is too long`);
    yield chunk;
  }
  if (read.hash("sha256") !== sha256) throw new WrongContentError(`${name}: its content has changed`);
}

/** The bytes of a small file. @throws {WrongContentError} if there are more than `maxBytes`. */
export async function limited(
  bytes: AsyncIterable<unknown>,
  { maxBytes, name }: { maxBytes: number; name: string },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of bytes) {
    if ((read += (chunk as Buffer).length) > maxBytes) throw new WrongContentError(`${name} is too long`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
