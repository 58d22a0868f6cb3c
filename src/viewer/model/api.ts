import type {
  DocumentMail,
  DocumentTable,
  DocumentWithParts,
  OutlineEntry,
} from "../../contract/document.ts";
import type { Hits } from "../../contract/search.ts";
import { maxTableRows } from "../../contract/limits.ts";
import { type FoundChunk, chunkSize } from "./found-pages.ts";
import { readHits } from "./hits.ts";
import { Client, type Network, RefusedError } from "./send.ts";
import type { PageWord } from "./words.ts";

/** A document as the viewer reads it, with its notes and sections. */
export type DocumentRecord = DocumentWithParts;

/** The members that the addresses of page images need. */
type FileFacts = Pick<DocumentRecord, "id" | "slug" | "file_hash" | "updated_at">;

/** The extensions of originals that the API serves as tables, and as mails. */
const tableExtensions: ReadonlySet<string> = new Set(["csv", "xlsm", "xlsx", "xltm", "xltx"]);
const mailExtensions: ReadonlySet<string> = new Set(["eml", "msg"]);
export const isTable = ({ original_extension }: DocumentRecord): boolean =>
  tableExtensions.has(original_extension);
export const isMail = ({ original_extension }: DocumentRecord): boolean =>
  mailExtensions.has(original_extension);

/** The number of rows fetched per request: few at first, so that they appear quickly. */
const [firstRows, moreRows] = [200, maxTableRows];

/** The widths of page images in pixels, by the names that DocumentCloud gave them. */
const imageSizes = [
  { name: "small", width: 180 },
  { name: "normal", width: 700 },
  { name: "large", width: 1000 },
  { name: "xlarge", width: 2000 },
] as const;

/** The number of pages whose words are cached, so that scrolling back and forth fetches nothing. */
const maxKept = 40;

/** The number of attempts to read an original while the server is busy. */
const maxAttempts = 4;

interface ApiOptions {
  root: string;
  files: string;
  /** The id of the document. */
  id: number;
  imageType: string | null;
  /** Whether this reader may look at the pages alone. */
  isOnlyRead?: boolean;
  /** The page on which this reader runs add-ons; null for people who run none. */
  addons?: string | null;
  /** The CSRF token of a reader who has signed in and may write; null for everyone else. */
  csrfToken?: string | null;
  network?: Network;
}

/** The public API of a server, for one document. */
export class Api extends Client {
  readonly #files: string;
  readonly #isOnlyRead: boolean;
  /** The path of the document below the root of the API, with a slash at the end. */
  readonly path: string;
  /** The extension of page images: "webp" or "gif". Null if there is no file from which to make them. */
  imageType: string | null;
  readonly addons: string | null;
  #outline: Promise<OutlineEntry[]> | undefined;
  readonly #words = new Map<string, PageWord[]>();

  /** `root` is the address of the API, `/api/`, and `files` the address below which this reader finds the files. */
  constructor({
    root,
    files,
    id,
    imageType,
    isOnlyRead = false,
    addons = null,
    csrfToken = null,
    network,
  }: ApiOptions) {
    super(root, csrfToken, network);
    this.addons = addons;
    this.#isOnlyRead = isOnlyRead;
    this.#files = files;
    this.path = `documents/${id}/`;
    this.imageType = imageType;
  }

  /** The address of the document in the API, with a slash at the end. */
  get address(): string {
    return this.addressOf(this.path);
  }

  /** Reads the record from the address that the page preloads. */
  record(): Promise<DocumentRecord> {
    return this.get(`${this.path}?expand=notes,sections`);
  }

