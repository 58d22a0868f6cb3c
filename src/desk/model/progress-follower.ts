import type { ProgressOfDocument } from "../../contract/work.ts";
import { maxFollowed } from "../../contract/limits.ts";
import type { EventStream } from "../../viewer/model/send.ts";
import type { DeskApi } from "./desk-api.ts";

const gatherMilliseconds = 200;
const retryMilliseconds = 10_000;

/** Whether a document with this status has been processed to the end. */
export const isSettled = (status: string): boolean =>
  status === "success" || status === "error" || status === "deleted";

/**
 * Follows the processing of documents in one stream of events, since browsers allow only a few connections to a server.
 * Each document is followed until it is settled.
 */
export class ProgressFollower {
  readonly #api: DeskApi;
  readonly #onProgress: (event: ProgressOfDocument) => void;
  readonly #ids = new Set<number>();
  #source: EventStream | null = null;
  /** The documents of the open stream. */
  #named: readonly number[] = [];
  #opening: ReturnType<typeof setTimeout> | undefined;

  constructor(api: DeskApi, onProgress: (event: ProgressOfDocument) => void) {
    this.#api = api;
    this.#onProgress = onProgress;
  }

  follow(id: number): void {
    this.#ids.add(id);
    this.#openSoon(gatherMilliseconds);
  }

  #openSoon(milliseconds: number): void {
    clearTimeout(this.#opening);
    this.#opening = setTimeout(() => this.#open(), milliseconds);
  }

  #open(): void {
    this.#source?.close();
    this.#source = null;
    this.#named = [...this.#ids].slice(0, maxFollowed);
    if (this.#named.length === 0) return;
    const { options, network } = this.#api;
    const source = network.openEvents(
      `${options.api}documents/process/events/?id__in=${this.#named.join(",")}`,
    );
    this.#source = source;
    source.addEventListener("progress", ({ data }) => {
      const event = JSON.parse(data as string) as ProgressOfDocument;
      if (isSettled(event.status)) this.#ids.delete(event.id);
      this.#onProgress(event);
      // All documents of this stream are settled: the next stream follows the others, if there are any.
      if (!this.#named.some((id) => this.#ids.has(id))) this.#open();
    });
    // The browser reconnects automatically when the server ends the stream, but not when the server refuses it.
    source.addEventListener("error", () => {
      if (source.readyState === source.CLOSED) this.#openSoon(retryMilliseconds);
    });
  }
}
