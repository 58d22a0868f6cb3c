import { BoundedMap } from "../../../bounded-map.ts";
import { PageError } from "../../../processing/pdf/pdf-pages.ts";
import type { Share } from "../../../semaphore.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { maxOpenPdfs } from "./open-pdfs.ts";

/** A reading that takes longer than this does not count as quick. Most pages are drawn in a tenth of it. */
const maxQuickMilliseconds = 1000;
/** After a page took too long, a document counts as slow for this long. */
const slowMilliseconds = 3_600_000;
const maxKnown = 10_000;

type Speed = { kind: "quick" } | { kind: "slow"; until: number };

/** One permit beside those for documents of any speed. */
export const permitsForReadings = maxOpenPdfs + 1;

/**
 * Remembers which documents were read quickly, and which had a page that took too much time or memory. Of the permits
 * for reading, one is for documents that were read quickly, and the slow ones share another one. So a document whose
 * pages take long delays documents of its own kind. The record is kept in memory.
 */
export class DrawingSpeeds {
  readonly #known = new BoundedMap<string, Speed>(maxKnown);
  readonly #now: () => number;

  constructor(nowMilliseconds: () => number = () => performance.now()) {
    this.#now = nowMilliseconds;
  }

  /** The shares of a reading, besides those of its client, owner and document. */
  sharesOf(file: string): Share[] {
    const speed = this.#find(file);
    if (speed === "quick") return [];
    const unproven = { name: "documents that may be slow", maxHeld: maxOpenPdfs };
    return speed === "slow" ? [unproven, { name: "slow documents", maxHeld: 1 }] : [unproven];
  }

  /** Whether a page of the document took too much time or memory. */
  isSlow(file: string): boolean {
    return this.#find(file) === "slow";
  }

  /** Runs a reading, and remembers how fast it was. */
  async measure<T>(file: string, read: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      const result = await read();
      if (!this.isSlow(file)) {
        if (this.#now() - begun <= maxQuickMilliseconds) this.#known.set(file, { kind: "quick" });
        else this.#known.delete(file);
      }
      return result;
    } catch (error) {
      const isOfFile = error instanceof PageError || error instanceof UnreadableFileError;
      if (isOfFile && (error.kind === "too-slow" || error.kind === "too-much-memory"))
        this.#known.set(file, { kind: "slow", until: this.#now() + slowMilliseconds });
      throw error;
    }
  }

  #find(file: string): Speed["kind"] | "unknown" {
    const speed = this.#known.get(file);
    if (speed === undefined) return "unknown";
    if (speed.kind === "quick" || speed.until >= this.#now()) return speed.kind;
    this.#known.delete(file);
    return "unknown";
  }
}
