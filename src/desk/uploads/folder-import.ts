import type { ReadonlySignal } from "@preact/signals";
import { uploadReportLimits } from "../../contract/limits.ts";
import type { ReportedFile } from "../../contract/family.ts";
import type { Import } from "../../contract/work.ts";
import { RefusedError } from "../../viewer/model/send.ts";
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

interface Report {
  items: readonly UploadItem[];
  files: readonly ReportedFile[];
}

/** What cannot be reported now is reported later, in the same words: the server counts no file twice. */
class FolderImport {
  readonly #api: DeskApi;
  readonly #items: ReadonlySignal<readonly UploadItem[]>;
  readonly #id: number;
  /** The files whose outcome is still to be reported. */
  #open: readonly UploadItem[];
  #reported = 0;
  /** The report whose answer has not come. */
  #sent: Report | null = null;
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
    const report = this.#sent ?? this.#next();
    this.#pauses += 1;
    if (report.files.length > 0 || this.#pauses >= quietPauses) await this.#send(report);
    if (this.#open.length > 0) this.reportLater();
  }

  async #send(report: Report): Promise<void> {
    const { items, files } = report;
    const rest = this.#open.filter((item) => !items.includes(item));
    const ended = rest.length === 0 && { ended: "done" };
    this.#sent = report;
    try {
      await this.#api.send("POST", `imports/${this.#id}/files/`, {
        files,
        reported: this.#reported,
        ...ended,
      });
      this.#open = rest;
      this.#reported += files.length;
    } catch (error) {
      // The import has ended, or is not this person's any more.
      if (error instanceof RefusedError && [400, 403, 404].includes(error.status)) this.#open = [];
      // Anything else passes: the same report is sent again after the next pause.
      else return;
    }
    this.#sent = null;
    this.#pauses = 0;
  }

  /** The files whose outcome is known by now. */
  #next(): Report {
    const known = this.#open
      .flatMap((item) => {
        const outcome = this.#outcomeOf(item);
        return outcome === null ? [] : [{ item, outcome }];
      })
      .slice(0, uploadReportLimits.files);
    return { items: known.map(({ item }) => item), files: known.map(({ outcome }) => outcome) };
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
