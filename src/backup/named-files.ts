import type { Database, Reader } from "../database/database.ts";
import type { FileStat, FileStore } from "../files/file-store.ts";
import { keysOfRunFiles } from "../resources/addons/run-store.ts";
import {
  type DocumentFiles,
  countDocumentsWithFiles,
  documentFiles,
  revisionsOf,
} from "../resources/documents/files/named-files-store.ts";
import { forEachConcurrently } from "../concurrently.ts";
import { type Hashes, WrongContentError } from "./hashes.ts";
import { atLastingMoment } from "./moments.ts";
import { Spool } from "./spool.ts";

/** A file that has been copied, with its key and its version in the service's own store. */
export interface CopiedFile extends Hashes {
  key: string;
  /** See {@link FileStat.version}. */
  version: string;
}

/** The target of a copy. */
export interface FileTarget {
  /** Copies a file, unless it is already there. Null if the file disappears meanwhile. */
  copy(key: string, stat: FileStat): Promise<CopiedFile | null>;
}

/** The contents of the database at one moment, and the files that it names: those of documents, then those of runs. */
export interface Moment {
  reader: Reader;
  /** Those of documents are in order of the documents' ids. */
  files: { count: number; bytes: number; read: () => AsyncIterable<CopiedFile> };
  /** Sentences about files that are missing or damaged in the service itself. */
  faults: readonly string[];
}

export interface CopyOptions {
  signal: AbortSignal;
  /** Reports how many documents' files have been copied, and the number of all documents with files. */
  progress: (done: number, total: number) => void;
}

/** A document whose files have been copied. */
interface Settled {
  id: number;
  revision: number;
  files: CopiedFile[];
}

const documentsAtOnce = 8;

/**
 * Copies all files while the service runs, then calls `work` to copy the rows of one moment, whose files have all been
 * copied.
 *
 * A file may be replaced or deleted after the moment at which the database named it. So nearly all files are copied
 * before that moment, and a new moment is chosen if one of the last few files was lost. A document that still has the
 * same revision still names the same file.
 */
export async function atOneMoment<T>(
  { database, files }: { database: Database; files: FileStore },
  target: FileTarget,
  { signal, progress }: CopyOptions,
  work: (moment: Moment) => Promise<T>,
): Promise<T> {
  const settle = async ({ id, revision, keys }: DocumentFiles): Promise<Settled> => {
    const found: CopiedFile[] = [];
    for (const key of keys) {
      signal.throwIfAborted();
      const copied = await copyWhole(files, target, key);
      if (copied !== null) found.push(copied);
    }
    return { id, revision, files: found };
  };
  await using settled = await Spool.create<Settled>();
  const total = await countDocumentsWithFiles(database.reader);
  let done = 0;
  for await (const documents of documentFiles(database.reader)) {
    const batch: Settled[] = [];
    await forEachConcurrently(documents, documentsAtOnce, async (document) => {
      batch.push(await settle(document));
      progress((done += 1), Math.max(done, total));
    });
    await settled.add(batch.toSorted((one, other) => one.id - other.id));
  }
  const runFiles = new RunFiles(files, target, signal);
  await runFiles.copy(database.reader);
  const lost = new Set<number>();
  const { result } = await atLastingMoment(database, async (reader) => {
    await using named = await Spool.create<CopiedFile>();
    const all = { count: 0, bytes: 0, read: () => named.read() };
    const doubtful: { document: DocumentFiles; doubt: string }[] = [];
    const inOrder = settled.read();
    const known = inOrderOfIds(inOrder);
    for await (const documents of documentFiles(reader)) {
      signal.throwIfAborted();
      const batch: CopiedFile[] = [];
      for (const document of documents) {
        const before = lost.has(document.id) ? null : await known(document.id);
        const { files: its } = before?.revision === document.revision ? before : await settle(document);
        batch.push(...its);
        const doubt = doubtAbout(document, its);
        if (doubt !== null) doubtful.push({ document, doubt });
      }
      await named.add(batch);
      all.count += batch.length;
      all.bytes += batch.reduce((sum, { size }) => sum + size, 0);
    }
    await inOrder.return(undefined);
    const ofRuns = await runFiles.copy(reader);
    await named.add(ofRuns);
    all.count += ofRuns.length;
    all.bytes += ofRuns.reduce((sum, { size }) => sum + size, 0);
    const inDoubt = doubtful.map(({ document }) => document);
    if (await haveChanged(database.reader, inDoubt)) {
      for (const { id } of inDoubt) lost.add(id);
      return null;
    }
    const faults = doubtful.map(({ doubt }) => doubt);
    return { result: await work({ reader, files: all, faults }) };
  });
  return result;
}

/** The files that runs of add-ons have made. A run's file is not replaced; it may go, and then is no longer needed. */
class RunFiles {
  readonly #files: FileStore;
  readonly #target: FileTarget;
  readonly #signal: AbortSignal;
  readonly #copied = new Map<string, CopiedFile>();

  constructor(files: FileStore, target: FileTarget, signal: AbortSignal) {
    this.#files = files;
    this.#target = target;
    this.#signal = signal;
  }

  /** Copies those of the runs that this reader sees and that have not been copied. */
  async copy(reader: Reader): Promise<CopiedFile[]> {
    const found: CopiedFile[] = [];
    for (const key of await keysOfRunFiles(reader)) {
      this.#signal.throwIfAborted();
      const copied = this.#copied.get(key) ?? (await copyWhole(this.#files, this.#target, key));
      if (copied === null) continue;
      this.#copied.set(key, copied);
      found.push(copied);
    }
    return found;
  }
}

/** Finds items in a sequence in order of ids. Each id must be larger than the previous one. */
function inOrderOfIds<T extends { id: number }>(items: AsyncGenerator<T>): (id: number) => Promise<T | null> {
  let next: T | null = null;
  return async (id) => {
    while (next === null || next.id < id) {
      const { done, value } = await items.next();
      if (done === true) return null;
      next = value;
    }
    return next.id === id ? next : null;
  };
}

const maxCopies = 5;

/** Copies a file again if it is replaced while it is copied. */
async function copyWhole(files: FileStore, target: FileTarget, key: string): Promise<CopiedFile | null> {
  for (let attempt = 1; ; attempt++) {
    const stat = await files.stat(key);
    if (stat === null) return null;
    try {
      return await target.copy(key, stat);
    } catch (error) {
      const isReplaced =
        error instanceof WrongContentError || (await files.stat(key))?.version !== stat.version;
      if (!isReplaced || attempt === maxCopies) throw error;
    }
  }
}

/** Whether the documents have changed. If they have not, their files themselves are missing or damaged. */
async function haveChanged(reader: Reader, documents: readonly DocumentFiles[]): Promise<boolean> {
  const revisions = await revisionsOf(
    reader,
    documents.map(({ id }) => id),
  );
  return documents.some(({ id, revision }) => revisions.get(id) !== revision);
}

/** What seems to be wrong with the copies of a document's files, as a sentence; null if nothing does. */
export function doubtAbout(
  { id, keys, sha1, isFileExpected }: Omit<DocumentFiles, "revision">,
  copies: readonly Pick<CopiedFile, "key" | "sha1">[],
): string | null {
  if (isFileExpected && copies.length === 0) return `document ${id}: its file is missing`;
  const pdf = copies.find(({ key }) => key === keys.at(-1));
  if (sha1 === null || pdf?.sha1 === sha1) return null;
  if (copies.length === 0) return `document ${id}: its file is missing`;
  return `document ${id}: its PDF ${pdf === undefined ? "is missing" : "has changed since it was read"}`;
}
