import { createReadStream } from "node:fs";
import { forEachConcurrently } from "../backup/concurrently.ts";
import type { Context } from "../context.ts";
import type { Writer } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { type NewRow, addRows, rowsWithNumbers } from "../database/transfer/added-rows.ts";
import { reasonOf } from "../errors.ts";
import { documentFileKey, documentFolder } from "../files/keys.ts";
import { type ReadRecord, readRecord } from "../import/read-record.ts";
import { type Fields, RecordError } from "../import/record-fields.ts";
import { type RecordToWrite, RecordWriter } from "../import/record-writer.ts";
import type { ImportReport } from "../import/report.ts";
import { keepRecordsStored } from "../resources/documents/record-store.ts";
import { pagesPerBlock, partOfPage } from "../search/parts.ts";
import { indexTexts } from "../search/text-index.ts";
import type { DocumentDetails } from "./archive-files.ts";
import { type Archive, ArchiveContentError } from "./archive.ts";
import { batchesOf } from "./batches.ts";
import { refuseTaken } from "./conflicts.ts";
import { type NewAccount, importLists } from "./import-lists.ts";
import {
  readDetails,
  readHistory,
  readOccurrence,
  readPage,
  readReceipt,
  unlessInvalid,
} from "./read-parts.ts";

export interface ArchiveImportOptions {
  signal: AbortSignal;
  report: ImportReport;
  /** Reports how many files have been compared with their checksums. */
  onVerified: (files: number) => void;
  /** Called with the new accounts as soon as they exist. Their links cannot be found out later. */
  onAccounts: (accounts: readonly NewAccount[]) => void;
}

/** An archive that does not match its checksums. */
export class DamagedArchiveError extends Error {
  override readonly name = "DamagedArchiveError";
}

const documentsAtOnce = 50;
const filesAtOnce = 4;
/** A multiple of the blocks in which words are counted. */
const rowsAtOnce = 4 * pagesPerBlock;
const maxFaults = 20;

/**
 * Imports an archive with all ids. First the archive is compared with its checksums, then with the existing contents.
 * If either comparison fails, nothing is imported. After an interruption, the same call continues the import; rows that
 * already exist stay unchanged.
 *
 * @throws {DamagedArchiveError}
 * @throws {TakenError}
 * @throws {ArchiveContentError}
 */
export async function importArchive(
  context: Pick<Context, "database" | "files">,
  archive: Archive,
  { signal, report, onVerified, onAccounts }: ArchiveImportOptions,
): Promise<void> {
  const faults: string[] = [];
  for await (const fault of archive.bag.verify(signal, onVerified)) {
    if (faults.push(fault) === maxFaults) break;
  }
  if (faults.length > 0) {
    const more = faults.length === maxFaults ? "; and maybe more" : "";
    throw new DamagedArchiveError(
      `Nothing was imported, because the archive is damaged: ${faults.join("; ")}${more}`,
    );
  }
  const { database } = context;
  keepRecordsStored(database);
  await refuseTaken(database.reader, archive, signal);
  const leftOut = {
    add: (kind: string, count = 1) => report.leaveOut(Array.from({ length: count }, () => kind)),
  };
  onAccounts(await importLists(context, archive, leftOut));
  const documents = new DocumentsImport(context, archive, report);
  for await (const ids of batchesOf(archive.documents(), documentsAtOnce)) {
    signal.throwIfAborted();
    await documents.run(ids);
  }
}

interface ReadDocument extends RecordToWrite {
  details: DocumentDetails;
}

class DocumentsImport {
  readonly #context: Pick<Context, "database" | "files">;
  readonly #archive: Archive;
  readonly #report: ImportReport;
  readonly #records: RecordWriter;

  constructor(context: Pick<Context, "database" | "files">, archive: Archive, report: ImportReport) {
    this.#context = context;
    this.#archive = archive;
    this.#report = report;
    this.#records = new RecordWriter(context.database.dialect);
  }

  async run(ids: readonly number[]): Promise<void> {
    const known = await this.#known(this.#context.database.reader, ids);
    this.#report.count({ added: 0, changed: 0, known: known.size });
    const documents: ReadDocument[] = [];
    for (const id of ids) {
      if (known.has(id)) continue;
      const document = await this.#read(id);
      if (document !== null) documents.push(document);
    }
    await this.#write(documents);
  }

