import { PassThrough, type Readable } from "node:stream";
import { conflict } from "../../../errors.ts";

interface Upload {
  leaving: AbortController;
  ended: Promise<void>;
}

/**
 * Allows one upload at a time for each document, because each upload takes up its file's size on the disk. A new upload
 * replaces a running one: a client whose connection broke can send its file again without waiting until the server has
 * noticed.
 */
export class LatestUploads {
  readonly #underWay = new Map<number, Upload>();

  /** Receives the bytes once the previous upload has ended. They end with a 409 error when another upload begins. */
  async receive(id: number, bytes: Readable, receive: (bytes: Readable) => Promise<void>): Promise<void> {
    const before = this.#underWay.get(id);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const upload = { leaving: new AbortController(), ended };
    this.#underWay.set(id, upload);
    before?.leaving.abort(conflict("Another upload of this file has begun."));
    try {
      await before?.ended;
      await untilAborted(bytes, upload.leaving.signal, receive);
    } finally {
      if (this.#underWay.get(id) === upload) this.#underWay.delete(id);
      end();
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
