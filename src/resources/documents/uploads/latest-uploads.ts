import { PassThrough, type Readable } from "node:stream";
import { conflict } from "../../../errors.ts";
import type { Permits, Semaphores } from "../../../semaphore.ts";

/**
 * Allows one upload at a time for each document, because each upload takes up its file's size on the disk. A new upload
 * replaces a running one: a client whose connection broke can send its file again without waiting until the server has
 * noticed.
 */
export class LatestUploads {
  readonly #locks: Permits;

  constructor(semaphores: Semaphores) {
    this.#locks = semaphores.open("uploads of documents", Infinity);
  }

  /** Receives the bytes once the previous upload has ended. They end with a 409 error when another upload begins. */
  async receive(id: number, bytes: Readable, receive: (bytes: Readable) => Promise<void>): Promise<void> {
    const leaving = new AbortController();
    const release = await this.#locks.acquire([{ name: String(id), maxHeld: 1 }], {
      onWanted: () => leaving.abort(conflict("Another upload of this file has begun.")),
    });
    try {
      await untilAborted(bytes, leaving.signal, receive);
    } finally {
      release();
    }
  }
}

/** Aborts the bytes and not the connection, so that the sender can still get the error. */
async function untilAborted(
  bytes: Readable,
  signal: AbortSignal,
  receive: (bytes: Readable) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  // The stream may fail before anyone reads it. The reader then gets the error.
  const piped = new PassThrough().on("error", () => {});
  const breakOff = (): void => void piped.destroy(signal.reason as Error);
  signal.addEventListener("abort", breakOff, { once: true });
  bytes.once("error", (error) => piped.destroy(error));
  bytes.once("close", () => {
    if (!bytes.readableEnded) piped.destroy(bytes.errored ?? new Error("the connection broke"));
  });
  bytes.pipe(piped);
  try {
    await receive(piped);
  } finally {
    signal.removeEventListener("abort", breakOff);
    bytes.unpipe(piped);
    piped.destroy();
  }
}
