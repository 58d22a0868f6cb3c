import { FileIndex } from "../database/file-index.ts";
import type { FileStore } from "../files/file-store.ts";
import { type Codec, plain } from "./codec.ts";
import type { RepositoryKey } from "./encryption.ts";
import { WrongContentError, checked, hashesOf, limited } from "./hashes.ts";
import { type StoredRow, hashOfRows, readRows } from "./rows-text.ts";
import {
  type Manifest,
  type ObjectFolder,
  type RowsChunk,
  type UnfinishedBackup,
  format,
  momentOfName,
  nameOfBackup,
  objectFolders,
} from "./repository-format.ts";

/** What an encrypted repository says about itself. */
interface RepositoryConfig {
  format: number;
  encryption: "age";
  /** See {@link RepositoryKey.id}. */
  key: string;
}

/** The key file that a repository needs is missing or is another one. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

const encryptedFormat = 2;
const configKey = "config.json";
const unfinishedKey = "unfinished.json";
/** A backup may come from a stranger: larger JSON is refused before it fills the memory. */
const maxBytes = 32 * 1024 * 1024;

/** A folder or a bucket with backups. */
export class Repository {
  readonly store: FileStore;
  readonly codec: Codec;
  /** What the first run writes into the repository; null if that has been done, or if it is not encrypted. */
  readonly #newConfig: RepositoryConfig | null;

  private constructor(store: FileStore, codec: Codec, newConfig: RepositoryConfig | null) {
    this.store = store;
    this.codec = codec;
    this.#newConfig = newConfig;
  }

  /**
   * A new repository is encrypted if there is a key.
   *
   * @throws {KeyFileError}
   */
  static async open(store: FileStore, key: RepositoryKey | null = null): Promise<Repository> {
    const found = await store.read(configKey);
    if (found === null) {
      if (key === null) return new Repository(store, plain, null);
      if ((await store.stat(unfinishedKey)) !== null || (await hasFiles(store, "backups"))) {
        throw new KeyFileError(
          "The backups there are not encrypted: leave out the key file, or name another folder for encrypted ones",
        );
      }
      return new Repository(store, key.codec, { format: encryptedFormat, encryption: "age", key: key.id });
    }
    const config = JSON.parse(
      String(await limited(found, { maxBytes, name: configKey })),
    ) as RepositoryConfig;
    if (config.format !== encryptedFormat || config.encryption !== "age") {
      throw new KeyFileError("A newer Quire has made this repository, and can read it");
    }
    if (key === null) {
      throw new KeyFileError(
        "The backups there are encrypted: name their key file with --key-file or QUIRE_BACKUP_KEY_FILE",
      );
    }
    if (config.key !== key.id) {
      throw new KeyFileError("The key file is not the one with which the backups there are encrypted");
    }
    return new Repository(store, key.codec, null);
  }

