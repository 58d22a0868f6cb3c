import { type ReadonlySignal, batch } from "@preact/signals";
import type { Duplicate } from "../../contract/document.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { hashOf, problemWith } from "./check-file.ts";
import type { UploadItem } from "./upload-item.ts";

/** The limits of one request for duplicates: the number of files, and their total size. */
const maxHashed = 25;
const maxHashedBytes = 64 * 1024 * 1024;

interface Listener {
  /** A file can be sent. An upload of it in an earlier visit is found first. */
  findEarlier(item: UploadItem, file: File): Promise<void>;
  /** A file is ready to be sent. */
  onReady(item: UploadItem): void;
}

/** Checks the files of a list, some at a time: whether they can be sent, and whether they are on the server already. */
export class UploadChecks {
  readonly #api: DeskApi;
  readonly #items: ReadonlySignal<readonly UploadItem[]>;
  readonly #listener: Listener;
  #isRunning = false;

  constructor(api: DeskApi, items: ReadonlySignal<readonly UploadItem[]>, listener: Listener) {
    this.#api = api;
    this.#items = items;
    this.#listener = listener;
  }

  /** Checks what is not checked yet, also what is added meanwhile. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let some = this.#nextItems(); some.length > 0; some = this.#nextItems()) await this.#check(some);
    this.#isRunning = false;
  }

  #nextItems(): UploadItem[] {
    const waiting = this.#items.peek().filter(({ state }) => state.peek() === "checking");
    let bytes = 0;
    return waiting
      .slice(0, maxHashed)
      .filter(({ file }, index) => (bytes += file?.size ?? 0) < maxHashedBytes || index === 0);
  }

  async #check(items: readonly UploadItem[]): Promise<void> {
    for (const item of items) if (item.file !== null) await this.#checkFile(item, item.file);
    const good = items.filter(({ state }) => state.peek() === "checking");
    const hashes = [...new Set(good.flatMap(({ hash }) => hash ?? []))];
    // If the request fails, duplicates are unknown, and the upload may go ahead.
    const found = hashes.length === 0 ? [] : await this.#api.duplicates(hashes).catch(() => []);
    batch(() => {
      for (const item of good) {
        item.sameFile.value = this.#sameFile(item, found);
        item.state.value = "ready";
        this.#listener.onReady(item);
      }
    });
  }

  async #checkFile(item: UploadItem, file: File): Promise<void> {
    const problem = await problemWith(file, this.#api.options);
    if (problem !== null) return item.reject(problem);
    await this.#listener.findEarlier(item, file);
    item.hash = await hashOf(file).catch(() => null);
    if (item.hash === null) item.reject(texts.unreadable);
    return undefined;
  }

  /** The document with the same file, or the item before this one with it. */
  #sameFile({ hash, key }: UploadItem, found: readonly Duplicate[]): UploadItem["sameFile"]["value"] {
    const document = found.find(({ sha1 }) => sha1 === hash);
    if (document !== undefined)
      return {
        id: document.document,
        title: document.title,
        href: document.canonical_url,
        hasFailed: document.status === "error",
      };
    const twin = this.#items
      .peek()
      .find((other) => other.hash === hash && other.key < key && other.state.peek() !== "checking");
    return twin === undefined ? null : { id: null, title: twin.path, href: null, hasFailed: false };
  }
}
