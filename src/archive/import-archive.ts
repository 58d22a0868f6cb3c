import { forEachConcurrently } from "../concurrently.ts";
import type { Context } from "../context.ts";
import type { Writer } from "../database/database.ts";
import { StatisticsOfImport } from "../database/statistics.ts";
import { type NewRow, addRows, rowsWithNumbers } from "../database/transfer/added-rows.ts";
import { reasonOf } from "../errors.ts";
import { documentFileKey, documentFolder } from "../files/keys.ts";
import { type ReadRecord, readRecord } from "../import/read-record.ts";
import { type Fields, RecordError } from "../import/record-fields.ts";
import { type RecordToWrite, RecordWriter } from "../import/record-writer.ts";
import type { ImportReport } from "../import/report.ts";
import { keepRecordsStored } from "../resources/documents/record-store.ts";
import { valueKey } from "../resources/documents/pages/correction-store.ts";
import { indexPages } from "../resources/documents/pages/page-store.ts";
import type { DocumentDetails } from "./archive-files.ts";
import { type Archive, ArchiveContentError } from "./archive.ts";
import { batchesOf } from "../batches.ts";
import { refuseTaken } from "./conflicts.ts";
import { type NewAccount, importLists } from "./import-lists.ts";
import { PartRows } from "./part-rows.ts";
import {
  readCorrection,
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

const documentsAtOnce = 100;
const readAtOnce = 8;
const filesAtOnce = 8;
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
  await documents.finish();
}

interface ReadDocument extends RecordToWrite {
  details: DocumentDetails;
  files: readonly ArchivedFile[];
}

/** A file of a document in the archive, with its key in the store. */
interface ArchivedFile {
  key: string;
  file: string;
}

class DocumentsImport {
  readonly #context: Pick<Context, "database" | "files">;
  readonly #archive: Archive;
  readonly #report: ImportReport;
  readonly #records: RecordWriter;
  readonly #statistics: StatisticsOfImport;

  constructor(context: Pick<Context, "database" | "files">, archive: Archive, report: ImportReport) {
    this.#context = context;
    this.#archive = archive;
    this.#report = report;
    this.#records = new RecordWriter(context.database.dialect);
    this.#statistics = new StatisticsOfImport(context.database);
  }

  async run(ids: readonly number[]): Promise<void> {
    const known = await this.#known(this.#context.database.reader, ids);
    this.#report.count({ added: 0, changed: 0, known: known.size });
    const read = new Map<number, ReadDocument>();
    await forEachConcurrently(ids, readAtOnce, async (id) => {
      const document = known.has(id) ? null : await this.#read(id);
      if (document !== null) read.set(id, document);
    });
    await this.#write(ids.flatMap((id) => read.get(id) ?? []));
    await this.#statistics.count(read.size);
  }

  async finish(): Promise<void> {
    await this.#statistics.finish();
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
      const files = details.asset_url === null ? await this.#filesOf(record.values) : [];
      return { record, details, files, document: documentOf(record, details, files) };
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof ArchiveContentError)) throw error;
      this.#report.fail(`document ${id}`, error.message);
      return null;
    }
  }

  async #filesOf({ id, slug, original_extension: extension }: ReadRecord["values"]): Promise<ArchivedFile[]> {
    const found: ArchivedFile[] = [];
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
    await forEachConcurrently(
      documents.flatMap((document) => document.files),
      filesAtOnce,
      ({ key, file }) => files.put(key, file),
    );
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
        await this.#putParts(writer, missing, leftOut);
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

  async #putParts(writer: Writer, documents: readonly ReadDocument[], leftOut: string[]): Promise<void> {
    const parts = {
      pages: new PartRows<ReturnType<typeof readPage>>(writer, "document_pages", {
        onAdded: (rows) => indexPages(writer, rows),
      }),
      entities: new PartRows<ReturnType<typeof readOccurrence>>(writer, "entity_occurrences", {
        naming: { table: "entities", idIn: (row) => row.entity_id },
      }),
      corrections: new PartRows<ReturnType<typeof readCorrection>>(writer, "mention_corrections", {}),
      history: new PartRows(writer, "document_history", { naming: { table: "users", idIn: userOf } }),
      receipts: new PartRows(writer, "document_receipts", {}),
    };
    const received: NewRow[] = [];
    for (const { document, details } of documents) {
      const { id, page_count } = document.values;
      const owner = { id, page_count };
      if (details.received !== null) received.push({ document_id: id, ...details.received });
      const pages = new Set<number>();
      await this.#putRows(id, "pages", parts.pages, (fields) => {
        const row = readPage(fields, owner);
        return pages.size === pages.add(row.page).size ? null : row;
      });
      const entities = new Set<number>();
      await this.#putRows(id, "entities", parts.entities, (fields) => {
        const row = readOccurrence(fields, owner);
        return entities.size === entities.add(row.entity_id).size ? null : row;
      });
      const corrections = new Set<string>();
      await this.#putRows(id, "corrections", parts.corrections, (fields) => {
        const row = readCorrection(fields, id);
        return corrections.size === corrections.add(valueKey(row)).size ? null : row;
      });
      await this.#putRows(id, "history", parts.history, (fields) => readHistory(fields, id));
      await this.#putRows(id, "receipts", parts.receipts, (fields) => readReceipt(fields, id));
    }
    await addRows(writer, "received_files", received);
    for (const [name, rows] of Object.entries(parts)) {
      await rows.flush();
      for (let count = 0; count < rows.leftOut; count++) leftOut.push(`invalid ${name}`);
    }
  }

  /** Adds the rows of a list of a document. `read` may return null for a repeated row. */
  async #putRows<Row extends NewRow>(
    documentId: number,
    part: Parameters<Archive["part"]>[1],
    rows: PartRows<Row>,
    read: (fields: Fields) => Row | null,
  ): Promise<void> {
    for await (const value of this.#archive.part(documentId, part))
      await rows.put(unlessInvalid(value, read));
  }
}

function documentOf(
  { values, user, organization, projects, unnamed }: ReadRecord,
  { shared_projects }: DocumentDetails,
  files: readonly ArchivedFile[],
): RecordToWrite["document"] {
  if (user === null || organization === null) throw new RecordError("user and organization: expected ids");
  return {
    values: { ...values, user_id: user.id, organization_id: organization.id },
    projects: projects.map(({ id }) => id),
    sharedProjects: shared_projects,
    unnamed,
    isFileHere: files.length > 0,
  };
}

const userOf = (row: NewRow): unknown => row["user_id"];
