import path from "node:path";
import type { Database } from "../database/database.ts";
import type { ImportEnd, ImportsTable } from "../database/tables.ts";
import {
  type ImportCounts,
  type ImportedFile,
  addImportedFiles,
  addToImport,
  beginImport,
  endImport,
  noCounts,
} from "../resources/documents/import-run-store.ts";
import type { ImportReport } from "./report.ts";

const pauseMilliseconds = 1000;
/** How often an import to which nothing happens says that it is alive: each commit empties caches of answers. */
const aliveMilliseconds = 20_000;

/**
 * Keeps in the database how an import goes, so that people can watch it and find it later. What became of the files is
 * written once a second: if the process is killed, the last second is missing.
 */
export class ImportRun implements AsyncDisposable {
  readonly id: number;
  readonly #database: Pick<Database, "write">;
  readonly #report: ImportReport;
  readonly #sources: readonly string[];
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #waiting: ImportedFile[] = [];
  #written: ImportCounts = noCounts;
  #writtenAt = performance.now();
  #writing: Promise<void> = Promise.resolve();
  #outcome: ImportEnd = "failed";

  private constructor(
    id: number,
    database: Pick<Database, "write">,
    { report, sources, signal }: { report: ImportReport; sources: readonly string[]; signal: AbortSignal },
  ) {
    this.id = id;
    this.#database = database;
    this.#report = report;
    this.#sources = sources.map((source) => source.replace(/\/+$/, ""));
    this.#signal = signal;
    report.onFile((file) => this.#waiting.push({ ...file, path: this.#nameOf(file.path) }));
    // An error is that of the database, which the import itself meets, too.
    this.#timer = setInterval(() => void this.#writeNews().catch(() => undefined), pauseMilliseconds);
    this.#timer.unref();
  }

  /** `sources` are the files, folders or addresses that were named; `seen` is how many files there are, if known. */
  static async begin(
    database: Pick<Database, "write">,
    about: {
      kind: ImportsTable["kind"];
      sources: readonly string[];
      user: number | null;
      seen: number | null;
      report: ImportReport;
      signal: AbortSignal;
    },
  ): Promise<ImportRun> {
    const { kind, sources, user, seen } = about;
    const name = sources.map(shortNameOf).join(", ").slice(0, maxName);
    const id = await database.write((writer) =>
      beginImport(writer, { kind, name, seen, user_id: user, document_id: null }),
    );
    return new ImportRun(id, database, about);
  }

  /** Says that the import has come to its end. Otherwise it has failed. */
  done(): void {
    this.#outcome = "done";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    const outcome = this.#signal.aborted ? "stopped" : this.#outcome;
    await this.#write();
    await this.#database.write((writer) => endImport(writer, this.id, outcome));
  }

  async #writeNews(): Promise<void> {
    const more = difference(this.#report.counts, this.#written);
    const isNews = this.#waiting.length > 0 || Object.values(more).some((count) => count !== 0);
    if (isNews || performance.now() - this.#writtenAt >= aliveMilliseconds) await this.#write();
  }

  /** Writes what has happened since the last time, after what is being written. */
  async #write(): Promise<void> {
    const before = this.#writing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing = promise;
    await before;
    try {
      await this.#writeNext();
    } finally {
      resolve();
    }
  }

  async #writeNext(): Promise<void> {
    const files = this.#waiting;
    const { counts } = this.#report;
    const more = difference(counts, this.#written);
    this.#waiting = [];
    try {
      await this.#database.write(async (writer) => {
        await addImportedFiles(writer, this.id, files);
        await addToImport(writer, this.id, more);
      });
      this.#written = counts;
      this.#writtenAt = performance.now();
    } catch (error) {
      this.#waiting.unshift(...files);
      throw error;
    }
  }

  /** A path from the folder on that was named, as a document has it: those around it are the operator's business. */
  #nameOf(file: string): string {
    const folder = this.#sources.find((source) => file.startsWith(`${source}/`));
    if (folder !== undefined) return `${path.basename(folder)}${file.slice(folder.length)}`;
    return path.isAbsolute(file) ? path.basename(file) : file;
  }
}

const maxName = 300;

/** The last part of a path; an address as it is, without a query, which may have a secret. */
function shortNameOf(source: string): string {
  const url = /^https?:/.test(source) ? URL.parse(source) : null;
  return url === null ? path.basename(source) : `${url.host}${url.pathname}`;
}

function difference(counts: ImportCounts, before: ImportCounts): ImportCounts {
  return {
    added: counts.added - before.added,
    changed: counts.changed - before.changed,
    known: counts.known - before.known,
    skipped: counts.skipped - before.skipped,
    failed: counts.failed - before.failed,
  };
}
