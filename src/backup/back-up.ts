import { stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { Reader } from "../database/database.ts";
import { type CopiedRow, countRows, findSchemaFacts, rowsOf } from "../database/transfer/snapshot.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import type { FileStat } from "../files/file-store.ts";
import {
  type BackedUpTable,
  type BackupPlace,
  type Manifest,
  type RowsChunk,
  format,
} from "./backup-place.ts";
import { KnownFiles } from "./known-files.ts";
import { readHashed } from "./hashes.ts";
import { type CopiedFile, type FileTarget, atOneMoment } from "./named-files.ts";

type Storage = Pick<Context, "config" | "database" | "files">;

export interface BackupOptions {
  /** The version of Quire that makes the backup. */
  quire: string;
  signal: AbortSignal;
  progress: BackupProgress;
}

export interface BackupProgress {
  files(done: number, total: number): void;
  rows(done: number, total: number): void;
}

export interface BackupOutcome {
  name: string;
  manifest: Manifest;
  /** The number of files that this backup added to the place; `newBytes` includes the rows. */
  newFiles: number;
  newBytes: number;
  /** Sentences about files that are missing or damaged in the service itself. */
  faults: readonly string[];
}

/** Adds a backup of the service to a place. The service may run meanwhile. */
export async function backUp(
  context: Storage,
  place: BackupPlace,
  { quire, signal, progress }: BackupOptions,
): Promise<BackupOutcome> {
  const files = await BackedUpFiles.open(context, place, signal);
  const secret = await files.copySecret(context.config);
  const options = { signal, progress: (done: number, total: number) => progress.files(done, total) };
  return atOneMoment(context, files, options, async (moment) => {
    const at = new Date().toISOString();
    const counted = { newBytes: 0 };
    const { reader } = moment;
    const tables = await copyTables(place, reader, { signal, progress, counted });
    const listed = chunksOf(rowsOfFiles(moment.files.read()), { span: null });
    const manifest: Manifest = {
      format,
      quire,
      at,
      engine: context.database.engine,
      ...(await findSchemaFacts(reader, copiedTables)),
      tables,
      files: {
        ...(await putTable(place, listed, counted)),
        bytes: moment.files.bytes,
      },
      secret,
    };
    const name = await place.finish(manifest);
    const { newFiles } = files;
    return { name, manifest, newFiles, newBytes: files.newBytes + counted.newBytes, faults: moment.faults };
  });
}

/** The SHA-256 hashes of all files of a backup. */
export async function* filesUsedBy(place: BackupPlace, manifest: Manifest): AsyncGenerator<string> {
  if (manifest.secret !== null) yield manifest.secret;
  for await (const { sha256 } of filesIn(place, manifest.files.chunks)) yield sha256;
}

/** The files that the lists of a backup name. */
export async function* filesIn(place: BackupPlace, chunks: readonly RowsChunk[]): AsyncGenerator<CopiedFile> {
  for (const chunk of chunks) {
    for (const row of await place.rows(chunk)) yield row as unknown as CopiedFile;
  }
}

async function copyTables(
  place: BackupPlace,
  reader: Reader,
  {
    signal,
    progress,
    counted,
  }: Pick<BackupOptions, "signal" | "progress"> & { counted: { newBytes: number } },
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
    tables[table.name] = await putTable(place, chunksOf(rows(), { span: table.key[0] }), counted);
  }
  return tables;
}

/** Stores a table chunk by chunk. */
async function putTable(
  place: BackupPlace,
  chunks: AsyncIterable<string[]>,
  counted: { newBytes: number },
): Promise<BackedUpTable> {
  const table: BackedUpTable = { rows: 0, chunks: [] };
  let pending: Promise<void> = Promise.resolve();
  for await (const lines of chunks) {
    // One chunk is compressed and stored while the next one is read.
    await pending;
    pending = (async () => {
      const { sha256, rows, bytes } = await place.putRows(lines);
      table.chunks.push({ sha256, rows });
      table.rows += rows;
      counted.newBytes += bytes;
    })();
  }
  await pending;
  return table;
}

