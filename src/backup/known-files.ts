import { BoundedMap } from "../bounded-map.ts";
import { documentOfKey } from "./chunks.ts";
import { WrongContentError } from "./hashes.ts";
import type { CopiedFile } from "./named-files.ts";
import type { Repository } from "./repository.ts";
import type { RowsChunk } from "./repository-format.ts";
import { filesIn } from "./survey.ts";

const chunksInMemory = 8;
const idsInSpan = 500;

/** The files that a repository has according to its lists. Only a few chunks of the lists are in memory at a time. */
export class KnownFiles {
  readonly #repository: Repository;
  /** The chunks that may have files of documents, by spans of the documents' ids. */
  readonly #chunks = new Map<number, RowsChunk[]>();
  readonly #loaded = new BoundedMap<string, Promise<ReadonlyMap<string, CopiedFile>>>(chunksInMemory);

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /**
   * Adds lists. Of two entries with the same key, the one that was added later counts. The files of a chunk that cannot
   * be read are not known.
   */
  async add(chunks: readonly RowsChunk[]): Promise<void> {
    for (const chunk of chunks) {
      const spans = new Set<number>();
      for (const key of (await this.#load(chunk)).keys()) spans.add(spanOf(key));
      for (const span of spans) this.#chunks.set(span, [chunk, ...(this.#chunks.get(span) ?? [])]);
    }
  }

  async find(key: string): Promise<CopiedFile | null> {
    for (const chunk of this.#chunks.get(spanOf(key)) ?? []) {
      const file = (await this.#load(chunk)).get(key);
      if (file !== undefined) return file;
    }
    return null;
  }

  #load(chunk: RowsChunk): Promise<ReadonlyMap<string, CopiedFile>> {
    const loaded = this.#loaded.get(chunk.sha256) ?? this.#read(chunk);
    this.#loaded.set(chunk.sha256, loaded);
    return loaded;
  }

  async #read(chunk: RowsChunk): Promise<ReadonlyMap<string, CopiedFile>> {
    try {
      const files = await Array.fromAsync(filesIn(this.#repository, [chunk]));
      return new Map(files.map((file) => [file.key, file]));
    } catch (error) {
      if (error instanceof WrongContentError) return new Map();
      throw error;
    }
  }
}

const spanOf = (key: string): number => Math.floor(documentOfKey(key) / idsInSpan);
