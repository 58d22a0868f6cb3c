import { signal } from "@preact/signals";
import type { PageHits } from "./hits.ts";

/** The number of matching pages that are fetched at a time. */
export const chunkSize = 100;

/** Chunks beyond these are forgotten, the one that was used longest ago first: a long document may match on every page. */
const maxChunks = 8;

export interface FoundChunk {
  /** The number of matching pages in the whole document. */
  count: number;
  pages: readonly PageHits[];
}

/**
 * The pages of a document that match a search, in the order of the document. They are fetched in chunks, as they are
 * needed. The rank of a matching page is its number among all of them, counting from 0.
 */
export class FoundPages {
  /** The number of matching pages. */
  readonly count: number;
  readonly #load: (chunk: number) => Promise<FoundChunk>;
  readonly #chunks = new Map<number, readonly PageHits[]>();
  readonly #loading = new Map<number, Promise<readonly PageHits[]>>();
  /** Changes whenever chunks come or go. */
  readonly #changes = signal(0);

  private constructor(load: (chunk: number) => Promise<FoundChunk>, { count, pages }: FoundChunk) {
    this.#load = load;
    this.count = count;
    this.#chunks.set(0, pages);
  }

  /** Fetches the first chunk. `load` fetches any, counting from 0. */
  static async open(load: (chunk: number) => Promise<FoundChunk>): Promise<FoundPages> {
    return new FoundPages(load, await load(0));
  }

  get chunkCount(): number {
    return Math.ceil(this.count / chunkSize);
  }

  /** The number of hits on all pages; null if there are too many pages to know. */
  get hitCount(): number | null {
    if (this.chunkCount > 1) return null;
    return (this.#chunks.get(0) ?? []).reduce((sum, { count }) => sum + count, 0);
  }

  /** A chunk that has been fetched. */
  findChunk(chunk: number): readonly PageHits[] | undefined {
    void this.#changes.value;
    return this.#chunks.get(chunk);
  }

  async getChunk(chunk: number): Promise<readonly PageHits[]> {
    const known = this.#chunks.get(chunk);
    if (known !== undefined) {
      // Used again, so it is the newest.
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

  /** A page that matches, if it has been fetched. */
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

  /** Whether it is known if a page matches. */
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
   * mostly spread over a document, so the chunk is guessed first and then halved. `pageCount` is the document's.
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
