import type { Page } from "../../contract/shape.ts";
import type { Mentions, Receipt, Redaction, RequestedModification } from "../../contract/work.ts";

/** Sends a request to the API, and returns the parsed answer. Throws an error whose message is meant for people. */
export type SendRequest = (method: string, path: string, value?: unknown) => Promise<unknown>;

/** The requests that redact documents and change their pages. `path` arguments are below the root of the API. */
export class RewritingApi {
  readonly send: SendRequest;

  constructor(send: SendRequest) {
    this.send = send;
  }

  /** Reads the mentions of words in a document, part by part. Stops after a part if `onPart` returns false. */
  async mentions(document: number, words: string, onPart: (part: Mentions) => boolean): Promise<void> {
    let path: string | null = `documents/${document}/mentions/?q=${encodeURIComponent(words)}`;
    while (path !== null) {
      const part = (await this.send("GET", path)) as Mentions;
      path = onPart(part) ? pathOf(part.next) : null;
    }
  }

  async redact(document: number, boxes: readonly Redaction[]): Promise<void> {
    await this.send("POST", `documents/${document}/redactions/`, boxes);
  }

  async modify(document: number, items: readonly RequestedModification[]): Promise<void> {
    await this.send("POST", `documents/${document}/modifications/`, items);
  }

  /** The latest receipt of a step, such as `redacted`; null if there is none. */
  async latestReceipt(document: number, step: string): Promise<Receipt | null> {
    let latest: Receipt | null = null;
    let path: string | null = `documents/${document}/receipts/?per_page=100`;
    while (path !== null) {
      const { results, next } = (await this.send("GET", path)) as Page<Receipt>;
      for (const receipt of results)
        if (receipt.step === step && receipt.id > (latest?.id ?? 0)) latest = receipt;
      path = pathOf(next);
    }
    return latest;
  }
}

/** The path below the root of the API of an address that the API has given. */
function pathOf(address: string | null): string | null {
  if (address === null) return null;
  const { pathname, search } = new URL(address);
  return `${pathname.replace(/^.*?\/api\//, "")}${search}`;
}
