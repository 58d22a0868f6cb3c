import { createHash } from "node:crypto";

type Algorithm = "md5" | "sha1" | "sha256" | "sha512";

/** Bytes that are hashed while they are read. */
export interface HashedBytes<Name extends Algorithm> {
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array>;
  /** The number of bytes that have been read. */
  readonly size: number;
  /** The hash of all bytes in hexadecimal, once they have been read. */
  hash(algorithm: Name): string;
}

export function hashed<Name extends Algorithm>(
  bytes: AsyncIterable<unknown>,
  ...algorithms: readonly Name[]
): HashedBytes<Name> {
  const hashes = new Map(algorithms.map((name) => [name, createHash(name)]));
  let size = 0;
  return {
    async *[Symbol.asyncIterator]() {
      for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
        for (const hash of hashes.values()) hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    get size() {
      return size;
    },
    hash: (name) => hashes.get(name)?.digest("hex") ?? "",
  };
}

/** Reads bytes to their end, for their hashes. */
export async function hashesOf<Name extends Algorithm>(
  bytes: AsyncIterable<unknown>,
  ...algorithms: readonly Name[]
): Promise<Record<Name, string> & { size: number }> {
  const read = hashed(bytes, ...algorithms);
  for await (const _ of read);
  const hashes = Object.fromEntries(algorithms.map((name) => [name, read.hash(name)])) as Record<
    Name,
    string
  >;
  return { ...hashes, size: read.size };
}
