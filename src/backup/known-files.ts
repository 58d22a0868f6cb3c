import type { BackupPlace, RowsChunk } from "./backup-place.ts";
import type { CopiedFile } from "./named-files.ts";

const chunksInMemory = 8;

interface KnownChunk extends RowsChunk {
  /** The ids of the documents of its files. */
  first: number;
  last: number;
}

/** The files that a place has according to its lists. Only a few chunks of the lists are in memory at a time. */
export class KnownFiles {
  readonly #place: BackupPlace;
  readonly #chunks: KnownChunk[] = [];
  readonly #loaded = new Map<string, Promise<ReadonlyMap<string, CopiedFile>>>();

  constructor(place: BackupPlace) {
    this.#place = place;
  }

  /** Adds lists. Of two entries with the same key, the one that was added later counts. */
  async add(chunks: readonly RowsChunk[]): Promise<void> {
    for (const chunk of chunks) {
      const known = { ...chunk, first: Infinity, last: -Infinity };
      for (const key of (await this.#load(chunk)).keys()) {
        known.first = Math.min(known.first, documentOf(key));
        known.last = Math.max(known.last, documentOf(key));
      }
      this.#chunks.push(known);
    }
  }

  async find(key: string): Promise<CopiedFile | null> {
    const document = documentOf(key);
    for (const chunk of this.#chunks.toReversed()) {
      if (document < chunk.first || document > chunk.last) continue;
      const file = (await this.#load(chunk)).get(key);
      if (file !== undefined) return file;
    }
    return null;
  }

  #load(chunk: RowsChunk): Promise<ReadonlyMap<string, CopiedFile>> {
    const loaded = this.#loaded.get(chunk.sha256) ?? this.#read(chunk);
    // The most recently used chunk is the last one.
    this.#loaded.delete(chunk.sha256);
    this.#loaded.set(chunk.sha256, loaded);
    const [oldest = ""] = this.#loaded.keys();
    if (this.#loaded.size > chunksInMemory) this.#loaded.delete(oldest);
    return loaded;
  }

  async #read(chunk: RowsChunk): Promise<ReadonlyMap<string, CopiedFile>> {
    const rows = (await this.#place.rows(chunk)) as unknown as CopiedFile[];
    return new Map(rows.map((file) => [file.key, file]));
  }
}

/** The id in a key such as `documents/7/a.pdf`. */
function documentOf(key: string): number {
  return Number(key.split("/")[1]);
}
