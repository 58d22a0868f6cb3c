/** The bytes of a source, its end, or an error of reading it: what follows is missing. */
export type SourceMessage = Uint8Array | "end" | "error";

/** Records as JSON, and the number of bytes that the thread has taken in so far. Null at the end of the source. */
export interface RecordsMessage {
  records: string | null;
  takenBytes: number;
}

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
