import type { Box } from "./boxes.ts";

/** A place where words stand in a document. */
export interface Mention {
  text: string;
  before: string;
  after: string;
  /** One for each line that it is on. */
  boxes: Box[];
}

/** A part of the answer of `GET /api/documents/<id>/mentions/`. */
interface MentionsAnswer {
  next: string | null;
  /** Counting from 0, like all page numbers of the API. */
  pages_without_text: number[];
  results: { page_number: number; mentions: Mention[]; unplaced: number }[];
}

/** A step in the history of a document's file. */
export interface Receipt {
  id: number;
  at: string;
  step: string;
  outcome: string;
  [detail: string]: unknown;
}

/** A box to redact. `page_number` counts from 0. */
export interface RedactionBox extends Box {
  page_number: number;
}

/** An item of the list that describes the new pages of a document. */
export interface ModificationItem {
  /** Pages and ranges, from 0: "0-2,5". */
  page: string;
  /** Another document that the pages come from. */
  id?: number;
  modifications?: { type: "rotate"; angle: "cc" | "ccw" | "hw" }[];
}

/** Sends a request to the API, and returns the parsed answer. Throws an error whose message is meant for people. */
export type SendRequest = (method: string, path: string, value?: unknown) => Promise<unknown>;

/** The requests that redact documents and change their pages. `path` arguments are below the root of the API. */
export class RewritingApi {
  readonly send: SendRequest;

  constructor(send: SendRequest) {
    this.send = send;
  }

  /** Reads the mentions of words in a document, part by part. Stops after a part if `onPart` returns false. */
  async mentions(document: number, words: string, onPart: (part: MentionsAnswer) => boolean): Promise<void> {
    let path: string | null = `documents/${document}/mentions/?q=${encodeURIComponent(words)}`;
    while (path !== null) {
      const part = (await this.send("GET", path)) as MentionsAnswer;
      path = onPart(part) ? pathOf(part.next) : null;
    }
  }

  async redact(document: number, boxes: readonly RedactionBox[]): Promise<void> {
    await this.send("POST", `documents/${document}/redactions/`, boxes);
  }

  async modify(document: number, items: readonly ModificationItem[]): Promise<void> {
    await this.send("POST", `documents/${document}/modifications/`, items);
  }

  /** The latest receipt of a step, such as `redacted`; null if there is none. */
  async latestReceipt(document: number, step: string): Promise<Receipt | null> {
    let latest: Receipt | null = null;
    let path: string | null = `documents/${document}/receipts/?per_page=100`;
    while (path !== null) {
      const { results, next } = (await this.send("GET", path)) as { results: Receipt[]; next: string | null };
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
