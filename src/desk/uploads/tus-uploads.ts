import { batch, signal } from "@preact/signals";
import { type DetailedError, Upload, type UploadOptions, defaultOptions } from "tus-js-client";
import type { DeskApi } from "../model/desk-api.ts";
import { type UploadItem, identityOf } from "./upload-item.ts";
import { type UploadTarget, settingsIn } from "./upload-target.ts";

/**
 * The maximum number of bytes that a lost connection costs, even behind a proxy that forwards a request only when it is
 * complete.
 */
const partBytes = 32 * 1024 * 1024;

/** An interrupted upload of an earlier visit. */
export interface Unfinished {
  name: string;
  url: string;
  key: string;
}

/** How tus sends and reads files, and where it keeps the addresses of uploads. */
export type TusEnvironment = Pick<UploadOptions, "httpStack" | "fileReader" | "urlStorage">;

interface Listener {
  /** The whole file was sent. `id` is that of the document. */
  onSent(item: UploadItem, id: string | undefined): void;
  onError(item: UploadItem, error: Error | DetailedError): void;
}

/** Sends files in parts, and continues the uploads of earlier visits. */
export class TusUploads {
  readonly #api: DeskApi;
  readonly #target: UploadTarget;
  readonly #listener: Listener;
  readonly #tus: Pick<typeof defaultOptions, "httpStack" | "fileReader" | "urlStorage">;
  readonly unfinished = signal<readonly Unfinished[]>([]);

  constructor(api: DeskApi, target: UploadTarget, listener: Listener, tus: TusEnvironment) {
    this.#api = api;
    this.#target = target;
    this.#listener = listener;
    const { httpStack, fileReader, urlStorage } = defaultOptions;
    this.#tus = { httpStack, fileReader, urlStorage, ...tus };
  }

  /** Begins the upload of a file, or continues it. */
  send(item: UploadItem, file: File): void {
    item.upload ??= this.#uploadOf(item, file);
    item.upload.options.metadata = this.#target.metadataOf(item);
    item.upload.start();
  }

  async findUnfinished(): Promise<void> {
    const all = await this.#tus.urlStorage.findAllUploads();
    const own = all.filter(({ urlStorageKey }) => urlStorageKey.includes(`::${this.#target.keyPrefix}`));
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

  /** Prepares to continue an interrupted upload of the same file, with the settings that it began with. */
  async findEarlier(item: UploadItem, file: File): Promise<void> {
    item.upload = this.#uploadOf(item, file);
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

  #uploadOf(item: UploadItem, file: File): Upload {
    return new Upload(file, {
      ...this.#requests,
      endpoint: this.#api.options.tus,
      chunkSize: partBytes,
      // The listener tries again after a lost connection, without a limit on attempts.
      retryDelays: null,
      removeFingerprintOnSuccess: true,
      fingerprint: () => Promise.resolve(`${this.#target.keyPrefix}${identityOf(file, item.path)}`),
      onProgress: progressOf(item),
      onChunkComplete: () => void item.stopWaiting(),
      onSuccess: ({ lastResponse }) => this.#listener.onSent(item, lastResponse.getHeader("Quire-Document")),
      onError: (error) => this.#listener.onError(item, error),
    });
  }

  /** The options of all requests. A person may sign in again between two of them, so each reads the CSRF token. */
  get #requests(): UploadOptions {
    const onBeforeRequest: UploadOptions["onBeforeRequest"] = (request) =>
      request.setHeader("x-csrftoken", this.#api.csrfToken);
    return { ...this.#tus, onBeforeRequest };
  }
}

/** Keeps the percentage and the speed of an upload. */
function progressOf(item: UploadItem): (sent: number, total: number) => void {
  let measured = { at: performance.now(), bytes: 0 };
  return (sent, total) => {
    if (item.state.peek() !== "sending") return;
    item.percent.value = Math.floor((sent / total) * 100);
    const now = performance.now();
    const seconds = (now - measured.at) / 1000;
    if (seconds < 0.5) return;
    const latest = Math.max(0, sent - measured.bytes) / seconds;
    const before = item.speed.peek();
    item.speed.value = before === 0 ? latest : before * 0.6 + latest * 0.4;
    measured = { at: now, bytes: sent };
  };
}
