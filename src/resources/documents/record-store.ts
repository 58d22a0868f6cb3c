import { type RawBuilder, sql } from "kysely";
import { BulkInsert, updating } from "../../database/bulk-insert.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { PageForm } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { DocumentRecordsTable } from "../../database/tables.ts";
import { type Viewer, anonymous } from "../../http/request/viewer.ts";
import { enqueue } from "../../jobs/queue.ts";
import { editableBy, editableValues, mayEdit } from "./access.ts";
import {
  type Bases,
  digestLength,
  digestOf,
  piecesBetween,
  projectIds,
  putTogether,
  recordPieces,
} from "./present.ts";
import { recordFormat } from "./record-members.ts";
import { type DocumentRow, accessFacts, kindOf, lockDocument, viewerValues, wholeRow } from "./store.ts";

/** The job that stores the records that no transaction has stored. */
export const storeRecordsJob = "store records";

/** A transaction stores at most this many records before it commits, and leaves the others to the job. */
const maxBeforeCommit = 500;
/** Small, because on SQLite other writers wait meanwhile. */
const maxInJob = 200;

/**
 * From here on, every transaction stores the records of the documents that it changed, in whatever way, before it commits:
 * the database notes which they are (see 0020-stored-records.ts). It also takes those that others have left.
 */
export function keepRecordsStored(database: Database): void {
  const storing = new RecordStoring(database.dialect);
  database.beforeCommit(async (writer) => {
    const stored = await storing.storeOutdated(writer, maxBeforeCommit);
    if (stored === maxBeforeCommit) await enqueue(writer, { kind: storeRecordsJob, subject: 0 });
  });
}

/** Stores all records that are noted as outdated. It may end at any time: every transaction is a step forward. */
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

/** Stores the records of all documents, as after a copy of the other tables. */
export async function storeAllRecords(writer: Writer, dialect: Dialect): Promise<void> {
  await sql`insert into outdated_records select id from documents where true
    on conflict (document_id) do nothing`.execute(writer);
  const storing = new RecordStoring(dialect);
  while ((await storing.storeOutdated(writer, maxBeforeCommit)) > 0);
}

const columns = [
  "document_id",
  "revision",
  "format",
  "digest",
  "opening",
  "asset_url",
  "until_edit_access",
  "until_projects",
  "projects",
  "ending",
] as const satisfies readonly (keyof DocumentRecordsTable)[];

