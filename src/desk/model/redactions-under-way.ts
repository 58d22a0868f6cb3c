import { signal } from "@preact/signals";
import type { ProgressOfDocument, Receipt, RedactionUnderWay } from "../../contract/work.ts";
import { type DeskApi, reasonOf } from "./desk-api.ts";
import { ProgressFollower, isSettled } from "./progress-follower.ts";
import { batchRedactionTexts } from "./batch-redaction-texts.ts";
import { texts } from "./texts.ts";

/** A redaction that waits or runs, or that has ended since the page was opened. */
export interface ListedRedaction extends RedactionUnderWay {
  /** How it ended; null as long as it waits or runs. */
  end: "done" | "failed" | "cancelled" | null;
}

/** The redactions of a person, also those that were begun elsewhere: how far each is, and how it ended. */
export class RedactionsUnderWay {
  readonly items = signal<readonly ListedRedaction[]>([]);
  /** Why something could not be done, for people. */
  readonly problem = signal("");
  readonly #api: DeskApi;
  readonly #follower: ProgressFollower;

  constructor(api: DeskApi) {
    this.#api = api;
    this.#follower = new ProgressFollower(api, (event) => void this.#onProgress(event));
  }

  /** Reads the list again. A redaction that has ended stays in it until its document is redacted again. */
  async load(): Promise<void> {
    try {
      const found = await this.#api.get<RedactionUnderWay[]>("documents/redactions/");
      const ids = new Set(found.map(({ id }) => id));
      const known = this.items.peek().filter(({ id }) => !ids.has(id));
      this.items.value = [...found.map((redaction) => ({ ...redaction, end: null })), ...known];
      for (const { id } of found) this.#follower.follow(id);
    } catch (error) {
      this.problem.value = reasonOf(error);
    }
  }

  /** Cancels these redactions, one after the other. One that cannot be cancelled does not stop the others. */
  async cancel(redactions: readonly ListedRedaction[]): Promise<void> {
    this.problem.value = "";
    for (const { id, title } of redactions) {
      try {
        await this.#api.send("DELETE", `documents/${id}/process/`);
      } catch (error) {
        this.problem.value = batchRedactionTexts.notCancelled(
          title === "" ? texts.untitled : title,
          reasonOf(error),
        );
      }
    }
  }

  async #onProgress({ id, status, step, pages_done, pages }: ProgressOfDocument): Promise<void> {
    if (!isSettled(status)) {
      this.#change(id, { status: step === null ? "waiting" : "running", pages_done, pages });
      return;
    }
    // A document whose redaction failed may be ready as before: only its receipts tell how it ended.
    const end = await this.#endOf(id).catch(() => null);
    this.#change(id, { end: end ?? "cancelled" });
  }

  #change(id: number, changes: Partial<ListedRedaction>): void {
    const items = this.items.peek();
    const index = items.findIndex((item) => item.id === id);
    const item = items[index];
    if (item !== undefined) this.items.value = items.with(index, { ...item, ...changes });
  }

  /** How the latest redaction of a document ended; null if it left no receipt. */
  async #endOf(id: number): Promise<ListedRedaction["end"]> {
    const latest = await this.#api.latest<Receipt>(`documents/${id}/receipts/?per_page=100`, ({ step }) =>
      ["redacted", "cancelled"].includes(step),
    );
    if (latest === null) return null;
    return latest.step === "cancelled" ? "cancelled" : latest.outcome;
  }
}
