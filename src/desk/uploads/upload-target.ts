import { batch } from "@preact/signals";
import { documentLimits } from "../../contract/limits.ts";
import { FileWork } from "../../viewer/model/file-work.ts";
import type { DeskApi, DeskDocument } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import type { Settings, UploadItem } from "./upload-item.ts";

const maxPathLength = documentLimits.dataValue;

/** What became of an upload whose processing has ended: the document with its new pages, or why there are none. */
export type Settled = { document: DeskDocument; message: string } | { reason: string };

/** What uploads are for: new documents, or a document that gets another file. */
export interface UploadTarget {
  readonly isReplacement: boolean;
  /** Begins the names of interrupted uploads in the browser's storage. */
  readonly keyPrefix: string;
  /** The metadata of the file that tus sends. */
  metadataOf(item: UploadItem): Record<string, string>;
  /** Is called before each file is sent. */
  begin(): Promise<void>;
  /** Has the server fetch the file from a web address. Returns the document. */
  sendAddress(item: UploadItem): Promise<DeskDocument>;
  /** Tries again after a failure. Null if the item has to be sent again. */
  retry(item: UploadItem, document: DeskDocument): Promise<DeskDocument | null>;
  /** Tries again with the password of an encrypted PDF. */
  unlock(item: UploadItem, document: DeskDocument, password: string): Promise<DeskDocument>;
  /** What became of the upload, once the document's processing has ended with this status; null if it was another's. */
  settled(id: number, status: string): Promise<Settled | null>;
  /** A failure in words. `broken` is what is wrong with the file, if that is the reason. */
  failureInWords(reason: string, broken: string | null): string;
}

/** Each file becomes a document. */
export class NewDocuments implements UploadTarget {
  readonly isReplacement = false;
  readonly #api: DeskApi;

  constructor(api: DeskApi) {
    this.#api = api;
  }

  get keyPrefix(): string {
    return `quire-${this.#api.options.user}-`;
  }

  metadataOf(item: UploadItem): Record<string, string> {
    const fields = Object.entries({ ...fieldsOf(item), title: item.title.peek() }).filter(
      ([name, value]) => value !== "" || name === "source",
    );
    const texted = fields.map(([name, value]): [string, string] => {
      if (Array.isArray(value)) return [name, value.join(",")];
      return [name, typeof value === "object" ? JSON.stringify(value) : String(value)];
    });
    return { filename: item.name, ...Object.fromEntries(texted) };
  }

  begin(): Promise<void> {
    return Promise.resolve();
  }

  async sendAddress(item: UploadItem): Promise<DeskDocument> {
    const title = item.title.peek() === "" ? titleIn(item.path) : item.title.peek();
    const fields = { ...fieldsOf(item), title, file_url: item.path };
    return (await this.#api.send("POST", "documents/", fields)) as DeskDocument;
  }

  async retry(item: UploadItem, document: DeskDocument): Promise<DeskDocument | null> {
    if (item.file !== null) return this.#process(item, document, {});
    // The server may never have received the file, so it fetches the address again, for a new document.
    await this.#api.send("DELETE", `documents/${document.id}/`);
    item.document.value = null;
    return null;
  }

  unlock(item: UploadItem, document: DeskDocument, password: string): Promise<DeskDocument> {
    return this.#process(item, document, { password });
  }

  async #process(
    item: UploadItem,
    document: DeskDocument,
    options: Record<string, unknown>,
  ): Promise<DeskDocument> {
    const ocr = item.settings.peek().forceOcr ? { force_ocr: true } : {};
    await this.#api.send("POST", `documents/${document.id}/process/`, { ...ocr, ...options });
    return { ...document, status: "pending" };
  }

  async settled(id: number, status: string): Promise<Settled> {
    if (status === "error") return { reason: await this.#api.errorOf(id) };
    const document = await this.#api.get<DeskDocument>(`documents/${id}/`);
    return { document, message: texts.done(document.page_count) };
  }

  failureInWords(reason: string, broken: string | null): string {
    return broken ?? texts.failed(reason);
  }
}

/** The file replaces that of a document. */
export class Replacement implements UploadTarget {
  readonly isReplacement = true;
  readonly #api: DeskApi;
  readonly #id: number;
  readonly #work: FileWork;

  constructor(api: DeskApi, id: number) {
    this.#api = api;
    this.#id = id;
    this.#work = new FileWork(api, id, "replaced");
  }

  get keyPrefix(): string {
    return `quire-replace-${this.#id}-${this.#api.options.user}-`;
  }

  metadataOf({ name: filename, settings }: UploadItem): Record<string, string> {
    const ocr = settings.peek().forceOcr ? { force_ocr: "true" } : {};
    return { filename, document: String(this.#id), replace: "true", ...ocr };
  }

  /** The file is sent even if the receipts cannot be read now. */
  async begin(): Promise<void> {
    await this.#work.begin().catch(() => undefined);
  }

  sendAddress(item: UploadItem): Promise<DeskDocument> {
    return this.#sendAtOnce(item, "");
  }

  retry(): Promise<null> {
    return Promise.resolve(null);
  }

  /** The server has not kept a file that needs a password, so that is sent again together with it. */
  unlock(item: UploadItem, _: DeskDocument, password: string): Promise<DeskDocument> {
    batch(() => {
      item.state.value = "waiting";
      item.message.value = "";
    });
    return this.#sendAtOnce(item, password);
  }

  /** Sends an address, or the file in one request. */
  async #sendAtOnce(item: UploadItem, password: string): Promise<DeskDocument> {
    await this.begin();
    const form = new FormData();
    if (password !== "") form.set("password", password);
    if (item.settings.peek().forceOcr) form.set("force_ocr", "true");
    if (item.file === null) form.set("file_url", item.path);
    else form.set("file", item.file, item.name);
    await this.#api.send("POST", `documents/${this.#id}/file/`, form);
    return this.#api.get<DeskDocument>(`documents/${this.#id}/`);
  }

  /** If the replacement failed, the document has the status that it had before: only the receipt says so. */
  async settled(): Promise<Settled | null> {
    const receipt = await this.#work.end();
    if (receipt === null) return null;
    const { message } = receipt;
    if (receipt.outcome !== "done") return { reason: typeof message === "string" ? message : texts.noReason };
    const count = (name: string): number => Number(receipt[name] ?? 0);
    const document = await this.#api.get<DeskDocument>(`documents/${this.#id}/`);
    const beyond = count("notes_beyond") + count("sections_beyond");
    return { document, message: texts.replacement.done(document.page_count, beyond) };
  }

  failureInWords(reason: string, broken: string | null): string {
    return texts.replacement.failed(broken ?? reason);
  }
}

function fieldsOf({ settings, isInFolder, path }: UploadItem) {
  const { access, language, source, project, forceOcr } = settings.peek();
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

/** The settings in the metadata of an upload: see {@link UploadTarget.metadataOf}. */
export function settingsIn(metadata: Readonly<Record<string, string>>): Settings {
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
