import { type FileHandle, open } from "node:fs/promises";

const chunkBytes = 64 * 1024;

/**
 * The bytes of a file of the local disk, which is opened when the first ones are read. A small file costs a fraction of
 * what a stream costs.
 */
export async function* bytesOfFile(file: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* bytesIn(await open(file), signal);
}

/** The bytes of an open file, which is closed at the end. */
export async function* bytesIn(handle: FileHandle, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      // A file on the disk gives fewer bytes only at its end.
      if (bytesRead < chunkBytes) return;
    }
  } finally {
    await handle.close();
  }
}

/** Passes the bytes on, and reports a failure of their source. */
export async function* watched(
  source: AsyncIterable<Uint8Array>,
  failed: (reason: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    failed(error);
    throw error;
  }
}
