import { sql } from "kysely";
import { BulkInsert, updating } from "../../database/bulk-insert.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { DocumentRecordsTable } from "../../database/tables.ts";
import { anonymous } from "../../http/request/viewer.ts";
import { enqueue } from "../../jobs/queue.ts";
import { digestOf, recordPieces } from "./present.ts";
import { recordFormat } from "./record-members.ts";
import { type DocumentRow, type RenderedRow, lockDocument, wholeRow } from "./store.ts";

/** The job that stores the records that no transaction has stored. */
export const storeRecordsJob = "store records";

/** A transaction stores at most this many records before it commits, and leaves the others to the job. */
const maxBeforeCommit = 500;
/** Small, because on SQLite other writers wait meanwhile. */
const maxInJob = 200;

/**
 * From this call on, every transaction stores the records of the documents that it changed before it commits. Triggers
 * empty outdated records, whichever program changed the documents (see migrations/baseline/documents.ts). The
 * transaction also stores outdated records that other transactions have left.
 */
export function keepRecordsStored(database: Database): void {
  const storing = new RecordStoring(database.dialect);
  database.beforeCommit(async (writer) => {
    const stored = await storing.storeOutdated(writer, maxBeforeCommit);
    if (stored === maxBeforeCommit) await enqueue(writer, { kind: storeRecordsJob, subject: 0 });
  });
}

/** Stores all outdated records. It may be interrupted at any time: each transaction stores some of them for good. */
export async function storeRecords(
  database: Pick<Database, "dialect" | "write">,
  signal: AbortSignal,
): Promise<void> {
  const storing = new RecordStoring(database.dialect);
  for (let stored = maxInJob; stored >= maxInJob;) {
    signal.throwIfAborted();
    stored = await database.write((writer) => storing.storeOutdated(writer, maxInJob));
  }
}

/** Stores the records of all documents, for example after the other tables were copied. */
export async function storeAllRecords(
  writer: Writer,
  dialect: Dialect,
  onBatch: () => void = () => undefined,
): Promise<void> {
  await sql`insert into document_records (document_id) select id from documents where true
    on conflict (document_id) do update set rest = null`.execute(writer);
  const storing = new RecordStoring(dialect);
  while ((await storing.storeOutdated(writer, maxBeforeCommit)) > 0) onBatch();
}

export const storedRecordColumns = [
  "document_id",
  "format",
  "digest",
  "opening",
  "has_own_files",
  "edit_at",
  "projects_at",
  "projects",
  "rest",
] as const satisfies readonly (keyof DocumentRecordsTable)[];

export class RecordStoring {
  readonly #dialect: Dialect;
  readonly #put = new BulkInsert<DocumentRecordsTable>(
    "document_records",
    storedRecordColumns,
    updating("document_id", storedRecordColumns),
  );

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Stores up to `limit` outdated records. Returns their number. */
  async storeOutdated(writer: Writer, limit: number): Promise<number> {
    const { rows: outdated } = await sql<{ document_id: number }>`
      select document_id from document_records where rest is null
      order by document_id limit ${sql.lit(limit)} ${this.#dialect.forUpdateOfFree}`.execute(writer);
    if (outdated.length > 0)
      await this.#write(
        writer,
        outdated.map(({ document_id }) => document_id),
      );
    return outdated.length;
  }

  /** Stores the records of these documents. */
  async store(writer: Writer, ids: readonly number[]): Promise<void> {
    const dialect = this.#dialect;
    const idMatches = dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(ids)}`);
    await sql`select document_id from document_records where ${idMatches}
      order by document_id ${dialect.forUpdate}`.execute(writer);
    await this.#write(writer, ids);
  }

  /**
   * The rows of the records are locked already, by this transaction's own changes or by a select. If the following
   * select does not see another transaction's change of a document yet, that change waits for the lock and will then
   * empty the text that is written here.
   */
  async #write(writer: Writer, ids: readonly number[]): Promise<void> {
    const dialect = this.#dialect;
    const isAmong = dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`);
    const { rows } = await sql<DocumentRow>`
      select ${wholeRow(dialect, anonymous)} from documents where ${isAmong}`.execute(writer);
    await this.#put.run(writer, rows.map(storedRecord));
  }
}

/** The value of `edit_access` in a stored record, at `edit_at`. */
export const storedEditAccess = "false";

/** The record of a row, as it is stored. */
export function storedRecord(row: RenderedRow): DocumentRecordsTable {
  const pieces = recordPieces(row);
  const { opening, asset_url, until_edit_access, until_projects, projects, ending } = pieces;
  const editAt = lengthOf(until_edit_access);
  return {
    document_id: row.id,
    format: recordFormat,
    digest: digestOf(pieces),
    opening: `${opening}${asset_url ?? ""}`,
    has_own_files: asset_url === null,
    edit_at: editAt,
    projects_at: editAt + storedEditAccess.length + lengthOf(until_projects),
    projects,
    rest: `${until_edit_access}${storedEditAccess}${until_projects}${projects}${ending}`,
  };
}

/** In characters, as the engines count them. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0);
}

/**
 * The documents among these whose stored record differs from their row: a program has written into the table of
 * records, or the rendering has changed without an increased `recordFormat`. A missing stored record is no fault.
 */
export async function findWrongRecords(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  ids: readonly number[],
): Promise<number[]> {
  const stored = storedRecordColumns.map(
    (column) => sql`document_records.${sql.ref(column)} as ${sql.ref(`stored_${column}`)}`,
  );
  const { rows } = await sql<DocumentRow & Record<string, unknown>>`
    select ${wholeRow(dialect, anonymous)}, ${sql.join(stored)} from documents
    join document_records on document_records.document_id = documents.id
      and document_records.format = ${sql.lit(recordFormat)} and document_records.rest is not null
    where ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`)}`.execute(reader);
  const isWrong = (row: DocumentRow & Record<string, unknown>): boolean => {
    const fresh = storedRecord(row);
    return storedRecordColumns.some(
      (column) => withoutBooleans(fresh[column]) !== withoutBooleans(row[`stored_${column}`]),
    );
  };
  return rows.filter(isWrong).map(({ id }) => id);
}

/** SQLite has no booleans. */
function withoutBooleans(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

/** Stores the document's record again. */
export async function restoreRecord(database: Database, id: number): Promise<void> {
  const { dialect } = database;
  await database.write(async (writer) => {
    if (await lockDocument(writer, dialect, id)) await new RecordStoring(dialect).store(writer, [id]);
  });
}
