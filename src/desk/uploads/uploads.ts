import { type ReadonlySignal, batch, computed, signal } from "@preact/signals";
import type { DetailedError } from "tus-js-client";
import { type DeskApi, type DeskDocument, messageIn, reasonOf } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import type { GatheredFiles } from "./dropped-files.ts";
import { type TusEnvironment, TusUploads, type Unfinished } from "./tus-uploads.ts";
import { UploadChecks } from "./upload-checks.ts";
import { type Settings, UploadItem, identityOf } from "./upload-item.ts";
import { UploadProcessing } from "./upload-processing.ts";
import type { UploadTarget } from "./upload-target.ts";

/** The number of files that are sent at the same time. */
const maxSending = 3;
/** What uploads use of the browser, besides the network: its own, or others in a test. */
export interface UploadEnvironment {
  page?: Pick<Window, "addEventListener">;
  tus?: TusEnvironment;
}

/** The files and web addresses that a person adds in one visit, and the state of each. */
export class Uploads {
  readonly #api: DeskApi;
  readonly #target: UploadTarget;
  readonly #tus: TusUploads;
  readonly #checks: UploadChecks;
  readonly #processing: UploadProcessing;

  readonly items = signal<readonly UploadItem[]>([]);
  readonly defaults = signal<Settings>({
    access: "private",
    project: null,
    language: "eng",
    source: "",
    forceOcr: false,
  });
  /** The imports that folders make, the newest last. */
  readonly imports = signal<readonly { name: string; address: string }[]>([]);
  readonly #imported = new Set<UploadItem>();
  /** The number of hidden files that were skipped when files were last added. */
  readonly leftOut = signal(0);

  /** The items that the upload button starts. */
  readonly startable = computed(() =>
    this.items.value.filter(({ state, sameFile }) => state.value === "ready" && sameFile.value === null),
  );
  readonly isSending = computed(() =>
    this.items.value.some(({ state }) => ["waiting", "sending", "interrupted"].includes(state.value)),
  );

