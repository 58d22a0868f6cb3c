import { tooBusy } from "../../../errors.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { Semaphore, type Share, TooBusyError } from "../../../semaphore.ts";
import { KnownFailures, type PagePlace } from "./known-failures.ts";
import { type OpenPdfs, maxOpenPdfs } from "./open-pdfs.ts";
import type { DocumentRow } from "../store.ts";

const maxWaiting = 128;
/** Of one user, or of all who ask from one address without signing in: a reader's browser has six at a time. */
const maxPlacesOfAsker = 16;
const maxPlacesOfOwner = 64;

export interface Reading<T> {
  document: Pick<DocumentRow, "id" | "user_id" | "file_hash">;
  /** Counts from 0. */
  page: number;
  /** In pixels: of an image; null where the words are read. */
  width: number | null;
  borrow: () => Promise<BorrowedFile | null>;
  read: (pdf: PdfDocument) => Promise<T>;
}

export interface PdfReadings {
  /** Null where there is no file. What is read of the same page at the same time is read once for all who ask. */
  read<T>(reading: Reading<T>): Promise<T | null>;
}

/** A reading that is waiting or under way. */
interface Shared {
  result: Promise<unknown>;
  askers: number;
  hasBegun: boolean;
  readonly leaving: AbortController;
}

/**
 * The line before the PDFs that are being looked at. Neither one who asks, nor the documents of one owner, nor one
 * document fill it or keep all that is read at a time; a document is read by one thread, so it has one permit. Nothing
 * is read for those who have hung up before it began, and nothing that failed is tried again for a while.
 */
export class FairReadings {
  readonly #pdfs: Pick<OpenPdfs, "read">;
  readonly #semaphore = new Semaphore(maxOpenPdfs, maxWaiting);
  readonly #shared = new Map<string, Shared>();
  readonly #failures: KnownFailures;

  constructor(pdfs: Pick<OpenPdfs, "read">, failures: KnownFailures = new KnownFailures()) {
    this.#pdfs = pdfs;
    this.#failures = failures;
  }

  /** For one request. What it reads rejects with 503 where too many wait already. */
  of(asker: string, signal: AbortSignal): PdfReadings {
    return { read: (reading) => this.#join(asker, signal, reading) };
  }

  async #join<T>(asker: string, signal: AbortSignal, reading: Reading<T>): Promise<T | null> {
    const { document, page, width } = reading;
    const place: PagePlace = { file: `${document.id} ${document.file_hash}`, page, width };
    this.#failures.check(place);
    // A request that has hung up hears nothing of it.
    if (signal.aborted) throw tooBusy(2);
    const name = `${place.file} ${page} ${width}`;
    const shared = this.#shared.get(name) ?? this.#begin(name, asker, place, reading);
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(tooBusy(2));
    signal.addEventListener("abort", leave, { once: true });
    shared.askers += 1;
    try {
      return (await Promise.race([shared.result, left.promise])) as T | null;
    } finally {
      signal.removeEventListener("abort", leave);
      shared.askers -= 1;
      if (shared.askers === 0 && !shared.hasBegun) {
        this.#end(name, shared);
        shared.leaving.abort();
      }
    }
  }

  #begin<T>(name: string, asker: string, place: PagePlace, reading: Reading<T>): Shared {
    const shared: Shared = {
      result: Promise.resolve(),
      askers: 0,
      hasBegun: false,
      leaving: new AbortController(),
    };
    this.#shared.set(name, shared);
    shared.result = this.#read(asker, place, reading, shared)
      .catch((error: unknown): never => {
        this.#failures.note(place, error);
        throw error;
      })
      .finally(() => this.#end(name, shared));
    // All who asked may have hung up.
    shared.result.catch(() => undefined);
    return shared;
  }

  async #read<T>(
    asker: string,
    place: PagePlace,
    { document, borrow, read }: Reading<T>,
    shared: Shared,
  ): Promise<T | null> {
    const maxHeld = maxOpenPdfs - 1;
    const shares: Share[] = [
      { name: `asker ${asker}`, maxHeld, maxPlaces: maxPlacesOfAsker },
      { name: `owner ${document.user_id}`, maxHeld, maxPlaces: maxPlacesOfOwner },
      { name: `document ${document.id}`, maxHeld: 1 },
    ];
    const release = await this.#semaphore
      .acquire(shares, shared.leaving.signal)
      .catch((error: unknown): never => {
        throw error instanceof TooBusyError ? tooBusy(2) : error;
      });
    shared.hasBegun = true;
    try {
      // While it waited, the page may have failed in another size.
      this.#failures.check(place);
      return await this.#pdfs.read(borrow, read);
    } finally {
      release();
    }
  }

  #end(name: string, shared: Shared): void {
    if (this.#shared.get(name) === shared) this.#shared.delete(name);
  }
}
