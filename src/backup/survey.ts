import { HashSet } from "../database/hash-set.ts";
import { WrongContentError } from "./hashes.ts";
import type { CopiedFile } from "./named-files.ts";
import type { RepositoryObjects } from "./objects.ts";
import { type Manifest, type ObjectId, type RowsChunk, objectsOf } from "./repository-format.ts";
import type { Repository } from "./repository.ts";

/** The files that the lists of a backup name. @throws {WrongContentError} */
export async function* filesIn(
  repository: Repository,
  chunks: readonly RowsChunk[],
): AsyncGenerator<CopiedFile> {
  for (const chunk of chunks) {
    for (const row of await repository.rows(chunk)) {
      if (!isCopiedFile(row))
        throw new WrongContentError("it names something that is no file of a document or a run");
      yield row;
    }
  }
}

const ofDocument = /^documents\/\d+\/(?:original\/)?[\w-][\w.-]*$/;
const ofRun = /^addon-runs\/[\da-f-]{36}\/[\da-f]{32}$/;

function isCopiedFile(row: object): row is CopiedFile {
  const { key, sha256, size } = row as Partial<CopiedFile>;
  const isKey = typeof key === "string" && (ofDocument.test(key) || ofRun.test(key));
  return isKey && /^[\da-f]{64}$/.test(String(sha256)) && Number.isSafeInteger(size);
}

/** A backup that lacks objects. */
export interface IncompleteBackup {
  name: string;
  /** How many objects are missing, damaged, or of another length. */
  missing: number;
  /** Whether a list of its files cannot be read, so that it is not known which files it needs. */
  isListLost: boolean;
}

/** Compares backups with the objects of a repository, and collects the objects that they need. */
export class Survey implements Disposable {
  readonly #repository: Repository;
  readonly #objects: RepositoryObjects;
  readonly #needed = new HashSet();
  /** The lists of files that have been read, and how many of their files are missing. Backups share most of them. */
  readonly #lists = new Map<string, number>();
  #isListLost = false;

  constructor(repository: Repository, objects: RepositoryObjects) {
    this.#repository = repository;
    this.#objects = objects;
  }

  /** Whether all needed objects are known. If not, nothing may be removed. */
  get knowsAll(): boolean {
    return !this.#isListLost;
  }

  /** Whether one of the surveyed backups needs the object with this key. */
  needs(key: string): boolean {
    return this.#needed.has(hashOfKey(key));
  }

  /** Null if the backup has all of its objects. */
  async add(name: string): Promise<IncompleteBackup | null> {
    let manifest: Manifest;
    try {
      manifest = await this.#repository.manifest(name);
    } catch (error) {
      if (!(error instanceof WrongContentError)) throw error;
      this.#isListLost = true;
      return { name, missing: 1, isListLost: true };
    }
    return this.addManifest(name, manifest);
  }

  async addManifest(name: string, manifest: Manifest): Promise<IncompleteBackup | null> {
    let missing = 0;
    let isListLost = false;
    for (const object of objectsOf(manifest)) if (!(await this.#note(object))) missing += 1;
    for (const chunk of manifest.files.chunks) {
      const lost = await this.#missingIn(chunk);
      if (lost === null) isListLost = true;
      else missing += lost;
    }
    if (isListLost) this.#isListLost = true;
    return missing === 0 && !isListLost ? null : { name, missing, isListLost };
  }

  [Symbol.dispose](): void {
    this.#needed[Symbol.dispose]();
  }

  /** The number of missing files of a list; null if the list cannot be read. */
  async #missingIn(chunk: RowsChunk): Promise<number | null> {
    const known = this.#lists.get(chunk.sha256);
    if (known !== undefined) return known;
    let missing = 0;
    try {
      for await (const { sha256, size } of filesIn(this.#repository, [chunk]))
        if (!(await this.#note({ folder: "files", sha256, bytes: size }))) missing += 1;
    } catch (error) {
      if (error instanceof WrongContentError) return null;
      throw error;
    }
    this.#lists.set(chunk.sha256, missing);
    return missing;
  }

  /** Notes that an object is needed. Returns whether it is there. */
  async #note(object: ObjectId): Promise<boolean> {
    const key = this.#repository.objectKey(object.folder, object.sha256);
    this.#needed.add(hashOfKey(key));
    if (this.#objects.has(object)) return true;
    // Rows may have been compressed by another version, to another size.
    const isOfOtherSize = object.folder === "rows" && this.#objects.hasKey(key);
    return isOfOtherSize && (await this.#repository.sizeIfRight(key)) !== null;
  }
}

/** The hash in the key of an object: `files/ab/ab12…`. */
const hashOfKey = (key: string): string => key.slice(key.lastIndexOf("/") + 1).slice(0, 64);