  constructor(api: DeskApi, target: UploadTarget, { page = window, tus = {} }: UploadEnvironment = {}) {
    this.#api = api;
    this.#target = target;
    this.#tus = new TusUploads(
      api,
      target,
      {
        onSent: (item, id) => void this.#uploaded(item, id),
        onError: (item, error) => this.#onError(item, error),
      },
      tus,
    );
    this.#checks = new UploadChecks(api, this.items, {
      findEarlier: (item, file) => this.#tus.findEarlier(item, file),
      onReady: (item) => {
        if (item.isWanted && item.sameFile.peek() === null) this.#enqueue(item);
      },
    });
    this.#processing = new UploadProcessing(api, target, this.items);
    page.addEventListener("online", () => this.#retryNow());
    page.addEventListener("beforeunload", (event) => {
      if (this.isSending.peek()) event.preventDefault();
    });
  }

  // Adding and removing

  add({ files, leftOut }: GatheredFiles): void {
    const known = new Set(this.items.peek().map(({ file, path }) => identityOf(file, path)));
    const added = files
      .filter(({ file, path }) => !known.has(identityOf(file, path)))
      .map(({ file, path }) => new UploadItem(file, path, this.defaults.peek(), this.#target.isReplacement));
    batch(() => {
      this.leftOut.value = leftOut;
      this.items.value = [...this.items.peek(), ...added];
    });
    void this.#checks.run();
  }

  /** Adds the lines that are web addresses, and returns the others. */
  addAddresses(lines: readonly string[]): string[] {
    const known = new Set(this.items.peek().map(({ path }) => path));
    const added = [...new Set(lines)]
      .filter((line) => isAddress(line) && !known.has(line))
      .map((line) => {
        const item = new UploadItem(null, line, this.defaults.peek(), this.#target.isReplacement);
        item.state.value = "ready";
        return item;
      });
    this.items.value = [...this.items.peek(), ...added];
    return lines.filter((line) => !isAddress(line));
  }

  /** Changes the settings of all items that have not started, and of those added later. */
  changeAll(change: Partial<Settings>): void {
    batch(() => {
      this.defaults.value = { ...this.defaults.peek(), ...change };
      for (const { isOpen, settings } of this.items.peek())
        if (isOpen.peek()) settings.value = { ...settings.peek(), ...change };
    });
  }

  remove(item: UploadItem): void {
    item.stopWaiting();
    this.items.value = this.items.peek().filter((other) => other !== item);
  }

  removeFinished(): void {
    this.items.value = this.items
      .peek()
      .filter(({ state }) => !["done", "cancelled", "wrong"].includes(state.peek()));
  }

  /** The interrupted uploads of earlier visits. */
  get unfinished(): ReadonlySignal<readonly Unfinished[]> {
    return this.#tus.unfinished;
  }

  findUnfinished(): Promise<void> {
    return this.#tus.findUnfinished();
  }

  /** Deletes the interrupted uploads of earlier visits. */
  forget(): Promise<void> {
    return this.#tus.forget();
  }

  // Sending

  /** Uploads every item that is ready, and each item that is still being checked once it is ready. Skips duplicates. */
  start(): void {
    batch(() => {
      for (const item of this.items.peek()) {
        if (item.state.peek() === "checking") item.isWanted = true;
      }
      for (const item of this.startable.peek()) this.#enqueue(item);
    });
    void this.#beginImport();
  }

  /** What is uploaded together from folders is an import that can be watched. */
  async #beginImport(): Promise<void> {
    const files = this.items.peek().filter((item) => item.isInFolder && !this.#imported.has(item));
    if (files.length < 2 || this.#target.isReplacement) return;
    for (const item of files) this.#imported.add(item);
    // Few uploads are folders. If the chunk cannot be loaded, the files are uploaded without an import.
    const part = await import("./folder-import.ts").catch(() => null);
    if (part === null) return;
    const begun = await part.beginFolderImport(this.#api, this.items, files);
    if (begun !== null) this.imports.value = [...this.imports.peek(), begun];
  }

  startOne(item: UploadItem): void {
    item.sameFile.value = null;
    this.#enqueue(item);
  }

  #enqueue(item: UploadItem): void {
    item.state.value = "waiting";
    item.message.value = "";
    this.#pump();
  }

  #pump(): void {
    const items = this.items.peek();
    let free = maxSending - items.filter(({ state }) => state.peek() === "sending").length;
    for (const item of items) {
      if (free <= 0) return;
      if (item.state.peek() !== "waiting") continue;
      free -= 1;
      this.#send(item);
    }
  }

  #send(item: UploadItem): void {
    item.state.value = "sending";
    void (item.file === null ? this.#sendAddress(item) : this.#sendFile(item, item.file));
  }

  async #sendFile(item: UploadItem, file: File): Promise<void> {
    await this.#target.begin();
    if (item.state.peek() === "sending") this.#tus.send(item, file);
  }

  async #sendAddress(item: UploadItem): Promise<void> {
    await this.#follow(item, () => this.#target.sendAddress(item));
    this.#pump();
  }

  async #uploaded(item: UploadItem, id: string | undefined): Promise<void> {
    item.stopWaiting();
    await this.#follow(item, () => this.#api.get<DeskDocument>(`documents/${id}/`));
    this.#pump();
  }

  /** Follows the processing of the document that `send` returns; with null, the item waits to be sent again. */
  async #follow(item: UploadItem, send: () => Promise<DeskDocument | null>): Promise<void> {
    try {
      const document = await send();
      if (document === null) this.#enqueue(item);
      else this.#processing.follow(item, document);
    } catch (error) {
      item.fail(texts.failed(reasonOf(error)));
    }
  }

  #onError(item: UploadItem, error: Error | DetailedError): void {
    if (item.state.peek() !== "sending") return;
    const answer = "originalResponse" in error ? error.originalResponse : null;
    const status = answer?.getStatus() ?? 0;
    const passes = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;
    if (!passes || status === 507) {
      // The server has deleted the upload that it refused, unless the session had ended.
      if (status !== 403) item.upload = null;
      item.fail(texts.failed(answer === null ? error.message : messageIn(status, answer.getBody())));
    } else {
      const count = item.stopWaiting() + 1;
      const seconds = Math.min(30, 2 ** (count - 1));
      item.message.value = status === 429 ? texts.tooMany : texts.interrupted;
      item.state.value = "interrupted";
      item.speed.value = 0;
      item.retry = { count, timer: setTimeout(() => this.#continue(item), seconds * 1000) };
    }
    this.#pump();
  }

  #continue(item: UploadItem): void {
    if (item.state.peek() !== "interrupted") return;
    item.state.value = "waiting";
    this.#pump();
  }

  #retryNow(): void {
    for (const item of this.items.peek()) this.#continue(item);
  }

  // Actions on one item, and on all

  async cancel(item: UploadItem): Promise<void> {
    const state = item.state.peek();
    item.stopWaiting();
    batch(() => {
      item.state.value = "cancelled";
      item.message.value = texts.cancelled;
      item.resumedFrom.value = null;
      item.percent.value = 0;
    });
    const { upload } = item;
    item.upload = null;
    const document = item.document.peek();
    if (state === "sent" && document !== null)
      await this.#api.send("DELETE", `documents/${document.id}/process/`).catch(() => undefined);
    else await upload?.abort(true).catch(() => undefined);
    this.#pump();
  }

  cancelAll(): void {
    for (const item of this.items.peek()) if (item.isUnderWay.peek()) void this.cancel(item);
  }

  async retry(item: UploadItem): Promise<void> {
    const document = item.document.peek();
    await this.#follow(item, async () => document && this.#target.retry(item, document));
  }

  retryAll(): void {
    for (const item of this.items.peek()) if (item.state.peek() === "failed") void this.retry(item);
  }

  /** Processes an encrypted PDF again, with its password. */
  async unlock(item: UploadItem, password: string): Promise<void> {
    const document = item.document.peek();
    if (document !== null) await this.#follow(item, () => this.#target.unlock(item, document, password));
  }
}

const isAddress = (line: string): boolean => URL.canParse(line) && /^https?:$/.test(new URL(line).protocol);
