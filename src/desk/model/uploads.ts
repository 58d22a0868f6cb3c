import { batch, computed, signal } from "@preact/signals";
import { type DetailedError, Upload, type UploadOptions, defaultOptions } from "tus-js-client";
import type { ProgressOfDocument } from "../../contract/work.ts";
import { documentLimits } from "../../contract/limits.ts";
import { FileWork } from "../../viewer/model/file-work.ts";
import { hashOf, problemWith } from "./check-file.ts";
import { type DeskApi, type DeskDocument, messageIn, reasonOf } from "./desk-api.ts";
import type { Brought } from "./dropped-files.ts";
import { ProgressFollower } from "./progress-follower.ts";
import { texts } from "./texts.ts";
import { type Settings, UploadItem } from "./upload-item.ts";

/** The number of files that are sent at the same time. */
const maxSending = 3;
/**
 * The maximum number of bytes that a lost connection costs, even behind a proxy that forwards a request only when it is
 * complete.
 */
const partBytes = 32 * 1024 * 1024;
/** The limits of one request for duplicates: the number of files, and their total size. */
const maxHashed = 25;
const maxHashedBytes = 64 * 1024 * 1024;
const maxPathLength = documentLimits.dataValue;

/** An interrupted upload of an earlier visit. */
export interface Unfinished {
  name: string;
  url: string;
  key: string;
}

/** What uploads use of the browser, besides the network: its own, or others in a test. */
export interface UploadEnvironment {
  page?: Pick<Window, "addEventListener">;
  /** How tus sends and reads files, and where it keeps the addresses of uploads. */
  tus?: Pick<UploadOptions, "httpStack" | "fileReader" | "urlStorage">;
}

/**
 * The files and web addresses that a person adds in one visit, and the state of each. Or else the file that replaces
 * the one of an existing document.
 */
export class Uploads {
  readonly #api: DeskApi;
  readonly #replaces: number | null;
  readonly #follower: ProgressFollower;
  readonly #tus: Pick<typeof defaultOptions, "httpStack" | "fileReader" | "urlStorage">;
  #isChecking = false;
  readonly #leaving = new AbortController();

  readonly items = signal<readonly UploadItem[]>([]);
  readonly defaults = signal<Settings>({
    access: "private",
    project: null,
    language: "eng",
    source: "",
    forceOcr: false,
  });
  readonly unfinished = signal<readonly Unfinished[]>([]);
  /** The number of hidden files that were skipped when files were last added. */
  readonly leftOut = signal(0);

  /** The items that the upload button starts. */
  readonly startable = computed(() =>
    this.items.value.filter(({ state, sameFile }) => state.value === "ready" && sameFile.value === null),
  );
  readonly isSending = computed(() =>
    this.items.value.some(({ state }) => ["waiting", "sending", "interrupted"].includes(state.value)),
  );