export class RecordStoring {
  readonly #dialect: Dialect;
  readonly #put = new BulkInsert<DocumentRecordsTable>(
    "document_records",
    columns,
    updating("document_id", columns),
  );

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /**
   * Stores some of the records that are noted as outdated, and returns how many it took. The notes are deleted first:
   * until this transaction ends, another one that changes one of the documents waits, and then notes it again.
   */
  async storeOutdated(writer: Writer, limit: number): Promise<number> {
    const dialect = this.#dialect;
    // Materialized, as PostgreSQL might otherwise evaluate the limited query more than once, and delete more.
    const { rows: outdated } = await sql<{ document_id: number }>`
      with taken as materialized (
        select document_id from outdated_records order by document_id limit ${sql.lit(limit)} ${dialect.forUpdateOfFree}
      ) delete from outdated_records where document_id in (select document_id from taken)
      returning document_id`.execute(writer);
    if (outdated.length > 0)
      await this.#write(
        writer,
        outdated.map(({ document_id }) => document_id),
      );
    return outdated.length;
  }

  /** Stores the records of these documents, which the transaction has changed or locked. */
  async store(writer: Writer, ids: readonly number[]): Promise<void> {
    const dialect = this.#dialect;
    const list = sql`${dialect.list(ids)}`;
    await sql`delete from outdated_records where ${dialect.isAmong(sql.ref("document_id"), list)}`.execute(
      writer,
    );
    await this.#write(writer, ids);
  }

  async #write(writer: Writer, ids: readonly number[]): Promise<void> {
    const dialect = this.#dialect;
    const isAmong = dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`);
    const { rows } = await sql<DocumentRow>`
      select ${wholeRow(dialect, anonymous)} from documents where ${isAmong}`.execute(writer);
    await this.#put.run(writer, rows.map(storedRecord));
  }
}

function storedRecord(row: DocumentRow): DocumentRecordsTable {
  const pieces = recordPieces(row);
  return {
    document_id: row.id,
    revision: row.revision,
    format: recordFormat,
    digest: digestOf(pieces),
    ...pieces,
  };
}

/**
 * The documents among these whose stored record is not what their row says: a program has written into the table of records,
 * or the records are rendered otherwise without another `recordFormat`. A record that is not stored is no fault.
 */
export async function findWrongRecords(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  ids: readonly number[],
): Promise<number[]> {
  const pieces = columns.map(
    (column) => sql`document_records.${sql.ref(column)} as ${sql.ref(`stored_${column}`)}`,
  );
  const { rows } = await sql<DocumentRow & Record<string, unknown>>`
    select ${wholeRow(dialect, anonymous)}, ${sql.join(pieces)} from documents
    join document_records on document_records.document_id = documents.id
      and document_records.revision = documents.revision and document_records.format = ${sql.lit(recordFormat)}
    where ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`)}`.execute(reader);
  const isWrong = (row: DocumentRow & Record<string, unknown>): boolean => {
    const fresh = storedRecord(row);
    return columns.some((column) => fresh[column] !== row[`stored_${column}`]);
  };
  return rows.filter(isWrong).map(({ id }) => id);
}

/** Stores the document's record again. */
export async function restoreRecord(database: Database, id: number): Promise<void> {
  const { dialect } = database;
  await database.write(async (writer) => {
    if (await lockDocument(writer, dialect, id)) await new RecordStoring(dialect).store(writer, [id]);
  });
}

/** A document on a page of the list. */
export interface ListedRecord {
  id: number;
  /** The value that the list is sorted by before the id, if any. */
  value?: string | number | null;
  /** Null if the record is not stored as it is now. */
  record: TaggedRecord | null;
}

/**
 * A record's JSON after a tag and a line feed. Equal tags mean equal records, as long as the server's addresses are the
 * same.
 */
export type TaggedRecord = Buffer;

/** Renders the record of a row as {@link storedPage} returns it. */
export function renderedRecord(viewer: Viewer, bases: Bases, row: DocumentRow): TaggedRecord {
  const pieces = recordPieces(row);
  const mayBeEdited = mayEdit(viewer, accessFacts(row));
  const projects = projectIds(row);
  const tag = [
    digestOf(pieces),
    ...(viewer.kind === "anonymous" ? [] : [mayBeEdited]),
    ...(kindOf(viewer) === "collaborator" ? [projects] : []),
  ];
  return Buffer.from(`${tag.join("/")}\n${putTogether(pieces, bases, mayBeEdited, projects)}`);
}

/** The columns of a document that {@link storedPage} needs. */
export function listedColumns(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  const columnsForAll = sql`documents.id, documents.revision`;
  if (viewer.kind === "anonymous") return columnsForAll;
  const edit = sql`, case when ${editableBy(dialect, viewer, parameter)} then 'true' else 'false' end as edit_access`;
  if (kindOf(viewer) !== "collaborator") return sql`${columnsForAll}${edit}`;
  const id = sql.ref("project_memberships.project_id");
  return sql`${columnsForAll}${edit}, (
    select ${dialect.joinedIds(id)} from project_memberships
    join projects on projects.id = project_memberships.project_id
    where project_memberships.document_id = documents.id
      and (projects.private = false or ${dialect.isAmong(id, parameter("viewerProjects"))})
  ) as shown_projects`;
}

/**
 * A page of the list as one row: the ids, and the records one after the other. The engine puts the records together from
 * their pieces, which takes a fraction of the time that a row for each of them would.
 */
