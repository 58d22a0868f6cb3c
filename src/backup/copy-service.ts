import { stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { Reader } from "../database/database.ts";
import { type CopiedRow, countRows, findSchemaFacts, rowsOf } from "../database/transfer/snapshot.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import type { FileStat } from "../files/file-store.ts";
import { chunksOf, documentOfKey, idIn } from "./chunks.ts";
import { readHashed } from "./hashes.ts";
import type { KnownFiles } from "./known-files.ts";
import { type CopiedFile, type FileTarget, atOneMoment } from "./named-files.ts";
import type { RepositoryObjects } from "./objects.ts";
import { type BackedUpTable, type Manifest, type RowsChunk, format } from "./repository-format.ts";

export type Service = Pick<Context, "config" | "database" | "files">;

export interface CopyServiceOptions {
  /** The version of Quire that makes the copy. */
  quire: string;
  /** Whether the rows of the database are left out. */
  isFilesOnly?: boolean;
  signal: AbortSignal;
  progress: { files(done: number, total: number): void; rows(done: number, total: number): void };
  /** Called now and then with the files that have been copied since the last call. */
  onCopied?: (chunks: readonly RowsChunk[]) => Promise<void>;
}

/**
 * Stores the objects of a backup of the service that are not there yet, and calls `finish` with its manifest while the
 * contents of the manifest's moment can still be read. `faults` are sentences about files that are missing or damaged
 * in the service itself.
 */
export async function copyService<T>(
  service: Service,
  { objects, known }: { objects: RepositoryObjects; known: KnownFiles },
  { quire, isFilesOnly = false, signal, progress, onCopied = () => Promise.resolve() }: CopyServiceOptions,
  finish: (manifest: Manifest, faults: readonly string[]) => Promise<T>,
): Promise<T> {
  const target = new CopiedFiles({ service, objects, known, signal, onCopied });
  const secret = await target.copySecret(service.config);
  const options = { signal, progress: (done: number, total: number) => progress.files(done, total) };
  return atOneMoment(service, target, options, async ({ reader, files, faults }) => {
    const at = new Date().toISOString();
    const tables = isFilesOnly ? {} : await copyTables(objects, reader, { signal, progress });
    const listed = await putTable(objects, chunksOf(rowsOfFiles(files.read()), documentOfRow));
    const manifest: Manifest = {
      format,
      quire,
      at,
      engine: service.database.engine,
      ...(await findSchemaFacts(reader, copiedTables)),
      tables,
      ...(isFilesOnly && { isFilesOnly }),
      files: { ...listed, bytes: files.bytes },
      secret: secret?.sha256 ?? null,
      ...(secret !== null && { secretBytes: secret.size }),
    };
    return finish(manifest, faults);
  });
}

async function copyTables(
  objects: RepositoryObjects,
  reader: Reader,
  { signal, progress }: Pick<CopyServiceOptions, "signal" | "progress">,
): Promise<Record<string, BackedUpTable>> {
  const counts = new Map<string, number>();
  for (const table of copiedTables) counts.set(table.name, await countRows(reader, table));
  const total = [...counts.values()].reduce((sum, rows) => sum + rows, 0);
  let done = 0;
  const tables: Record<string, BackedUpTable> = {};
  for (const table of copiedTables) {
    const rows = async function* rows(): AsyncGenerator<CopiedRow> {
      for await (const batch of rowsOf(reader, table)) {
        signal.throwIfAborted();
        yield* batch;
        progress.rows((done += batch.length), total);
      }
    };
    tables[table.name] = await putTable(objects, chunksOf(rows(), idIn(table.key[0])));
  }
  return tables;
}

/** Stores a table chunk by chunk. */
async function putTable(objects: RepositoryObjects, chunks: AsyncIterable<string[]>): Promise<BackedUpTable> {
  const table: BackedUpTable = { rows: 0, chunks: [] };
  let pending: Promise<void> = Promise.resolve();
  try {
    for await (const lines of chunks) {
      // One chunk is compressed and stored while the next one is read.
      await pending;
      pending = (async () => {
        const chunk = await objects.putRows(lines);
        table.chunks.push(chunk);
        table.rows += chunk.rows;
      })();
    }
  } catch (error) {
    // The repository must not be closed before.
    await pending.catch(() => undefined);
    throw error;
  }
  await pending;
  return table;
}

const rowOfFile = ({ key, sha256, sha1, size, version }: CopiedFile): CopiedRow => ({
  key,
  sha256,
  sha1,
  size,
  version,
});

const documentOfRow = ({ key }: CopiedRow): number => documentOfKey(String(key));

async function* rowsOfFiles(files: AsyncIterable<CopiedFile>): AsyncGenerator<CopiedRow> {
  for await (const file of files) yield rowOfFile(file);
}

const filesBetweenSaves = 1000;

interface CopiedFilesOptions extends Required<Pick<CopyServiceOptions, "signal" | "onCopied">> {
  service: Service;
  objects: RepositoryObjects;
  known: KnownFiles;
}

/** Copies files, except those that an earlier backup or an unfinished one has copied and that are still there. */
class CopiedFiles implements FileTarget {
  readonly #options: CopiedFilesOptions;
  #unsaved: CopiedFile[] = [];
  #saving: Promise<void> = Promise.resolve();

  constructor(options: CopiedFilesOptions) {
    this.#options = options;
  }

  async copy(key: string, { size, version }: FileStat): Promise<CopiedFile | null> {
    const { service, objects, known, signal } = this.#options;
    const before = await known.find(key);
    const isSame = before !== null && before.size === size && before.version === version;
    if (isSame && objects.hasFile(before)) return before;
    await using borrowed = await service.files.borrow(key);
    if (borrowed === null) return null;
    const { bytes, ...hashes } = await readHashed(borrowed.path, signal);
    const file = { key, version: borrowed.version, ...hashes };
    await objects.putFile({ ...hashes, bytes });
    this.#unsaved.push(file);
    if (this.#unsaved.length >= filesBetweenSaves) {
      const files = this.#unsaved;
      this.#unsaved = [];
      this.#saving = this.#saving.then(() => this.#save(files));
      await this.#saving;
    }
    return file;
  }

  /**
   * The secret is a file of the data folder. Without it, a restored service could not accept existing sessions and
   * signed addresses.
   */
  async copySecret({
    data,
    secrets,
  }: Pick<Config, "data" | "secrets">): Promise<{ sha256: string; size: number } | null> {
    if (secrets !== null) return null;
    const { objects, signal } = this.#options;
    const file = path.join(data, "secret");
    await stat(file);
    const content = await readHashed(file, signal);
    await objects.putSecret(content);
    return content;
  }

  async #save(files: readonly CopiedFile[]): Promise<void> {
    const chunks: RowsChunk[] = [];
    for await (const lines of chunksOf(files.map(rowOfFile), () => null))
      chunks.push(await this.#options.objects.putRows(lines));
    await this.#options.onCopied(chunks);
  }
}