  /** `replaces` is the id of the document whose file is replaced. */
  constructor(
    api: DeskApi,
    replaces: number | null = null,
    { page = window, tus = {} }: UploadEnvironment = {},
  ) {
    this.#api = api;
    const { httpStack, fileReader, urlStorage } = defaultOptions;
    this.#tus = { httpStack, fileReader, urlStorage, ...tus };
    this.#replaces = replaces;
    this.#follower = new ProgressFollower(api, (event) => void this.#onProgress(event));
    page.addEventListener("online", () => this.#retryNow());
    page.addEventListener("beforeunload", (event) => {
      if (this.isSending.peek()) event.preventDefault();
    });
  }

  // Adding and removing

  add({ files, leftOut }: Brought): void {
    const known = new Set(this.items.peek().map(({ file, path }) => identityOf(file, path)));
    const added = files
      .filter(({ file, path }) => !known.has(identityOf(file, path)))
      .map(({ file, path }) => new UploadItem(file, path, this.defaults.peek(), this.#replaces));
    batch(() => {
      this.leftOut.value = leftOut;
      this.items.value = [...this.items.peek(), ...added];
    });
    void this.#check();
  }

  /** Adds the lines that are web addresses, and returns the others. */
  addAddresses(lines: readonly string[]): string[] {
    const known = new Set(this.items.peek().map(({ path }) => path));
    const added = [...new Set(lines)]
      .filter((line) => isAddress(line) && !known.has(line))
      .map((line) => {
        const item = new UploadItem(null, line, this.defaults.peek(), this.#replaces);
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

  async findUnfinished(): Promise<void> {
    const all = await this.#tus.urlStorage.findAllUploads();
    const own = all.filter(({ urlStorageKey }) => urlStorageKey.includes(`::${this.#prefix}`));
    this.unfinished.value = own.flatMap(({ metadata, uploadUrl, urlStorageKey }) =>
      uploadUrl === null ? [] : [{ name: metadata["filename"] ?? "", url: uploadUrl, key: urlStorageKey }],
    );
  }

  /** Deletes the interrupted uploads of earlier visits, in the browser and on the server. */
  async forget(): Promise<void> {
    const forgotten = this.unfinished.peek();
    this.unfinished.value = [];
    for (const { url, key } of forgotten) {
      await this.#tus.urlStorage.removeUpload(key);
      await Upload.terminate(url, { ...this.#requests, retryDelays: null }).catch(() => undefined);
    }
  }

  // Checking

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (;;) {
      const waiting = this.items.peek().filter(({ state }) => state.peek() === "checking");
      let bytes = 0;
      const together = waiting
        .slice(0, maxHashed)
        .filter(({ file }, index) => (bytes += file?.size ?? 0) < maxHashedBytes || index === 0);
      if (together.length === 0) break;
      await this.#checkTogether(together);
    }
    this.#isChecking = false;
  }

  async #checkTogether(items: readonly UploadItem[]): Promise<void> {
    for (const item of items) {
      const { file } = item;
      if (file === null) continue;
      const problem = await problemWith(file, this.#api.options);
      if (problem !== null) {
        item.message.value = problem;
        item.state.value = "wrong";
        continue;
      }
      await this.#findEarlier(item, file);
      item.hash = await hashOf(file, this.#leaving.signal).catch(() => null);
      if (item.hash === null) {
        item.message.value = texts.unreadable;
        item.state.value = "wrong";
      }
    }
    const good = items.filter(({ state }) => state.peek() === "checking");
    const hashes = [...new Set(good.flatMap(({ hash }) => hash ?? []))];
    // If the request fails, duplicates are unknown, and the upload may go ahead.
    const found = hashes.length === 0 ? [] : await this.#api.duplicates(hashes).catch(() => []);
    batch(() => {
      for (const item of good) {
        const known = found.find(({ sha1 }) => sha1 === item.hash);
        const twin = this.items
          .peek()
          .find(
            (other) => other.hash === item.hash && other.key < item.key && other.state.peek() !== "checking",
          );
        if (known !== undefined) item.sameFile.value = { title: known.title, href: known.canonical_url };
        else if (twin !== undefined) item.sameFile.value = { title: twin.path, href: null };
        item.state.value = "ready";
        if (item.isWanted && item.sameFile.peek() === null) this.#enqueue(item);
      }
    });
  }

  /** Prepares to resume an interrupted upload of the same file, with the settings that it began with. */
  async #findEarlier(item: UploadItem, file: File): Promise<void> {
    item.upload = this.#tusUpload(item, file);
    const [earlier] = (await item.upload.findPreviousUploads()).toSorted(
      (left, right) => Date.parse(right.creationTime) - Date.parse(left.creationTime),
    );
    if (earlier === undefined || earlier.uploadUrl === null) return;
    const headers = { "x-csrftoken": this.#api.csrfToken, "tus-resumable": "1.0.0" };
    const answer = await this.#api.network
      .fetch(earlier.uploadUrl, { method: "HEAD", headers })
      .catch(() => null);
    this.unfinished.value = this.unfinished.peek().filter(({ key }) => key !== earlier.urlStorageKey);
    if (answer?.ok !== true) {
      await this.#tus.urlStorage.removeUpload(earlier.urlStorageKey);
      return;
    }
    item.upload.resumeFromPreviousUpload(earlier);
    batch(() => {
      item.settings.value = settingsIn(earlier.metadata);
      item.title.value = earlier.metadata["title"] ?? "";
      item.resumedFrom.value = Math.floor((Number(answer.headers.get("upload-offset")) / file.size) * 100);
    });
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
    if (item.file === null) {
      void this.#sendAddress(item);
      return;
    }
    void this.#sendFile(item, item.file);
  }

  async #sendFile(item: UploadItem, file: File): Promise<void> {
    await this.#beginReplacement(item);
    if (item.state.peek() !== "sending") return;
    item.upload ??= this.#tusUpload(item, file);
    item.upload.options.metadata = metadataOf(item);
    item.upload.start();
  }

  async #beginReplacement(item: UploadItem): Promise<void> {
    if (item.replaces === null) return;
    item.work = new FileWork(this.#api, item.replaces, "replaced");
    await item.work.begin().catch(() => undefined);
  }

  async #sendAddress(item: UploadItem): Promise<void> {
    try {
      if (item.replaces === null) {
        const made = (await this.#api.send("POST", "documents/", {
          ...fieldsOf(item),
          title: item.title.peek() === "" ? titleIn(item.path) : item.title.peek(),
          file_url: item.path,
        })) as DeskDocument;
        this.#isSent(item, made);
      } else await this.#replaceAtOnce(item, item.replaces);
    } catch (error) {
      item.fail(reasonOf(error));
    }
    this.#pump();
  }

  #tusUpload(item: UploadItem, file: File): Upload {
    let measured = { at: performance.now(), bytes: 0 };
    return new Upload(file, {
      ...this.#requests,
      endpoint: this.#api.options.tus,
      chunkSize: partBytes,
      // #onError retries after a lost connection, without a limit on attempts.
      retryDelays: null,
      removeFingerprintOnSuccess: true,
      fingerprint: () => Promise.resolve(`${this.#prefix}${identityOf(file, item.path)}`),
      onProgress: (sent, total) => {
        const now = performance.now();
        const seconds = (now - measured.at) / 1000;
        if (item.state.peek() !== "sending") return;
        item.percent.value = Math.floor((sent / total) * 100);
        if (seconds < 0.5) return;
        const latest = Math.max(0, sent - measured.bytes) / seconds;
        const before = item.speed.peek();
        item.speed.value = before === 0 ? latest : before * 0.6 + latest * 0.4;
        measured = { at: now, bytes: sent };
      },
      onChunkComplete: () => void item.stopWaiting(),
      onSuccess: ({ lastResponse }) => void this.#uploaded(item, lastResponse.getHeader("Quire-Document")),
      onError: (error) => this.#onError(item, error),
    });
  }

  async #uploaded(item: UploadItem, id: string | undefined): Promise<void> {
    item.stopWaiting();
    try {
      this.#isSent(item, await this.#api.get<DeskDocument>(`documents/${id}/`));
    } catch (error) {
      item.fail(reasonOf(error));
    }
    this.#pump();
  }

  #isSent(item: UploadItem, document: DeskDocument): void {
    batch(() => {
      item.document.value = document;
      item.state.value = "sent";
      item.message.value = waitingInWords(item, document.status);
    });
    this.#follower.follow(document.id);
  }

  #onError(item: UploadItem, error: Error | DetailedError): void {
    if (item.state.peek() !== "sending") return;
    const answer = "originalResponse" in error ? error.originalResponse : null;
    const status = answer?.getStatus() ?? 0;
    const passes = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;
    if (!passes || status === 507) {
      // The server has deleted the upload that it refused, unless the session had ended.
      if (status !== 403) item.upload = null;
      item.fail(answer === null ? error.message : messageIn(status, answer.getBody()));
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
    if (document === null || item.replaces !== null) {
      this.#enqueue(item);
      return;
    }
    try {
      if (item.file === null) {
        // The server may never have received the file, so it fetches the address again, for a new document.
        await this.#api.send("DELETE", `documents/${document.id}/`);
        item.document.value = null;
        this.#enqueue(item);
      } else await this.#process(item, document, {});
    } catch (error) {
      item.fail(reasonOf(error));
    }
  }

  retryAll(): void {
    for (const item of this.items.peek()) if (item.state.peek() === "failed") void this.retry(item);
  }

  /** Processes an encrypted PDF again, with its password. */
  async unlock(item: UploadItem, password: string): Promise<void> {
    const document = item.document.peek();
    if (document === null) return;
    try {
      if (item.replaces === null) await this.#process(item, document, { password });
      else {
        batch(() => {
          item.state.value = "waiting";
          item.message.value = "";
        });
        await this.#replaceAtOnce(item, document.id, password);
      }
    } catch (error) {
      item.fail(reasonOf(error));
    }
  }

  async #process(item: UploadItem, document: DeskDocument, options: Record<string, unknown>): Promise<void> {
    const ocr = item.settings.peek().forceOcr ? { force_ocr: true } : {};
    await this.#api.send("POST", `documents/${document.id}/process/`, { ...ocr, ...options });
    this.#isSent(item, { ...document, status: "pending" });
  }

  /**
   * Replaces the document's file by an address, or by the file in one request. The server has not kept a file that
   * needs a password, so that is sent again together with it.
   */
  async #replaceAtOnce(item: UploadItem, id: number, password = ""): Promise<void> {
    await this.#beginReplacement(item);
    const form = new FormData();
    if (password !== "") form.set("password", password);
    if (item.settings.peek().forceOcr) form.set("force_ocr", "true");
    if (item.file === null) form.set("file_url", item.path);
    else form.set("file", item.file, item.name);
    await this.#api.send("POST", `documents/${id}/file/`, form);
    this.#isSent(item, await this.#api.get<DeskDocument>(`documents/${id}/`));
  }

