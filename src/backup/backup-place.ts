import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { FileStore } from "../files/file-store.ts";
import { HashSet } from "../database/hash-set.ts";
import { WrongContentError, checked, sha256Of } from "./hashes.ts";

/*
 * A backup place holds any number of backups:
 *
 *   backups/2026-11-22T05-20-00Z.json   the manifest of a finished backup: written last
 *   files/ab/ab12…                      a file of a document, under the SHA-256 of its content
 *   rows/cd/cd34….ndjson.gz             some rows of a table, under the SHA-256 of the uncompressed text
 *   unfinished.json                     the progress of an unfinished backup
 *
 * Files in the place never change. Backups share equal content.
 */

export const format = 1;

/**
 * Some rows of a table, stored as text: one line with the names of the columns, and one line of values for each row.
 */
export interface RowsChunk {
  sha256: string;
  rows: number;
}

export interface BackedUpTable {
  rows: number;
  chunks: RowsChunk[];
}

/** The manifest of a finished backup: its contents, and their number and size. */
export interface Manifest {
  format: typeof format;
  /** The version of Quire that made it. */
  quire: string;
  /** The moment, in UTC, whose contents the backup has. */
  at: string;
  /** The engine of the database. A backup can be restored into either. */
  engine: string;
  migrations: string[];
  lastIds: Record<string, number>;
  tables: Record<string, BackedUpTable>;
  files: BackedUpTable & { bytes: number };
  /** The SHA-256 of the data folder's secret, which is among the files; null if the secret is a setting. */
  secret: string | null;
}

/** The progress of an unfinished backup: lists of the files that it has copied. */
export interface UnfinishedBackup {
  began_at: string;
  files: RowsChunk[];
}

const unfinishedKey = "unfinished.json";
const compress = promisify(gzip);
const uncompress = promisify(gunzip);

export class BackupPlace {
  readonly #store: FileStore;

  constructor(store: FileStore) {
    this.#store = store;
  }

  /** The names of the finished backups, oldest first. */
  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#store.names("backups")) {
      if (name.endsWith(".json")) names.push(name.slice(0, -".json".length));
    }
    return names.toSorted();
  }

  /** @throws {Error} if the backup does not exist or has a newer format. */
  async manifest(name: string): Promise<Manifest> {
    const read = await this.#json(manifestKey(name));
    if (read === null) throw new Error(`There is no backup ${name} there`);
    const manifest = read as Manifest & { format: number };
    if (manifest.format !== format) {
      throw new Error(
        `Backup ${name} has format ${String(manifest.format)}: a newer Quire made it, and can restore it`,
      );
    }
    return manifest;
  }

  /** Finishes a backup, which exists from then on. Returns its name. */
  async finish(manifest: Manifest): Promise<string> {
    const name = `${manifest.at.slice(0, 19).replaceAll(":", "-")}Z`;
    await this.#store.put(manifestKey(name), bytesOf(`${JSON.stringify(manifest, null, 1)}\n`));
    await this.#store.delete(unfinishedKey);
    return name;
  }

  /** Null if the last backup is finished. */
  async findUnfinished(): Promise<UnfinishedBackup | null> {
    return (await this.#json(unfinishedKey)) as UnfinishedBackup | null;
  }

  async saveUnfinished(state: UnfinishedBackup): Promise<void> {
    await this.#store.put(unfinishedKey, bytesOf(JSON.stringify(state)));
  }

  /** Stores a file with this content, unless it is already there. Returns whether it was new. */
  async putFile(
    { sha256, size }: { sha256: string; size: number },
    bytes: () => AsyncIterable<unknown>,
  ): Promise<boolean> {
    const key = fileKey(sha256);
    if ((await this.#store.stat(key))?.size === size) return false;
    await this.#store.put(key, checked(bytes(), { sha256, name: key }));
    return true;
  }

  /** The bytes of a file. The stream ends with an error if they do not match the hash. */
  async file(sha256: string): Promise<AsyncGenerator<Uint8Array>> {
    const key = fileKey(sha256);
    const bytes = await this.#store.read(key);
    if (bytes === null) throw new WrongContentError(`${key} is missing`);
    return checked(bytes, { sha256, name: key });
  }

  /** Stores rows, unless the same rows are already there. `lines` has the names of the columns, then the rows. */
  async putRows(lines: readonly string[]): Promise<RowsChunk & { isNew: boolean; bytes: number }> {
    const content = lines.join("");
    const sha256 = sha256Of(content);
    const key = rowsKey(sha256);
    const rows = lines.length - 1;
    if ((await this.#store.stat(key)) !== null) return { sha256, rows, isNew: false, bytes: 0 };
    const bytes = await compress(content, { level: 4 });
    await this.#store.put(key, bytesOf(bytes));
    return { sha256, rows, isNew: true, bytes: bytes.length };
  }

  /** @throws {WrongContentError} */
  async rows({ sha256, rows }: RowsChunk): Promise<Record<string, number | string | null>[]> {
    const key = rowsKey(sha256);
    const stored = await this.#store.read(key);
    if (stored === null) throw new WrongContentError(`${key} is missing`);
    let content: string;
    try {
      content = String(await uncompress(await buffer(stored)));
    } catch (error) {
      throw new WrongContentError(`${key} cannot be uncompressed`, { cause: error });
    }
    const [header = "[]", ...lines] = content.split("\n").slice(0, -1);
    if (sha256Of(content) !== sha256 || lines.length !== rows) {
      throw new WrongContentError(`${key}: its content has changed`);
    }
    const columns = JSON.parse(header) as string[];
    return lines.map((line) => {
      const values = JSON.parse(line) as (number | string | null)[];
      return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]));
    });
  }

  /**
   * Removes all backups except the newest ones, and then all content that no remaining backup uses. `used` lists the
   * SHA-256 hashes of the files of a backup. Returns the names of the removed backups.
   */
  async keepOnly(newest: number, used: (manifest: Manifest) => AsyncIterable<string>): Promise<string[]> {
    const names = await this.names();
    const removed = names.slice(0, -newest);
    if (removed.length === 0) return [];
    using needed = new HashSet();
    for (const name of names.slice(-newest)) {
      const manifest = await this.manifest(name);
      for await (const sha256 of used(manifest)) needed.add(sha256);
      for (const { chunks } of [...Object.values(manifest.tables), manifest.files])
        for (const { sha256 } of chunks) needed.add(sha256);
    }
    // A manifest is deleted before any content of its backup.
    for (const name of removed) await this.#store.delete(manifestKey(name));
    for (const folder of ["files", "rows"]) {
      const parts = await Array.fromAsync(this.#store.folders(folder));
      for (const part of parts) {
        const keys = await Array.fromAsync(this.#store.names(`${folder}/${part}`));
        for (const name of keys)
          if (!needed.has(name.slice(0, 64))) await this.#store.delete(`${folder}/${part}/${name}`);
      }
    }
    return removed;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #json(key: string): Promise<unknown> {
    const bytes = await this.#store.read(key);
    return bytes === null ? null : (JSON.parse(await text(bytes)) as unknown);
  }
}

const manifestKey = (name: string): string => `backups/${name}.json`;
const fileKey = (sha256: string): string => `files/${sha256.slice(0, 2)}/${sha256}`;
const rowsKey = (sha256: string): string => `rows/${sha256.slice(0, 2)}/${sha256}.ndjson.gz`;

async function* bytesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === "string" ? Buffer.from(content) : content;
}
