import { passwordTexts } from "../../viewer/texts/password-texts.ts";
import { type ReadonlySignal, batch } from "@preact/signals";
import type { ProgressOfDocument } from "../../contract/work.ts";
import { type DeskApi, type DeskDocument, reasonOf } from "../model/desk-api.ts";
import { ProgressFollower } from "../model/progress-follower.ts";
import { texts } from "../model/texts.ts";
import type { UploadItem } from "./upload-item.ts";
import type { UploadTarget } from "./upload-target.ts";

/** Follows the processing of the documents that were uploaded: how far it is, and what became of each. */
export class UploadProcessing {
  readonly #target: UploadTarget;
  readonly #items: ReadonlySignal<readonly UploadItem[]>;
  readonly #follower: ProgressFollower;

  constructor(api: DeskApi, target: UploadTarget, items: ReadonlySignal<readonly UploadItem[]>) {
    this.#target = target;
    this.#items = items;
    this.#follower = new ProgressFollower(api, (event) => void this.#onProgress(event));
  }

  /** An item was sent, and is the file of this document now. */
  follow(item: UploadItem, document: DeskDocument): void {
    batch(() => {
      item.document.value = document;
      item.state.value = "sent";
      item.message.value = waitingInWords(item, document.status);
    });
    this.#follower.follow(document.id);
  }

  async #onProgress({ id, status, step, pages_done: done, pages }: ProgressOfDocument): Promise<void> {
    const item = this.#items.peek().find(({ document }) => document.peek()?.id === id);
    if (item === undefined || item.state.peek() !== "sent") return;
    try {
      if (status === "success" || status === "error") await this.#settle(item, id, status);
      else if (done !== null && pages !== null) item.message.value = texts.reading(done, pages);
      else item.message.value = step === null ? waitingInWords(item, status) : texts.opening;
    } catch (error) {
      item.fail(texts.failed(reasonOf(error)));
    }
  }

  async #settle(item: UploadItem, id: number, status: string): Promise<void> {
    const settled = await this.#target.settled(id, status);
    if (settled === null) return;
    if ("reason" in settled) {
      this.#processingFailed(item, settled.reason);
      return;
    }
    batch(() => {
      item.document.value = settled.document;
      item.message.value = settled.message;
      item.state.value = "done";
    });
  }

  #processingFailed(item: UploadItem, reason: string): void {
    // The messages are documented in docs/processing.md.
    if (!reason.startsWith("encrypted: it opens with a password only")) {
      const broken = reason.startsWith("broken: ") ? texts.broken(reason.slice("broken: ".length)) : null;
      item.fail(this.#target.failureInWords(reason, broken));
      return;
    }
    item.message.value = reason.endsWith("wrong") ? passwordTexts.wrong : passwordTexts.needed;
    item.state.value = "locked";
  }
}

/** What the server does before it opens the file. */
function waitingInWords({ file, isReplacement }: UploadItem, status: string): string {
  const isFetched = status === "nofile" || (file === null && isReplacement);
  return isFetched ? texts.fetching : texts.queued;
}