  /** Says what became of a replacement. If it failed, the document has the status that it had before. */
  async #isReplaced(item: UploadItem, id: number): Promise<void> {
    const receipt = (await item.work?.end()) ?? null;
    if (receipt === null) return;
    if (receipt.outcome !== "done") {
      this.#processingFailed(
        item,
        typeof receipt["message"] === "string" ? receipt["message"] : texts.noReason,
      );
      return;
    }
    const count = (name: string): number => Number(receipt[name] ?? 0);
    const document = await this.#api.get<DeskDocument>(`documents/${id}/`);
    batch(() => {
      item.document.value = document;
      item.message.value = texts.replacement.done(
        document.page_count,
        count("notes_beyond") + count("sections_beyond"),
      );
      item.state.value = "done";
    });
  }

  async #onProgress({ id, status, step, pages_done: done, pages }: ProgressOfDocument): Promise<void> {
    const item = this.items.peek().find(({ document }) => document.peek()?.id === id);
    if (item === undefined || item.state.peek() !== "sent") return;
    try {
      if (item.replaces !== null && ["success", "error"].includes(status)) await this.#isReplaced(item, id);
      else if (status === "success") {
        const document = await this.#api.get<DeskDocument>(`documents/${id}/`);
        batch(() => {
          item.document.value = document;
          item.message.value = texts.done(document.page_count);
          item.state.value = "done";
        });
      } else if (status === "error") this.#processingFailed(item, await this.#api.errorOf(id));
      else if (done !== null && pages !== null) item.message.value = texts.reading(done, pages);
      else item.message.value = step === null ? waitingInWords(item, status) : texts.opening;
    } catch (error) {
      item.fail(reasonOf(error));
    }
  }

  #processingFailed(item: UploadItem, reason: string): void {
    // The messages are documented in docs/processing.md.
    if (!reason.startsWith("encrypted: it opens with a password only")) {
      item.fail(reason);
      const broken = reason.startsWith("broken: ") ? texts.broken(reason.slice("broken: ".length)) : null;
      if (item.replaces !== null) item.message.value = texts.replacement.failed(broken ?? reason);
      else if (broken !== null) item.message.value = broken;
      return;
    }
    item.message.value = reason.endsWith("wrong") ? texts.passwordWrong : texts.passwordWanted;
    item.state.value = "locked";
  }

  get #prefix(): string {
    const { user } = this.#api.options;
    return this.#replaces === null ? `quire-${user}-` : `quire-replace-${this.#replaces}-${user}-`;
  }

  /** The options of all tus requests. A person may sign in again between two of them, so each reads the CSRF token. */
  get #requests(): UploadOptions {
    const onBeforeRequest: UploadOptions["onBeforeRequest"] = (request) =>
      request.setHeader("x-csrftoken", this.#api.csrfToken);
    return { ...this.#tus, onBeforeRequest };
  }
}

