import type { FileIndex, IndexedFile } from "../database/file-index.ts";
import { type HashedFile, checked, sha256Of } from "./hashes.ts";
import type { Repository } from "./repository.ts";
import type { ObjectFolder, ObjectId, RowsChunk } from "./repository-format.ts";
import { compressRows } from "./rows-text.ts";

/** The objects of a repository as they were listed, and those that this run has stored since. */
export class RepositoryObjects implements Disposable {
  readonly #repository: Repository;
  readonly #index: FileIndex;
  readonly #rowsBytes = new Map<string, number>();
  #wanted: ReadonlySet<string> | null = null;
  newFiles = 0;
  newBytes = 0;

  private constructor(repository: Repository, index: FileIndex) {
    this.#repository = repository;
    this.#index = index;
  }

  static async list(repository: Repository, signal: AbortSignal): Promise<RepositoryObjects> {
    return new RepositoryObjects(repository, await repository.listObjects(signal));
  }

  /** Learns the sizes of rows from the manifest of an earlier backup. */
  expect(chunks: Iterable<RowsChunk>): void {
    for (const { sha256, bytes } of chunks) if (bytes !== undefined) this.#rowsBytes.set(sha256, bytes);
  }

  /** From now on, only these objects are stored. */
  wantOnly(keys: ReadonlySet<string>): void {
    this.#wanted = keys;
  }

  /** Counts an object as missing, so that it is stored again. */
  forget(key: string): void {
    this.#index.delete(key);
  }

  hasKey(key: string): boolean {
    return this.#index.get(key) !== null;
  }

  below(folder: string): Iterable<IndexedFile> {
    return this.#index.below(folder);
  }

  /** Whether the object is there, and has the right length if that is known. */
  has({ folder, sha256, bytes }: ObjectId): boolean {
    const found = this.#index.get(this.#repository.objectKey(folder, sha256));
    return found !== null && (bytes === null || found.size === this.#repository.codec.storedSize(bytes));
  }

  hasFile({ sha256, size }: { sha256: string; size: number }): boolean {
    return this.has({ folder: "files", sha256, bytes: size });
  }

  /** Stores a document's file with this content, unless it is already there. */
  async putFile(content: HashedFile): Promise<void> {
    if (await this.#putContent(content)) this.newFiles += 1;
  }

  async putSecret(content: HashedFile): Promise<void> {
    await this.#putContent(content);
  }

  /** Stores rows, unless the same rows are already there. `lines` has the names of the columns, then the rows. */
  async putRows(lines: readonly string[]): Promise<RowsChunk> {
    const text = lines.join("");
    const sha256 = sha256Of(text);
    const rows = lines.length - 1;
    if (!this.#isWanted(this.#repository.objectKey("rows", sha256))) return { sha256, rows };
    const known = await this.#sizeOfRows(sha256);
    if (known !== null) return { sha256, rows, bytes: known };
    const compressed = await compressRows(text);
    const bytes = compressed.length;
    await this.#put(
      "rows",
      { sha256, bytes },
      (async function* content() {
        yield compressed;
      })(),
    );
    this.#rowsBytes.set(sha256, bytes);
    return { sha256, rows, bytes };
  }

  /**
   * The size of the compressed text of rows, if they are there. The same text may have been compressed to another size
   * by another version, so rows of an unexpected size are read.
   */
  async #sizeOfRows(sha256: string): Promise<number | null> {
    const bytes = this.#rowsBytes.get(sha256) ?? null;
    if (!this.has({ folder: "rows", sha256, bytes: null })) return null;
    if (bytes !== null && this.has({ folder: "rows", sha256, bytes })) return bytes;
    const size = await this.#repository.sizeIfRight(this.#repository.objectKey("rows", sha256));
    if (size !== null) this.#rowsBytes.set(sha256, size);
    return size;
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
  }

  async #putContent({ sha256, size, bytes }: HashedFile): Promise<boolean> {
    if (this.hasFile({ sha256, size })) return false;
    const name = this.#repository.objectKey("files", sha256);
    return this.#put("files", { sha256, bytes: size }, checked(bytes(), { sha256, size, name }));
  }

  /** Returns whether the object was wanted. */
  async #put(
    folder: ObjectFolder,
    { sha256, bytes }: { sha256: string; bytes: number },
    content: AsyncIterable<Uint8Array>,
  ): Promise<boolean> {
    const key = this.#repository.objectKey(folder, sha256);
    if (!this.#isWanted(key)) return false;
    await this.#repository.putObject(key, content);
    this.#index.put({ key, size: this.#repository.codec.storedSize(bytes), modifiedAt: new Date() });
    this.newBytes += bytes;
    return true;
  }

  #isWanted(key: string): boolean {
    return this.#wanted?.has(key) !== false;
  }
}