export function storedPage(dialect: Dialect, viewer: Viewer): PageForm<ListedRecord> {
  const kind = kindOf(viewer);
  const administers = viewer.kind === "user" && viewer.isAdministrator;
  return {
    name: `stored for ${kind}${administers ? ", an administrator" : ""}`,
    around(rows, hasValue) {
      const values = hasValue
        ? sql`, ${dialect.concatenated(dialect.asJson(sql.ref("listed.value")), ",")} as values_`
        : sql``;
      return sql`select ${dialect.concatenated(sql`coalesce(${storedRecordFor(kind)}, '')`, recordEnd)} as records,
        ${dialect.concatenated(sql`cast(listed.id as text)`, ",")} as ids,
        max(case when listed.behind then 1 else 0 end) as behind${values} from (${rows}) as listed`;
    },
    rows: (result) => recordsIn(result as StoredPage),
  };
}

/** The tag and the record of the document `listed`; null if it is not stored as it is now. */
function storedRecordFor(kind: ReturnType<typeof kindOf>): RawBuilder<unknown> {
  const edit = kind === "all" ? sql`'false'` : sql`listed.edit_access`;
  const projects =
    kind === "collaborator" ? sql`coalesce(listed.shown_projects, '')` : sql`document_records.projects`;
  const tag = {
    all: sql`digest`,
    user: sql`digest, '/', ${edit}`,
    collaborator: sql`digest, '/', ${edit}, '/', ${projects}`,
  }[kind];
  return sql`(
    select concat(${tag}, ${sql.lit("\n")}, opening, coalesce(asset_url, ${parameter("assets")}),
      cast(${parameter("web")} as text), until_edit_access, ${edit}, until_projects, ${projects}, ending)
    from document_records where document_records.document_id = listed.id
      and document_records.revision = listed.revision and format = ${sql.lit(recordFormat)})`;
}

/** A line feed. */
const tagMark = 0x0a;
/** Cannot occur in JSON. */
const recordEnd = "\u001E";

interface StoredPage {
  records: Uint8Array | string;
  /** Null if there are no rows. */
  ids: Uint8Array | string | null;
  behind: number;
  values_?: Uint8Array | string;
}

function recordsIn(page: StoredPage): (ListedRecord & { behind: boolean })[] {
  if (page.ids === null) return [];
  const ids = listIn<number>(page.ids);
  const values = page.values_ === undefined ? [] : listIn<string | number>(page.values_);
  const behind = page.behind === 1;
  const records = partsOf(bytesOf(page.records), recordEnd.charCodeAt(0));
  // With the mark inside one of them, which then is not JSON, it is not known which record belongs to which document.
  const areKnown = records.length === ids.length;
  return ids.map((id, index) => {
    const record = areKnown ? (records[index] as Buffer) : null;
    return { id, behind, value: values[index] ?? null, record: record?.length === 0 ? null : record };
  });
}

/** The length of the tag: the JSON begins after the next byte. */
export function endOfTag(record: TaggedRecord): number {
  return record.indexOf(tagMark, digestLength);
}

function listIn<T>(joined: Uint8Array | string): T[] {
  return JSON.parse(`[${bytesOf(joined).toString()}]`) as T[];
}

function bytesOf(value: Uint8Array | string): Buffer {
  return typeof value === "string"
    ? Buffer.from(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function partsOf(bytes: Buffer, mark: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start <= bytes.length;) {
    const found = bytes.indexOf(mark, start);
    const end = found === -1 ? bytes.length : found;
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

/** The values of the parameters in {@link listedColumns} and {@link storedPage}. */
export function storedPageValues(dialect: Dialect, viewer: Viewer, bases: Bases): Record<string, unknown> {
  const { assets, web } = piecesBetween(bases);
  return { assets, web, ...editableValues(dialect, viewer), ...viewerValues(dialect, viewer) };
}