/** What the server does before it opens the file. */
function waitingInWords({ file, replaces }: UploadItem, status: string): string {
  const isFetched = status === "nofile" || (file === null && replaces !== null);
  return isFetched ? texts.fetching : texts.queued;
}

const isAddress = (line: string): boolean => URL.canParse(line) && /^https?:$/.test(new URL(line).protocol);

function identityOf(file: File | null, path: string): string {
  return file === null ? path : `${path}-${file.size}-${file.lastModified}`;
}

function fieldsOf({ settings, file, path }: UploadItem) {
  const { access, language, source, project, forceOcr } = settings.peek();
  const isInFolder = file !== null && path.includes("/");
  const kept = path.length <= maxPathLength ? path : `…${path.slice(1 - maxPathLength)}`;
  return {
    access,
    language,
    source,
    ...(project !== null && { projects: [project] }),
    ...(forceOcr && { force_ocr: true }),
    ...(isInFolder && { data: { path: [kept] } }),
  };
}

/** The fields of a document as the metadata of a tus upload. */
function metadataOf(item: UploadItem): Record<string, string> {
  const { name: filename, replaces, settings } = item;
  if (replaces !== null) {
    const ocr = settings.peek().forceOcr ? { force_ocr: "true" } : {};
    return { filename, document: String(replaces), replace: "true", ...ocr };
  }
  const fields = Object.entries({ ...fieldsOf(item), title: item.title.peek() }).filter(
    ([name, value]) => value !== "" || name === "source",
  );
  const texted = fields.map(([name, value]): [string, string] => {
    if (Array.isArray(value)) return [name, value.join(",")];
    return [name, typeof value === "object" ? JSON.stringify(value) : String(value)];
  });
  return { filename, ...Object.fromEntries(texted) };
}

function settingsIn(metadata: Readonly<Record<string, string>>): Settings {
  const { access = "private", language = "eng", source = "", projects = "", force_ocr } = metadata;
  return {
    access,
    language,
    source,
    project: projects === "" ? null : Number(projects),
    forceOcr: force_ocr === "true",
  };
}

/** A title for the file at an address: the last part of its path without the extension, or else its host. */
function titleIn(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split("/").findLast((part) => part !== "") ?? "";
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // The name is not encoded as UTF-8, so it stays percent-encoded.
  }
  const title = name.replace(/\.[a-z0-9]{1,6}$/i, "");
  return title === "" ? hostname : title.slice(0, documentLimits.title);
}