  async #known(reader: Parameters<typeof rowsWithNumbers>[0], ids: readonly number[]): Promise<Set<number>> {
    const rows = await rowsWithNumbers(reader, "documents", "id", ids);
    return new Set(rows.map((row) => row["id"] as number));
  }

  /** Null for a document that cannot be imported; the report then has the reason. */
  async #read(id: number): Promise<ReadDocument | null> {
    try {
      const fields = await this.#archive.fields(id, "record");
      const details = readDetails(await this.#archive.fields(id, "details"));
      const notes = await Array.fromAsync(this.#archive.part(id, "notes"));
      const sections = await Array.fromAsync(this.#archive.part(id, "sections"));
      const record = readRecord({ ...fields, asset_url: details.asset_url, notes, sections });
      if (record.values.id !== id) throw new RecordError(`id: expected ${id}, as its folder says`);
      this.#report.leaveOut(record.leftOut);
      return { record, details, document: await this.#documentOf(record, details) };
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof ArchiveContentError)) throw error;
      this.#report.fail(`document ${id}`, error.message);
      return null;
    }
  }

  async #documentOf(
    { values, user, organization, projects, unnamed }: ReadRecord,
    { shared_projects }: DocumentDetails,
  ): Promise<RecordToWrite["document"]> {
    if (user === null || organization === null) throw new RecordError("user and organization: expected ids");
    const keys = values.asset_url === null ? await this.#filesOf(values) : [];
    return {
      values: { ...values, user_id: user.id, organization_id: organization.id },
      projects: projects.map(({ id }) => id),
      sharedProjects: shared_projects,
      unnamed,
      isFileHere: keys.length > 0,
    };
  }

  /** The files of the document that are in the archive, with their keys in the store. */
  async #filesOf({
    id,
    slug,
    original_extension: extension,
  }: ReadRecord["values"]): Promise<{ key: string; file: string }[]> {
    const found: { key: string; file: string }[] = [];
    for (const key of new Set([documentFileKey(id, slug, extension), documentFileKey(id, slug, "pdf")])) {
      const file = await this.#archive.file(id, key.slice(documentFolder(id).length + 1));
      if (file !== null) found.push({ key, file });
    }
    return found;
  }

  /**
   * Writes the documents, each with its files first. If the values of some documents cannot be stored, all others are
   * written.
   */
  async #write(documents: readonly ReadDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const { database, files } = this.#context;
    await forEachConcurrently(documents, filesAtOnce, async ({ document }) => {
      if (document.values.asset_url !== null) return;
      for (const { key, file } of await this.#filesOf(document.values))
        await files.put(key, createReadStream(file));
    });
    try {
      const leftOut: string[] = [];
      const counts = await database.write(async (writer) => {
        // Another import may have added some of the documents meanwhile.
        const known = await this.#known(
          writer,
          documents.map(({ document }) => document.values.id),
        );
        const missing = documents.filter(({ document }) => !known.has(document.values.id));
        const written = await this.#records.put(writer, missing);
        for (const document of missing) await this.#putParts(writer, document, leftOut);
        return { ...written, known: written.known + known.size };
      });
      this.#report.leaveOut(leftOut);
      this.#report.count(counts);
      this.#report.at("");
    } catch (error) {
      if (!database.dialect.isRefusal(error)) throw error;
      const [first] = documents;
      if (documents.length > 1) {
        for (const document of documents) await this.#write([document]);
      } else if (first !== undefined) {
        await files.deleteFolder(documentFolder(first.document.values.id));
        this.#report.fail(`document ${first.document.values.id}`, reasonOf(error));
      }
    }
  }

  async #putParts(writer: Writer, { document, details }: ReadDocument, leftOut: string[]): Promise<void> {
    const { id, page_count } = document.values;
    const owner = { id, page_count };
    const { received } = details;
    if (received !== null) await addRows(writer, "received_files", [{ document_id: id, ...received }]);
    const pages = new Set<number>();
    await this.#putRows(writer, "document_pages", id, "pages", leftOut, {
      read: (fields) => {
        const row = readPage(fields, owner);
        return pages.size === pages.add(row.page).size ? null : row;
      },
      onAdded: (rows) =>
        indexTexts(
          writer,
          rows.map(({ page, text }) => ({ documentId: id, part: partOfPage(page), text })),
          { areNew: true },
        ),
    });
    const entities = new Set<number>();
    await this.#putRows(writer, "entity_occurrences", id, "entities", leftOut, {
      read: (fields) => {
        const row = readOccurrence(fields, owner);
        return entities.size === entities.add(row.entity_id).size ? null : row;
      },
      without: async (rows) => this.#absent(writer, "entities", rows, "entity_id"),
    });
    await this.#putRows(writer, "document_history", id, "history", leftOut, {
      read: (fields) => readHistory(fields, id),
      without: async (rows) => this.#absent(writer, "users", rows, "user_id"),
    });
    await this.#putRows(writer, "document_receipts", id, "receipts", leftOut, {
      read: (fields) => readReceipt(fields, id),
    });
  }

  /** Returns a function that tells whether a row's value in this column names a row that does not exist here. */
  async #absent(
    writer: Writer,
    table: keyof Tables,
    rows: readonly NewRow[],
    column: string,
  ): Promise<(row: NewRow) => boolean> {
    const named = [...new Set(rows.map((row) => row[column]).filter((id) => id !== null))] as number[];
    const found = await rowsWithNumbers(writer, table, "id", named);
    const here = new Set(found.map((row) => row["id"]));
    return (row) => row[column] !== null && !here.has(row[column] as number);
  }

  /**
   * Adds the rows of a list of a document. `read` may return null for a repeated row; `without` finds rows that name
   * something unknown.
   */
  async #putRows<Row extends NewRow>(
    writer: Writer,
    table: keyof Tables,
    documentId: number,
    part: Parameters<Archive["part"]>[1],
    leftOut: string[],
    {
      read,
      without,
      onAdded,
    }: {
      read: (fields: Fields) => Row | null;
      without?: (rows: readonly Row[]) => Promise<(row: Row) => boolean>;
      onAdded?: (rows: readonly Row[]) => Promise<void>;
    },
  ): Promise<void> {
    for await (const values of batchesOf(this.#archive.part(documentId, part), rowsAtOnce)) {
      const rows = values.map((value) => unlessInvalid(value, read)).filter((row) => row !== null);
      const isUnknown = await without?.(rows);
      const whole = isUnknown === undefined ? rows : rows.filter((row) => !isUnknown(row));
      await addRows(writer, table, whole);
      await onAdded?.(whole);
      for (let count = whole.length; count < values.length; count++) leftOut.push(`invalid ${part}`);
    }
  }
}