  /** Prepares a new repository for its first backup. */
  async begin(): Promise<void> {
    if (this.#newConfig !== null)
      await this.store.put(configKey, bytesOf(Buffer.from(`${JSON.stringify(this.#newConfig)}\n`)));
  }

  /** The names of the finished backups, oldest first. */
  async names(): Promise<string[]> {
    const names: string[] = [];
    const end = `.json${this.codec.suffix}`;
    for await (const file of this.store.names("backups")) {
      const name = file.slice(0, -end.length);
      if (file.endsWith(end) && momentOfName(name) !== null) names.push(name);
    }
    return names.toSorted();
  }

  /**
   * @throws {WrongContentError} if the manifest cannot be read.
   * @throws {Error} if the backup does not exist or has a newer format.
   */
  async manifest(name: string): Promise<Manifest> {
    const manifest = await this.json<Manifest & { format: number }>(manifestKey(name));
    if (manifest === null) throw new Error(`There is no backup ${name} there`);
    if (manifest.format !== format) {
      throw new Error(
        `Backup ${name} has format ${String(manifest.format)}: a newer Quire made it, and can restore it`,
      );
    }
    if (!isManifest(manifest)) throw new WrongContentError(`The manifest of backup ${name} is not one`);
    return manifest;
  }

  /** Finishes a backup, which exists from then on. Returns its name, which no other backup has. */
  async finish(manifest: Manifest): Promise<string> {
    const taken = await this.names();
    let at = new Date(manifest.at);
    while (taken.includes(nameOfBackup(at))) at = new Date(at.getTime() + 1000);
    const name = nameOfBackup(at);
    await this.#put(manifestKey(name), `${JSON.stringify(manifest, null, 1)}\n`);
    await this.deleteJson(unfinishedKey);
    return name;
  }

  async removeBackup(name: string): Promise<void> {
    await this.deleteJson(manifestKey(name));
  }

  /** Null if the last backup is finished. */
  async findUnfinished(): Promise<UnfinishedBackup | null> {
    return this.json(unfinishedKey);
  }

  async saveUnfinished(state: UnfinishedBackup): Promise<void> {
    await this.putJson(unfinishedKey, state);
  }

  /**
   * The content of a file of the repository that is JSON; null if there is no such file.
   *
   * @throws {WrongContentError}
   */
  async json<T>(key: string): Promise<T | null> {
    const bytes = await this.store.read(key + this.codec.suffix);
    if (bytes === null) return null;
    const content = await limited(this.codec.decode(bytes, key), { maxBytes, name: key });
    try {
      return JSON.parse(String(content)) as T;
    } catch (error) {
      throw new WrongContentError(`${key} cannot be read`, { cause: error });
    }
  }

  async putJson(key: string, value: unknown): Promise<void> {
    await this.#put(key, JSON.stringify(value));
  }

  async deleteJson(key: string): Promise<void> {
    await this.store.delete(key + this.codec.suffix);
  }

  /** The key of the object whose content has this SHA-256. */
  objectKey(folder: ObjectFolder, sha256: string): string {
    const name = this.codec.name(sha256);
    return `${folder}/${name.slice(0, 2)}/${name}${folder === "rows" ? ".ndjson.gz" : ""}${this.codec.suffix}`;
  }

  /** All objects by their keys, with their stored sizes. */
  async listObjects(signal?: AbortSignal): Promise<FileIndex> {
    const index = new FileIndex();
    try {
      for (const folder of objectFolders) {
        for await (const file of this.store.list(folder)) {
          signal?.throwIfAborted();
          index.put(file);
        }
      }
      return index;
    } catch (error) {
      index[Symbol.dispose]();
      throw error;
    }
  }

  async putObject(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await this.store.put(key, this.codec.encode(bytes));
  }

  /** The bytes of a file. The stream ends with an error if they do not match the hash. @throws {WrongContentError} */
  async file(sha256: string, size?: number): Promise<AsyncGenerator<Uint8Array>> {
    const key = this.objectKey("files", sha256);
    return checked(await this.#read(key), { sha256, name: key, ...(size !== undefined && { size }) });
  }

  /** @throws {WrongContentError} */
  async rows({ sha256, rows }: RowsChunk): Promise<StoredRow[]> {
    const key = this.objectKey("rows", sha256);
    return readRows(await this.#read(key), { sha256, rows, name: key });
  }

  /**
   * The size of an object before it was encrypted; null if it is missing, or if its content is not the one that its key
   * names.
   */
  async sizeIfRight(key: string): Promise<number | null> {
    const bytes = await this.store.read(key);
    if (bytes === null) return null;
    let size = 0;
    const decoded = this.codec.decode(bytes, key);
    const counted = async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of decoded) {
        size += chunk.length;
        yield chunk;
      }
    };
    try {
      const isOfRows = key.startsWith("rows/");
      const sha256 = isOfRows ? await hashOfRows(counted(), key) : (await hashesOf(counted())).sha256;
      return this.objectKey(isOfRows ? "rows" : "files", sha256) === key ? size : null;
    } catch (error) {
      if (error instanceof WrongContentError) return null;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.store.close();
  }

  async #read(key: string): Promise<AsyncIterable<Uint8Array>> {
    const bytes = await this.store.read(key);
    if (bytes === null) throw new WrongContentError(`${key} is missing`);
    return this.codec.decode(bytes, key);
  }

  async #put(key: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    if (content.length > maxBytes) throw new Error(`${key} would have more than ${maxBytes} bytes`);
    await this.store.put(key + this.codec.suffix, this.codec.encode(bytesOf(content)));
  }
}

const manifestKey = (name: string): string => `backups/${name}.json`;

/** Whether a manifest has the members without which it cannot be read. */
function isManifest({ migrations, lastIds, tables, files, secret }: Partial<Manifest>): boolean {
  if (!Array.isArray(migrations) || !isObject(lastIds) || !isObject(tables) || !isObject(files)) return false;
  const isOfRows = [...Object.values(tables ?? {}), files].every(
    (table) => Array.isArray(table?.chunks) && table.chunks.every(({ sha256 }) => isHash(sha256)),
  );
  return isOfRows && (secret === null || isHash(secret));
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const isHash = (text: unknown): boolean => /^[\da-f]{64}$/.test(String(text));

async function hasFiles(store: FileStore, folder: string): Promise<boolean> {
  for await (const _ of store.names(folder)) return true;
  return false;
}

async function* bytesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
