import { tooBusy } from "../../../errors.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import type { ImageFormat, PdfPages } from "../../../processing/pdf/pdf-pages.ts";
import {
  LocalSemaphores,
  type Permits,
  type Release,
  type Semaphores,
  type Share,
  TooBusyError,
} from "../../../semaphore.ts";
import { DrawingSpeeds, permitsForReadings } from "./drawing-speeds.ts";
import { KnownFailures, type PageKey } from "./known-failures.ts";
import { type OpenPdfs, maxOpenPdfs } from "./open-pdfs.ts";
import type { DocumentRow } from "../store.ts";

const maxWaiting = 128;
/** Per user; anonymous clients count per address. A browser sends six requests at a time. */
const maxRequestsOfClient = 16;
const maxRequestsOfOwner = 64;
/** While this many results are being stored, no other is read: the store may be slower than the readings. */
const maxUnstored = 8;

export interface PdfReading<T> {
  document: Pick<DocumentRow, "id" | "user_id" | "file_hash">;
  /** From 0; or the document's own table of contents. */
  page: number | "outline";
  /** The image that is drawn, its width in pixels; null if no image is drawn. */
  image: { width: number; format: ImageFormat } | null;
  borrow: () => Promise<BorrowedFile | null>;
  read: (pdf: PdfPages) => Promise<T>;
  /** Stores the result, after the clients have got it. Must not reject. */
  store?: (result: T) => Promise<void>;
}

export interface PdfReadings {
  /** Null if there is no file. Readings of the same page share one result, until that is stored. */
  read<T>(reading: PdfReading<T>): Promise<T | null>;
}

/** A reading that waits or runs, or whose result is being stored. */
interface Shared {
  result: Promise<unknown>;
  clients: number;
  hasBegun: boolean;
  readonly leaving: AbortController;
}

/**
 * The queue for reading pages of open PDFs. No single client, owner or document can fill it or hold all its permits. A
 * document is read by one thread, so it gets one permit. A document that failed waits for a permit of the slow ones. A
 * reading is dropped if all its clients disconnect before it
 * begins. A reading that failed is not tried again for a while.
 */
export class PdfReadingQueue {
  readonly #pdfs: Pick<OpenPdfs, "read">;
  readonly #permits: Permits;
  readonly #shared = new Map<string, Shared>();
  readonly #failures: KnownFailures;
  readonly #unstored = new Set<Promise<void>>();
  readonly #speeds: DrawingSpeeds;

  constructor(
    pdfs: Pick<OpenPdfs, "read">,
    failures: KnownFailures = new KnownFailures(),
    semaphores: Semaphores = new LocalSemaphores(),
    speeds: DrawingSpeeds = new DrawingSpeeds(),
  ) {
    this.#pdfs = pdfs;
    this.#failures = failures;
    this.#speeds = speeds;
    this.#permits = semaphores.open("readings of PDFs", permitsForReadings, maxWaiting);
  }

  /** The readings for one request. They reject with 503 if too many are waiting. */
  of(client: string, signal: AbortSignal): PdfReadings {
    return { read: (reading) => this.#join(client, signal, reading) };
  }

  /** Resolves when all results are stored. */
  async settled(): Promise<void> {
    while (this.#unstored.size > 0) await Promise.all(this.#unstored);
  }

  async #join<T>(client: string, signal: AbortSignal, reading: PdfReading<T>): Promise<T | null> {
    const { document, page, image } = reading;
    const width = image?.width ?? null;
    const pageKey: PageKey = { file: `${document.id} ${document.file_hash}`, page, width };
    this.#failures.check(pageKey);
    // The client has disconnected, so nobody sees this error.
    if (signal.aborted) throw tooBusy(2);
    const name = `${pageKey.file} ${page} ${width} ${image?.format}`;
    const shared = this.#shared.get(name) ?? this.#begin(name, client, pageKey, reading);
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(tooBusy(2));
    signal.addEventListener("abort", leave, { once: true });
    shared.clients += 1;
    try {
      return (await Promise.race([shared.result, left.promise])) as T | null;
    } finally {
      signal.removeEventListener("abort", leave);
      shared.clients -= 1;
      if (shared.clients === 0 && !shared.hasBegun) {
        this.#end(name, shared);
        shared.leaving.abort();
      }
    }
  }

  #begin<T>(name: string, client: string, pageKey: PageKey, reading: PdfReading<T>): Shared {
    const shared: Shared = {
      result: Promise.resolve(),
      clients: 0,
      hasBegun: false,
      leaving: new AbortController(),
    };
    this.#shared.set(name, shared);
    const result = this.#read(client, pageKey, reading, shared);
    shared.result = result.catch((error: unknown): never => {
      this.#failures.note(pageKey, error);
      throw error;
    });
    // All clients may have disconnected, and then nobody awaits the result.
    shared.result.catch(() => undefined);
    const end = (): void => this.#end(name, shared);
    void result.then((found) => this.#store(reading, found, end), end);
    return shared;
  }

  #store<T>({ store }: PdfReading<T>, result: T | null, end: () => void): void {
    if (result === null || store === undefined) return end();
    const storing = store(result).finally(() => {
      this.#unstored.delete(storing);
      end();
    });
    this.#unstored.add(storing);
  }

  async #read<T>(
    client: string,
    pageKey: PageKey,
    { document, borrow, read }: PdfReading<T>,
    shared: Shared,
  ): Promise<T | null> {
    const { file } = pageKey;
    const release = await this.#acquire(client, document, file, shared.leaving.signal);
    shared.hasBegun = true;
    try {
      while (this.#unstored.size >= maxUnstored) await Promise.race(this.#unstored);
      // The page may have failed in another size meanwhile.
      this.#failures.check(pageKey);
      return await this.#speeds.measure(file, () => this.#pdfs.read(borrow, read));
    } finally {
      release();
    }
  }

  async #acquire(
    client: string,
    document: PdfReading<unknown>["document"],
    file: string,
    signal: AbortSignal,
  ): Promise<Release> {
    const maxHeld = maxOpenPdfs - 1;
    const shares: Share[] = [
      { name: `client ${client}`, maxHeld, maxRequests: maxRequestsOfClient },
      { name: `owner ${document.user_id}`, maxHeld, maxRequests: maxRequestsOfOwner },
      { name: `document ${document.id}`, maxHeld: 1 },
    ];
    for (;;) {
      const wasSlow = this.#speeds.isSlow(file);
      const release = await this.#permits
        .acquire([...shares, ...this.#speeds.sharesOf(file)], { signal })
        .catch((error: unknown): never => {
          throw error instanceof TooBusyError ? tooBusy(2) : error;
        });
      // Another page of the document may have failed meanwhile, and has cost it this permit.
      if (wasSlow || !this.#speeds.isSlow(file)) return release;
      release();
    }
  }

  #end(name: string, shared: Shared): void {
    if (this.#shared.get(name) === shared) this.#shared.delete(name);
  }
}
