import type { ReadBatch } from "./read-batch.ts";

/** The bytes of a source, its end, an error of reading it (what follows is missing), or "written" for each batch. */
export type SourceMessage = Uint8Array | "end" | "error" | "written";

/** The number of bytes that the thread has taken in so far, records that it has read, or the end of them. */
export type ThreadMessage = number | ReadBatch | "end";

/** Wakes the one that waits. A call while nobody waits is lost. */
export class WakeUp {
  #resolve: (() => void) | null = null;

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  call(): void {
    this.#resolve?.();
    this.#resolve = null;
  }
}
