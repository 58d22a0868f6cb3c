import type { Page } from "../../contract/shape.ts";
import type { DocumentError, Receipt } from "../../contract/work.ts";
import type { Client } from "./send.ts";

/** The latest reason why the file of a document could not be processed, as the server gives it; null without one. */
export async function findLatestError(client: Client, id: number): Promise<string | null> {
  return (await client.latest<DocumentError>(`documents/${id}/errors/?per_page=100`))?.message ?? null;
}

/** Work on a document's file that leaves a receipt: a redaction, a change of its pages, a replacement. */
export class FileWork {
  readonly #client: Client;
  readonly #receipts: string;
  readonly #step: "redacted" | "modified" | "replaced";
  /** The id of the latest receipt of such work before this one; 0 if there was none. */
  #before = 0;

  constructor(client: Client, document: number, step: "redacted" | "modified" | "replaced") {
    this.#client = client;
    this.#receipts = `documents/${document}/receipts/?per_page=100`;
    this.#step = step;
  }

  /** Remembers the receipts of earlier work. The request for this work comes afterwards. */
  async begin(): Promise<void> {
    this.#before = (await this.#findLatest())?.id ?? 0;
  }

  /** The receipt of this work, once it has ended; null if it left none, since it was stopped. */
  async end(): Promise<Receipt | null> {
    const latest = await this.#findLatest();
    return latest !== null && latest.id > this.#before ? latest : null;
  }

  async #findLatest(): Promise<Receipt | null> {
    let latest: Receipt | null = null;
    for await (const { results } of this.#client.pages<Page<Receipt>>(this.#receipts))
      for (const receipt of results)
        if (receipt.step === this.#step && receipt.id > (latest?.id ?? 0)) latest = receipt;
    return latest;
  }
}