/** Rows whose ids fall into the same span of ids are in one chunk, so that most chunks are the same in every backup. */
const idsInChunk = 500;
const maxRowsInChunk = 5000;
const maxCharactersInChunk = 8 * 1024 * 1024;

async function* chunksOf(
  rows: Iterable<CopiedRow> | AsyncIterable<CopiedRow>,
  { span }: { span: string | null },
): AsyncGenerator<string[]> {
  let lines: string[] = [];
  let characters = 0;
  let spanOfLines: number | null = null;
  for await (const row of rows) {
    const id = span === null ? null : row[span];
    const spanOfRow = typeof id === "number" ? Math.floor(id / idsInChunk) : 0;
    const isFull = lines.length > maxRowsInChunk || characters > maxCharactersInChunk;
    if (lines.length > 0 && (isFull || spanOfRow !== spanOfLines)) {
      yield lines;
      lines = [];
      characters = 0;
    }
    if (lines.length === 0) lines.push(`${JSON.stringify(Object.keys(row))}\n`);
    spanOfLines = spanOfRow;
    const line = `${JSON.stringify(Object.values(row))}\n`;
    characters += line.length;
    lines.push(line);
  }
  if (lines.length > 0) yield lines;
}

function rowOfFile({ key, sha256, sha1, size, version }: CopiedFile): CopiedRow {
  return { key, sha256, sha1, size, version };
}

async function* rowsOfFiles(files: AsyncIterable<CopiedFile>): AsyncGenerator<CopiedRow> {
  for await (const file of files) yield rowOfFile(file);
}

const filesBetweenSaves = 1000;

/** The files of a backup, including those that the last backup or an unfinished one has already copied. */
class BackedUpFiles implements FileTarget {
  readonly #context: Storage;
  readonly #place: BackupPlace;
  readonly #signal: AbortSignal;
  readonly #known: KnownFiles;
  readonly #beganAt = new Date().toISOString();
  #saved: RowsChunk[] = [];
  #unsaved: CopiedFile[] = [];
  #saving: Promise<void> = Promise.resolve();
  newFiles = 0;
  newBytes = 0;

  private constructor(context: Storage, place: BackupPlace, signal: AbortSignal) {
    this.#context = context;
    this.#place = place;
    this.#signal = signal;
    this.#known = new KnownFiles(place);
  }

  static async open(context: Storage, place: BackupPlace, signal: AbortSignal): Promise<BackedUpFiles> {
    const files = new BackedUpFiles(context, place, signal);
    const last = (await place.names()).at(-1);
    if (last !== undefined) await files.#known.add((await place.manifest(last)).files.chunks);
    const unfinished = await place.findUnfinished();
    files.#saved = unfinished?.files ?? [];
    await files.#known.add(files.#saved);
    await place.saveUnfinished({ began_at: files.#beganAt, files: files.#saved });
    return files;
  }

  async copy(key: string, { size, version }: FileStat): Promise<CopiedFile | null> {
    const known = await this.#known.find(key);
    if (known !== null && known.size === size && known.version === version) return known;
    await using borrowed = await this.#context.files.borrow(key);
    if (borrowed === null) return null;
    const { bytes, ...hashes } = await readHashed(borrowed.path, this.#signal);
    const file = { key, version: borrowed.version, ...hashes };
    if (await this.#place.putFile(file, bytes)) {
      this.newFiles += 1;
      this.newBytes += file.size;
    }
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
  async copySecret({ data, secrets }: Pick<Config, "data" | "secrets">): Promise<string | null> {
    if (secrets !== null) return null;
    const file = path.join(data, "secret");
    await stat(file);
    const { bytes, ...hashes } = await readHashed(file, this.#signal);
    await this.#place.putFile(hashes, bytes);
    return hashes.sha256;
  }

  async #save(files: readonly CopiedFile[]): Promise<void> {
    for await (const lines of chunksOf(files.map(rowOfFile), { span: null })) {
      const { sha256, rows } = await this.#place.putRows(lines);
      this.#saved = [...this.#saved, { sha256, rows }];
    }
    await this.#place.saveUnfinished({ began_at: this.#beganAt, files: this.#saved });
  }
}
