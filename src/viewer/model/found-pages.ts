import { signal } from "@preact/signals";
import { searchLimits } from "../../contract/limits.ts";
import type { PageHits } from "./hits.ts";

/** The number of matching pages that are fetched at a time. */
export const chunkSize = searchLimits.hitsPerPage;

/** The number of cached chunks, since a long document may match on every page. The least recently used go first. */
const maxChunks = 8;

export interface FoundChunk {
  /** The number of matching pages in the whole document. */
  count: number;
  pages: readonly PageHits[];
}

/**
 * The pages of a document that match a search, in document order. They are fetched in chunks, on demand. The rank of a
 * matching page is its index among all matching pages, counting from 0.
 */
export class FoundPages {
  /** The number of matching pages. */
  readonly count: number;
  readonly #load: (chunk: number) => Promise<FoundChunk>;
  readonly #chunks = new Map<number, readonly PageHits[]>();
  readonly #loading = new Map<number, Promise<readonly PageHits[]>>();
  /** Changes whenever chunks are added or dropped. */
  readonly #changes = signal(0);

  private constructor(load: (chunk: number) => Promise<FoundChunk>, { count, pages }: FoundChunk) {
    this.#load = load;
    this.count = count;
    this.#chunks.set(0, pages);
  }

  /** Fetches the first chunk. `load` fetches the chunk with a number, counting from 0. */
  static async open(load: (chunk: number) => Promise<FoundChunk>): Promise<FoundPages> {
    return new FoundPages(load, await load(0));
  }

  get chunkCount(): number {
    return Math.ceil(this.count / chunkSize);
  }

  /** The number of hits on all pages; null if they do not fit in one chunk. */
  get hitCount(): number | null {
    if (this.chunkCount > 1) return null;
    return (this.#chunks.get(0) ?? []).reduce((sum, { count }) => sum + count, 0);
  }

  /** A chunk, if it is in the cache. */
  findChunk(chunk: number): readonly PageHits[] | undefined {
    void this.#changes.value;
    return this.#chunks.get(chunk);
  }

  async getChunk(chunk: number): Promise<readonly PageHits[]> {
    const known = this.#chunks.get(chunk);
    if (known !== undefined) {
      // Moves the entry to the end: the cache drops the least recently used one.
      this.#chunks.delete(chunk);
      this.#chunks.set(chunk, known);
      return known;
    }
    const loading = this.#loading.get(chunk) ?? this.#fetch(chunk);
    this.#loading.set(chunk, loading);
    return loading;
  }

  async #fetch(chunk: number): Promise<readonly PageHits[]> {
    try {
      const { pages } = await this.#load(chunk);
      this.#chunks.set(chunk, pages);
      for (const oldest of [...this.#chunks.keys()].slice(0, -maxChunks)) this.#chunks.delete(oldest);
      this.#changes.value += 1;
      return pages;
    } finally {
      this.#loading.delete(chunk);
    }
  }

  /** The hits and the rank of a page, if it matches and its chunk is in the cache. */
  findPage(page: number): { hits: PageHits; rank: number } | undefined {
    void this.#changes.value;
    for (const [chunk, pages] of this.#chunks) {
      const index = pages.findIndex((hits) => hits.page === page);
      const hits = pages[index];
      if (hits !== undefined) return { hits, rank: chunk * chunkSize + index };
    }
    return undefined;
  }

  async getRanked(rank: number): Promise<PageHits | undefined> {
    const pages = await this.getChunk(Math.floor(rank / chunkSize));
    return pages[rank % chunkSize];
  }

  /** Whether the cache is enough to tell if a page matches. */
  covers(page: number): boolean {
    void this.#changes.value;
    return Array.from(this.#chunks.keys()).some((chunk) => {
      const [before, pages, after] = [-1, 0, 1].map((step) => this.#chunks.get(chunk + step));
      const [first, last] = [pages?.[0]?.page, pages?.at(-1)?.page];
      if (first === undefined || last === undefined) return this.count === 0;
      const from = chunk === 0 ? 0 : before === undefined ? first : (before.at(-1)?.page ?? first);
      const to =
        chunk === this.chunkCount - 1 ? Infinity : after === undefined ? last : (after[0]?.page ?? last);
      return from <= page && page <= to;
    });
  }

  /**
   * The rank of the first matching page at or after a page; the number of matching pages if there is none. Matches are
   * usually spread over the whole document, so the search interpolates twice before it bisects. `pageCount` is the
   * number of pages of the document.
   */
  async rankFrom(page: number, pageCount: number): Promise<number> {
    let [low, high] = [0, this.chunkCount - 1];
    for (let attempt = 0; low <= high; attempt++) {
      const guess =
        attempt < 2
          ? Math.floor((page / Math.max(1, pageCount)) * this.chunkCount)
          : Math.floor((low + high) / 2);
      const chunk = Math.max(low, Math.min(high, guess));
      const pages = await this.getChunk(chunk);
      const [first, last] = [pages[0]?.page, pages.at(-1)?.page];
      if (first === undefined || last === undefined || page < first) high = chunk - 1;
      else if (page > last) low = chunk + 1;
      else return chunk * chunkSize + pages.findIndex((hits) => hits.page >= page);
    }
    return Math.min(this.count, low * chunkSize);
  }
}
