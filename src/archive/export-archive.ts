import type { Context } from "../context.ts";
import type { Reader } from "../database/database.ts";
import { countRows } from "../database/transfer/snapshot.ts";
import { copiedTable } from "../database/transfer/tables.ts";
import { namingFullFolder } from "../errors.ts";
import { forEachConcurrently } from "../concurrently.ts";
import type { LeftOut } from "../import/report.ts";
import { atLastingMoment } from "../backup/moments.ts";
import type { BaseUrls } from "../resources/documents/present.ts";
import {
  type DocumentSelection,
  countHistoryOfDeleted,
  countSelectedDocuments,
  listSelectedDocuments,
  selectedIds,
} from "../resources/documents/record/export-store.ts";
import {
  archiveFormat,
  contentsInWords,
  documentFolderOf,
  formatLabel,
  listNames,
  listText,
  readme,
} from "./archive-files.ts";
import { type BagFile, BagWriter } from "./bag-writer.ts";
import { DocumentExport } from "./export-documents.ts";
import { writeLists } from "./export-lists.ts";
import { ExportScope } from "./export-scope.ts";

export interface ArchiveOptions {
  folder: string;
  selection: DocumentSelection;
  baseUrls: BaseUrls;
  /** The exporting program and its version. */
  agent: string;
  signal: AbortSignal;
  progress(documents: number, total: number): void;
}

export interface ArchiveOutcome {
  documents: number;
  files: number;
  bytes: number;
  leftOut: LeftOut;
  /** Sentences about files that are missing or damaged in the service itself. */
  faults: readonly string[];
}

const documentsPerPage = 64;
const documentsAtOnce = 4;

/**
 * Writes an archive of the service at one moment, while the service runs. After an interruption, the same call adds the
 * missing files.
 *
 * @throws {BagRefusedError}
 */
export async function exportArchive(
  context: Pick<Context, "database" | "files">,
  options: ArchiveOptions,
): Promise<ArchiveOutcome> {
  const bag = await BagWriter.open(options.folder, contentsInWords(options.selection));
  try {
    return await atLastingMoment(context.database, (reader) =>
      new ArchiveExport(context, bag, reader, options).run(),
    );
  } catch (error) {
    throw namingFullFolder(error, options.folder);
  } finally {
    await bag.close();
  }
}

/** One pass over the contents of the database at one moment. */
class ArchiveExport {
  readonly #bag: BagWriter;
  readonly #options: ArchiveOptions;
  readonly #scope: ExportScope;
  readonly #documents: DocumentExport;

  constructor(
    context: Pick<Context, "database" | "files">,
    bag: BagWriter,
    reader: Reader,
    options: ArchiveOptions,
  ) {
    this.#bag = bag;
    this.#options = options;
    this.#scope = new ExportScope(reader, options.selection);
    this.#documents = new DocumentExport(context, bag, this.#scope, options.baseUrls);
  }

  /** Null if a file of this moment was replaced or deleted before it was copied. */
  async run(): Promise<ArchiveOutcome | null> {
    const { selection, agent } = this.#options;
    const at = new Date().toISOString();
    const bag = this.#bag;
    const { documents, deleted, hidden } = await countSelectedDocuments(this.#scope.reader, selection);
    await bag.begin();
    await bag.add([await bag.write("README.txt", readme)]);
    await bag.makeFolder("documents");
    await bag.add([await bag.write(listNames.documents, listText(this.#writeDocuments(documents)))]);
    if (this.#documents.isLate) return null;
    if (bag.isResumed) await this.#removeOthers();
    await writeLists(bag, this.#scope);
    this.#scope.leftOut.add("deleted documents", deleted);
    if (!selection.isPublic) {
      const entries = await countHistoryOfDeleted(this.#scope.reader, selection);
      this.#scope.leftOut.add("history entries of deleted documents", entries);
    }
    this.#scope.leftOut.add("documents that are not public", hidden);
    await this.#countUnfinished();
    const written = await bag.finish([
      ["Bag-Software-Agent", agent],
      ["Bagging-Date", at.slice(0, 10)],
      ["External-Description", `An archive of ${contentsInWords(selection)} of a Quire, at ${at}`],
      [formatLabel, archiveFormat],
    ]);
    return { documents, ...written, leftOut: this.#scope.leftOut, faults: this.#documents.faults };
  }

  /** Writes the documents, and yields the element of each for the list of documents. */
  async *#writeDocuments(total: number): AsyncGenerator {
    let done = 0;
    for (let after = 0; ;) {
      const rows = await listSelectedDocuments(
        this.#scope.reader,
        this.#options.selection,
        after,
        documentsPerPage,
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      const written = new Map<number, BagFile[]>();
      await forEachConcurrently(rows, documentsAtOnce, async (row) => {
        this.#options.signal.throwIfAborted();
        written.set(row.id, await this.#documents.write(row));
        this.#options.progress((done += 1), total);
      });
      for (const { id, title } of rows) {
        await this.#bag.add(written.get(id) ?? []);
        yield { id, title, folder: documentFolderOf(id) };
      }
    }
  }

  /** Removes documents of an earlier moment that no longer exist. */
  async #removeOthers(): Promise<void> {
    const remove = async (names: readonly string[]): Promise<void> => {
      const kept = await selectedIds(this.#scope.reader, this.#options.selection, names.map(Number));
      for (const name of names) if (!kept.has(Number(name))) await this.#bag.remove(`documents/${name}`);
    };
    let some: string[] = [];
    for await (const name of this.#bag.names("documents")) {
      if (some.push(name) < 500) continue;
      await remove(some);
      some = [];
    }
    await remove(some);
  }

  /** Counts pending work and secrets, which no archive contains. */
  async #countUnfinished(): Promise<void> {
    if (!this.#scope.isWhole) return;
    for (const [table, kind] of [
      ["document_rewrites", "redactions, page changes and replacements of files under way"],
      ["remote_files", "files still to be fetched"],
      ["api_tokens", "API tokens"],
      ["sessions", "sessions"],
    ] as const)
      this.#scope.leftOut.add(kind, await countRows(this.#scope.reader, copiedTable(table)));
  }
}
