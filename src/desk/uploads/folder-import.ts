import type { ReadonlySignal } from "@preact/signals";
import { uploadReportLimits } from "../../contract/limits.ts";
import type { ReportedFile } from "../../contract/family.ts";
import type { Import } from "../../contract/work.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import type { UploadItem } from "./upload-item.ts";

const pauseMilliseconds = 2000;
/** How many pauses without news there are at most: then the server is told that the page is still there. */
const quietPauses = 15;

/**
 * Opens the import that folders make which a person uploads, and reports the outcome of each file. So the import
 * can be watched on a page of its own, and stays when this page is closed. Uploads never wait for it.
 *
 * @param items the files that are in the list of uploads
 * @returns the name and the page of the import; null if the server did not open it
 */
export async function beginFolderImport(
  api: DeskApi,
  items: ReadonlySignal<readonly UploadItem[]>,
  files: readonly UploadItem[],
): Promise<{ name: string; address: string } | null> {
  const folders = [...new Set(files.map(({ path }) => path.split("/")[0] ?? ""))];
  const name = folders.join(", ").slice(0, uploadReportLimits.name);
  try {
    const { id } = (await api.send("POST", "imports/", { name, seen: files.length })) as Import;
    new FolderImport(api, items, files, id).reportLater();
    return { name, address: api.pageAddress(`imports/${id}/`) };
  } catch {
    return null;
  }
}

/** What cannot be reported now is reported later. */
class FolderImport {
  readonly #api: DeskApi;
  readonly #items: ReadonlySignal<readonly UploadItem[]>;
  readonly #id: number;
  /** The files whose outcome is still to be reported. */
  #open: readonly UploadItem[];
  #pauses = 0;

  constructor(
    api: DeskApi,
    items: ReadonlySignal<readonly UploadItem[]>,
    files: readonly UploadItem[],
    id: number,
  ) {
    this.#api = api;
    this.#items = items;
    this.#open = files;
    this.#id = id;
  }

  reportLater(): void {
    setTimeout(() => void this.#report(), pauseMilliseconds);
  }

  async #report(): Promise<void> {
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
        await this.#api.send("POST", `imports/${this.#id}/files/`, report);
        this.#open = rest;
        this.#pauses = 0;
      } catch {
        // It is sent again after the next pause.
      }
    }
    if (this.#open.length > 0) this.reportLater();
  }

  /** The outcome of a file; null while it is not known. */
  #outcomeOf(item: UploadItem): ReportedFile | null {
    const path = item.path.slice(-uploadReportLimits.path);
    const reason = item.message.peek().slice(0, uploadReportLimits.reason);
    const document = item.document.peek();
    const sameFile = item.sameFile.peek();
    if (document !== null) return { path, outcome: "added", document: document.id };
    const state = item.state.peek();
    if (state === "ready" && sameFile !== null)
      return { path, outcome: "known", ...(sameFile.id !== null && { document: sameFile.id }) };
    if (state === "failed") return { path, outcome: "failed", reason };
    if (state === "wrong" || state === "cancelled") return { path, outcome: "skipped", reason };
    return this.#items.peek().includes(item) ? null : { path, outcome: "skipped", reason: texts.cancelled };
  }
}