  /** The outline in the PDF; empty if it has none, or if there is no PDF. */
  outline(): Promise<OutlineEntry[]> {
    this.#outline ??= this.get<{ results: OutlineEntry[] }>(`${this.path}outline/`).then(
      ({ results }) => results,
      (error: unknown) => {
        if (isMissing(error)) return [];
        this.#outline = undefined;
        throw error;
      },
    );
    return this.#outline;
  }

  /** The rows of the original from `offset` on. Sheets and rows are counted from 0. */
  table(sheet: number, offset: number): Promise<DocumentTable> {
    const limit = String(offset === 0 ? firstRows : moreRows);
    const range = new URLSearchParams({ sheet: String(sheet), offset: String(offset), limit });
    return this.#getWithRetries(`${this.path}table/?${range}`);
  }

  /** The headers and attachments of the original. */
  mail(): Promise<DocumentMail> {
    return this.#getWithRetries(`${this.path}mail/`);
  }

  get eventsAddress(): string {
    return this.addressOf(`${this.path}process/events/`);
  }

  /** The files of a document that can be downloaded: its PDF, and the original of another type. */
  downloadsOf({
    id,
    slug,
    status,
    original_extension: original,
  }: Pick<DocumentRecord, "id" | "slug" | "status" | "original_extension">): {
    extension: string;
    address: string;
  }[] {
    if (status === "nofile" || this.#isOnlyRead) return [];
    const isOriginal = original !== "" && original !== "pdf";
    return [...(this.imageType === null ? [] : ["pdf"]), ...(isOriginal ? [original] : [])].map(
      (extension) => ({
        extension,
        address: `${this.#files}documents/${id}/${encodeURIComponent(slug)}.${extension}`,
      }),
    );
  }

  /** The HTML that embeds the document, page or note at an address. */
  async embedCode(address: string): Promise<string> {
    return (await this.get<{ html: string }>(`oembed/?url=${encodeURIComponent(address)}`)).html;
  }

  /** One chunk of the pages that match a query, in document order. Chunks are counted from 0. */
  async search(query: string, chunk: number, signal: AbortSignal): Promise<FoundChunk> {
    const parameters = new URLSearchParams({
      q: query,
      paged: "true",
      page: String(chunk + 1),
      per_page: String(chunkSize),
    });
    const { count, results } = await this.get<Hits>(`${this.path}search/?${parameters}`, signal);
    return { count, pages: readHits(results, query) };
  }

  /**
   * The address of the smallest image of a page with about `width` device pixels or more, or else of the largest. Null
   * if the document has no images. Pages are counted from 0.
   */
  imageAddress(record: FileFacts, page: number, width: number): string | null {
    if (this.imageType === null) return null;
    const sizes = this.#isOnlyRead ? imageSizes.slice(0, -1) : imageSizes;
    const size = sizes.find((candidate) => candidate.width >= width * 0.9) ?? sizes.at(-1);
    const address = `${this.#pageAddress(record, page)}-${size?.name}.${this.imageType}`;
    return `${address}?v=${encodeURIComponent(versionOf(record))}`;
  }

  /** The words of a page with their positions; empty if they are unknown. */
  async words(record: DocumentRecord, page: number, signal: AbortSignal): Promise<PageWord[]> {
    const address = `${this.#pageAddress(record, page)}.position.json?v=${encodeURIComponent(versionOf(record))}`;
    const words = this.#words.get(address) ?? (await this.#findWords(address, signal));
    // Moves the entry to the end: the cache drops the least recently used one.
    this.#words.delete(address);
    this.#words.set(address, words);
    for (const oldest of [...this.#words.keys()].slice(0, -maxKept)) this.#words.delete(oldest);
    return words;
  }

  async text(record: DocumentRecord, page: number, signal?: AbortSignal): Promise<string> {
    const address = `${this.#pageAddress(record, page)}.txt?v=${encodeURIComponent(versionOf(record))}`;
    return (await this.request("GET", address, { signal })).text;
  }

  async #findWords(address: string, signal: AbortSignal): Promise<PageWord[]> {
    try {
      return JSON.parse((await this.request("GET", address, { signal })).text) as PageWord[];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Retries after the delay that the server asks for: it reads only a few originals at a time. */
  async #getWithRetries<Body>(path: string): Promise<Body> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.get<Body>(path);
      } catch (error) {
        const wait = error instanceof RefusedError ? error.retryAfter : null;
        if (wait === null || attempt === maxAttempts) throw error;
        await new Promise((waited) => setTimeout(waited, wait * 1000));
      }
    }
  }

  #pageAddress({ id, slug }: FileFacts, page: number): string {
    return `${this.#files}documents/${id}/pages/${encodeURIComponent(slug)}-p${page + 1}`;
  }
}

/** A text that changes whenever the file or its texts change. */
function versionOf({ file_hash, updated_at }: FileFacts): string {
  return `${file_hash.slice(0, 8)}-${Date.parse(updated_at).toString(36)}`;
}

const isMissing = (error: unknown): boolean => error instanceof RefusedError && error.status === 404;
