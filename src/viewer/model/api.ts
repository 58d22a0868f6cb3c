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
import { type Network, browserNetwork } from "./send.ts";
import type { PageWord } from "./words.ts";

/** A document as the viewer reads it, with its notes and sections. */
export type DocumentRecord = DocumentWithParts;

/** The members that the addresses of page images need. */
type FileFacts = Pick<DocumentRecord, "id" | "slug" | "file_hash" | "updated_at">;

/** The extensions of originals that the API serves as tables. */
const tableExtensions: ReadonlySet<string> = new Set(["csv", "xlsx"]);
export const isTable = ({ original_extension }: DocumentRecord): boolean =>
  tableExtensions.has(original_extension);
export const isMail = ({ original_extension }: DocumentRecord): boolean => original_extension === "eml";

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
  network?: Network;
}

/** The public API of a server, for one document. */
export class Api {
  readonly #root: string;
  readonly #files: string;
  readonly #id: number;
  readonly network: Network;
  /** The extension of page images: "webp" or "gif". Null if there is no file from which to make them. */
  imageType: string | null;
  #outline: Promise<OutlineEntry[]> | undefined;
  readonly #words = new Map<string, PageWord[]>();

  /** `root` is the address of the API, `/api/`, and `files` the address below which this reader finds the files. */
  constructor({ root, files, id, imageType, network = browserNetwork }: ApiOptions) {
    this.network = network;
    this.#root = root;
    this.#files = files;
    this.#id = id;
    this.imageType = imageType;
  }

  /** The address of the API, with a slash at the end. */
  get root(): string {
    return this.#root;
  }

  /** The address of the document in the API, with a slash at the end. */
  get address(): string {
    return `${this.#root}documents/${this.#id}/`;
  }

  /** The address that {@link Api.record} reads; the page preloads it. */
  get recordAddress(): string {
    return `${this.address}?expand=notes,sections`;
  }

  record(): Promise<DocumentRecord> {
    return this.#getJson(this.recordAddress) as Promise<DocumentRecord>;
  }

  /** The outline in the PDF; empty if it has none, or if there is no PDF. */
  outline(): Promise<OutlineEntry[]> {
    this.#outline ??= this.#getJson(`${this.address}outline/`).then(
      (answer) => (answer as { results: OutlineEntry[] }).results,
      (error: unknown) => {
        if (error instanceof AnswerError && error.status === 404) return [];
        this.#outline = undefined;
        throw error;
      },
    );
    return this.#outline;
  }

  /** The rows of the original from `offset` on. Sheets and rows are counted from 0. */
  async table(sheet: number, offset: number): Promise<DocumentTable> {
    const limit = String(offset === 0 ? firstRows : moreRows);
    const range = new URLSearchParams({ sheet: String(sheet), offset: String(offset), limit });
    return (await this.#getPatiently(`${this.address}table/?${range}`)) as DocumentTable;
  }

  /** The headers and attachments of the original. */
  async mail(): Promise<DocumentMail> {
    return (await this.#getPatiently(`${this.address}mail/`)) as DocumentMail;
  }

  get eventsAddress(): string {
    return `${this.address}process/events/`;
  }

  /** The HTML that embeds the document, page or note at an address. */
  async embedCode(address: string): Promise<string> {
    const answer = await this.#getJson(`${this.#root}oembed/?url=${encodeURIComponent(address)}`);
    return (answer as { html: string }).html;
  }

  /** One chunk of the pages that match a query, in document order. Chunks are counted from 0. */
  async search(query: string, chunk: number, signal: AbortSignal): Promise<FoundChunk> {
    const parameters = new URLSearchParams({
      q: query,
      paged: "true",
      page: String(chunk + 1),
      per_page: String(chunkSize),
    });
    const answer = await this.#getJson(`${this.address}search/?${parameters}`, signal);
    const { count, results } = answer as Hits;
    return { count, pages: readHits(results, query) };
  }

  /**
   * The address of the smallest image of a page with about `width` device pixels or more, or else of the largest. Null
   * if the document has no images. Pages are counted from 0.
   */
  imageAddress(record: FileFacts, page: number, width: number): string | null {
    if (this.imageType === null) return null;
    const size = imageSizes.find((one) => one.width >= width * 0.9) ?? imageSizes[imageSizes.length - 1];
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
    const answer = await this.network.fetch(address, signal === undefined ? {} : { signal });
    if (!answer.ok) throw new AnswerError(answer.status);
    return answer.text();
  }

  async #getJson(address: string, signal?: AbortSignal): Promise<unknown> {
    const answer = await this.network.fetch(address, signal === undefined ? {} : { signal });
    if (!answer.ok) {
      const wait = Number(answer.headers.get("retry-after") ?? "");
      const said = (await answer.json().catch(() => null)) as { error?: unknown } | null;
      const reason = typeof said?.error === "string" ? said.error : null;
      throw new AnswerError(answer.status, wait > 0 ? wait : null, reason);
    }
    return answer.json();
  }

  async #findWords(address: string, signal: AbortSignal): Promise<PageWord[]> {
    try {
      return (await this.#getJson(address, signal)) as PageWord[];
    } catch (error) {
      if (error instanceof AnswerError && error.status === 404) return [];
      throw error;
    }
  }

  /** Retries after the delay that the server asks for: it reads only a few originals at a time. */
  async #getPatiently(address: string): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#getJson(address);
      } catch (error) {
        const wait = error instanceof AnswerError ? error.retryAfter : null;
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

/** The server answered with an error. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
  readonly status: number;
  /** The seconds in the `Retry-After` header; null without one. */
  readonly retryAfter: number | null;
  /** The server's explanation of the error; null if there is none. */
  readonly reason: string | null;

  constructor(status: number, retryAfter: number | null = null, reason: string | null = null) {
    super(`The server answered ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
    this.reason = reason;
  }
}
