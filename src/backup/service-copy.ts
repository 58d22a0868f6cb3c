import { dialectOf } from "../database/dialects.ts";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { DatabaseSettings, Reader } from "../database/database.ts";
import {
  type FillingDatabase,
  NotEmptyError,
  type RowSource,
  openForFilling,
} from "../database/transfer/fill.ts";
import type { CopiedTable } from "../database/transfer/tables.ts";
import type { FileStore } from "../files/file-store.ts";
import { runFolder } from "../resources/addons/run-files.ts";
import { keysOfRunFiles } from "../resources/addons/run-store.ts";
import { keysOfDocuments } from "../resources/documents/files/named-files-store.ts";
import { storeAllRecords } from "../resources/documents/record-store.ts";
import { indexNewDocuments } from "../resources/documents/search/index-store.ts";
import { batchesOf } from "../batches.ts";
import { type Hashes, checked, hashesOf } from "./hashes.ts";

/** Where a service is copied to: an empty database, an empty file store, and the data folder for the secret. */
export interface CopyTarget {
  database: DatabaseSettings;
  /** Null if the files stay where they are. */
  files: FileStore | null;
  /** Null if the target has its secret already, or gets it from a setting. */
  secretFolder: string | null;
}

/** The progress of a copy, for people. */
export interface FillProgress {
  rows(done: number, total: number): void;
  indexed(lastId: number): void;
}

/**
 * A service that is being copied from another one or from a backup. Until {@link ServiceCopy.complete} has resolved,
 * Quire refuses to open its database. A later run of the same command copies what is missing.
 */
export class ServiceCopy implements AsyncDisposable {
  readonly #database: FillingDatabase;
  readonly #target: CopyTarget;

  private constructor(database: FillingDatabase, target: CopyTarget) {
    this.#database = database;
    this.#target = target;
  }

  /** @throws {NotEmptyError} */
  static async open(target: CopyTarget, command: string): Promise<ServiceCopy> {
    const database = await openForFilling(target.database, command);
    try {
      const { files } = target;
      if (files !== null && !database.isResumed) {
        for await (const _ of files.folders("documents"))
          throw new NotEmptyError("The store has files of documents already: name an empty one");
      }
      return new ServiceCopy(database, target);
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Stores a file under its key, unless an interrupted run has stored the same file. */
  async putFile(
    { key, sha256, size }: Pick<Hashes, "sha256" | "size"> & { key: string },
    bytes: () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
  ): Promise<void> {
    const { files } = this.#target;
    if (files === null) return;
    if (this.isResumed && (await hasFile(files, { key, sha256, size }))) return;
    await files.put(key, checked(await bytes(), { sha256, name: key }));
  }

  /** Removes files of documents and runs whose keys the database that is being copied does not name. */
  async removeOtherFiles(reader: Reader): Promise<void> {
    const { files } = this.#target;
    if (files === null) return;
    const ofRuns = new Set((await keysOfRunFiles(reader)).map((key) => path.posix.dirname(key)));
    for (const uuid of await Array.fromAsync(files.folders("addon-runs")))
      if (!ofRuns.has(runFolder(uuid))) await files.deleteFolder(runFolder(uuid));
    for await (const folders of batchesOf(files.folders("documents"), 500)) {
      const named = await keysOfDocuments(reader, folders.map(Number).filter(Number.isSafeInteger));
      for (const folder of folders) {
        for (const key of [`documents/${folder}`, `documents/${folder}/original`]) {
          for (const name of await Array.fromAsync(files.names(key)))
            if (!named.has(`${key}/${name}`)) await files.delete(`${key}/${name}`);
        }
      }
    }
  }

  get isResumed(): boolean {
    return this.#database.isResumed;
  }

  /** Writes the secret into the data folder, unless a secret is already there. */
  async putSecret(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { secretFolder } = this.#target;
    if (secretFolder === null) return;
    const content = Buffer.concat(await Array.fromAsync(bytes));
    await mkdir(secretFolder, { recursive: true });
    const handle = await open(path.join(secretFolder, "secret"), "w", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Copies the rows, indexes the texts, stores the records, and completes the database. */
  async complete(
    source: RowSource,
    total: number,
    { signal, progress }: { signal: AbortSignal; progress: FillProgress },
  ): Promise<void> {
    let done = 0;
    const counted: RowSource = {
      ...source,
      async *rows(table: CopiedTable) {
        for await (const batch of source.rows(table)) {
          yield batch;
          progress.rows((done += batch.length), total);
        }
      },
    };
    await this.#database.complete(counted, async (writer) => {
      await indexNewDocuments(writer, (lastId) => {
        progress.indexed(lastId);
        signal.throwIfAborted();
      });
      await storeAllRecords(writer, dialectOf(writer), () => signal.throwIfAborted());
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }
}

/** Whether the store has this content under the key. */
export async function hasFile(
  files: FileStore,
  { key, sha256, size }: Pick<Hashes, "sha256" | "size"> & { key: string },
): Promise<boolean> {
  if ((await files.stat(key))?.size !== size) return false;
  const bytes = await files.read(key);
  return bytes !== null && (await hashesOf(bytes)).sha256 === sha256;
}
