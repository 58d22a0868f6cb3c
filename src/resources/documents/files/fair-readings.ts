import { tooBusy } from "../../../errors.ts";
import { TooBusyError, Semaphore } from "../../../semaphore.ts";
import type { OpenPdfs } from "./open-pdfs.ts";

const atOnce = 2;
const maxWaiting = 64;
/** Of one user, or of all who ask from one address without signing in: a reader's browser has six at a time. */
const maxPerHolder = 16;

export type PdfReadings = Pick<OpenPdfs, "read">;

/**
 * The line before the PDFs that are being looked at. Nobody fills it alone, and whoever has hung up before their turn is
 * not read for.
 */
export class FairReadings {
  readonly #pdfs: PdfReadings;
  readonly #turns = new Semaphore(atOnce, maxWaiting, maxPerHolder);

  constructor(pdfs: PdfReadings) {
    this.#pdfs = pdfs;
  }

  /** For one request. What it reads rejects with 503 where too many wait already. */
  of(asker: string, signal: AbortSignal): PdfReadings {
    return {
      read: async (borrow, read) => {
        const end = await this.#turns.take(asker, signal).catch((error: unknown) => {
          // Whoever has hung up hears nothing of it.
          throw error instanceof TooBusyError || signal.aborted ? tooBusy(2) : error;
        });
        try {
          return await this.#pdfs.read(borrow, read);
        } finally {
          end();
        }
      },
    };
  }
}
