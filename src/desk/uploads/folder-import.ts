import { type ReadonlySignal, signal } from "@preact/signals";
import { uploadReportLimits } from "../../contract/limits.ts";
import type { Import, ReportedFile } from "../../contract/work.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import type { UploadItem } from "./upload-item.ts";

const pauseMilliseconds = 2000;
/** How many pauses without news there are at most: then the server is told that the page is still there. */
const quietPauses = 15;

/**
 * The import that folders make which a person uploads. The page reports what has become of each file, so that the
 * import can be watched on a page of its own, and stays when this page is closed. What cannot be reported now is
 * reported later; uploads never wait for it.
 */
export class FolderImport {
  readonly name: string;
  readonly #api: DeskApi;
  readonly #items: ReadonlySignal<readonly UploadItem[]>;
  /** The files whose outcome is still to be reported. */
  #open: readonly UploadItem[];
  #pauses = 0;
  readonly #address = signal<string | null>(null);

  /** @param items the files that are in the list of uploads */
  constructor(api: DeskApi, items: ReadonlySignal<readonly UploadItem[]>, files: readonly UploadItem[]) {
    this.#api = api;
    this.#items = items;
    this.#open = files;
    const folders = [...new Set(files.map(({ path }) => path.split("/")[0] ?? ""))];
    this.name = folders.join(", ").slice(0, uploadReportLimits.name);
  }

  /** The address of its page; null until the server knows it. */
  get address(): ReadonlySignal<string | null> {
    return this.#address;
  }

  async begin(): Promise<void> {
    const seen = this.#open.length;
    try {
      const { id } = (await this.#api.send("POST", "imports/", { name: this.name, seen })) as Import;
      this.#address.value = this.#api.pageAddress(`imports/${id}/`);
      this.#reportLater(id);
    } catch {
      // The files are uploaded without it.
    }
  }

  #reportLater(id: number): void {
    setTimeout(() => void this.#report(id), pauseMilliseconds);
  }

  async #report(id: number): Promise<void> {
    const ended = this.#open
      .flatMap((item) => {
        const outcome = this.#outcomeOf(item);
        return outcome === null ? [] : [{ item, outcome }];
      })
      .slice(0, uploadReportLimits.files);
    const rest = this.#open.filter((item) => !ended.some((one) => one.item === item));
    this.#pauses += 1;
    if (ended.length > 0 || this.#pauses >= quietPauses) {
      const files = ended.map(({ outcome }) => outcome);
      const report = { files, ...(rest.length === 0 && { ended: "done" }) };
      try {
        await this.#api.send("POST", `imports/${id}/files/`, report);
        this.#open = rest;
        this.#pauses = 0;
      } catch {
        // It is sent again after the next pause.
      }
    }
    if (this.#open.length > 0) this.#reportLater(id);
  }

  /** What has become of a file; null while nobody knows. */
  #outcomeOf(item: UploadItem): ReportedFile | null {
    const path = item.path.slice(-uploadReportLimits.path);
    const reason = item.message.peek().slice(0, uploadReportLimits.reason);
    const document = item.document.peek();
    const sameFile = item.sameFile.peek();
    if (document !== null) return { path, outcome: "added", document: document.id };
    switch (item.state.peek()) {
      case "ready":
        if (sameFile !== null)
          return { path, outcome: "known", ...(sameFile.id !== null && { document: sameFile.id }) };
        break;
      case "wrong":
      case "cancelled":
        return { path, outcome: "skipped", reason };
      case "failed":
        return { path, outcome: "failed", reason };
      default:
    }
    return this.#items.peek().includes(item) ? null : { path, outcome: "skipped", reason: texts.cancelled };
  }
}
