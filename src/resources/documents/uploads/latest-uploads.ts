import { PassThrough, type Readable } from "node:stream";
import { conflict } from "../../../errors.ts";

interface Upload {
  leaving: AbortController;
  ended: Promise<void>;
}

/**
 * One upload at a time for a document, since each takes as much of the disk as its file has bytes. The last one that
 * begins is the one that goes on: a client whose line broke sends its file again, and need not wait until the server has
 * noticed that nothing comes any more.
 */
export class LatestUploads {
  readonly #underWay = new Map<number, Upload>();

  /** Receives the bytes once the upload before has ended; they break off with a 409 when another one begins. */
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

/** Its sender can still be told why: the line itself stays open. */
async function untilAborted(
  bytes: Readable,
  signal: AbortSignal,
  receive: (bytes: Readable) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  // It may break off before anyone reads it: who reads it then is told.
  const piped = new PassThrough().on("error", () => {});
  const breakOff = (): void => void piped.destroy(signal.reason as Error);
  signal.addEventListener("abort", breakOff, { once: true });
  bytes.once("error", (error) => piped.destroy(error));
  bytes.once("close", () => {
    if (!bytes.readableEnded) piped.destroy(bytes.errored ?? new Error("the line broke"));
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
