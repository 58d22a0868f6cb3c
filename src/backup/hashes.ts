import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";

export interface Hashes {
  sha1: string;
  sha256: string;
  /** In bytes. */
  size: number;
}

export async function hashesOf(bytes: AsyncIterable<unknown>): Promise<Hashes> {
  const [sha1, sha256] = [createHash("sha1"), createHash("sha256")];
  let size = 0;
  for await (const chunk of bytes) {
    sha1.update(chunk as Buffer);
    sha256.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { sha1: sha1.digest("hex"), sha256: sha256.digest("hex"), size };
}

export function hashesOfFile(file: string, signal: AbortSignal): Promise<Hashes> {
  return hashesOf(bytesOfFile(file, signal));
}

/** Opens the file only when it is read: a stream that is stopped before it is read would end the process. */
export async function* bytesOfFile(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { signal });
}

export function sha256Of(text: string): string {
  return hash("sha256", text);
}

/** The content that was read does not match its hash. */
export class WrongContentError extends Error {
  override readonly name = "WrongContentError";
}

/**
 * Passes the bytes on, and throws at their end if their hash differs. So a store never completes a wrong file.
 *
 * @throws {WrongContentError}
 */
export async function* checked(
  bytes: AsyncIterable<unknown>,
  { sha256, name }: { sha256: string; name: string },
): AsyncGenerator<Uint8Array> {
  const hasher = createHash("sha256");
  for await (const chunk of bytes) {
    hasher.update(chunk as Buffer);
    yield chunk as Buffer;
  }
  if (hasher.digest("hex") !== sha256) throw new WrongContentError(`${name}: its content has changed`);
}
