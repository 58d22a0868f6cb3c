import { type RawBuilder, sql } from "kysely";
import { BulkInsert, updating } from "../../database/bulk-insert.ts";
import type { Database, Writer } from "../../database/database.ts";
import { type Dialect, bytesIn } from "../../database/dialect.ts";
import type { PageForm } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { DocumentRecordsTable } from "../../database/tables.ts";
import { type Viewer, anonymous } from "../../http/request/viewer.ts";
import { enqueue } from "../../jobs/queue.ts";
import { editableBy, editableValues, mayEdit } from "./access.ts";
import { type Bases, digestOf, piecesBetween, projectIds, putTogether, recordPieces } from "./present.ts";
import { recordFormat } from "./record-members.ts";
import {
  type DocumentRow,
  type RenderedRow,
  accessFacts,
  kindOf,
  lockDocument,
  viewerValues,
  wholeRow,
} from "./store.ts";

/** The job that stores the records that no transaction has stored. */
export const storeRecordsJob = "store records";

/** A transaction stores at most this many records before it commits, and leaves the others to the job. */
const maxBeforeCommit = 500;
/** Small, because on SQLite other writers wait meanwhile. */
const maxInJob = 200;

/**
 * From this call on, every transaction stores the records of the documents that it changed before it commits. Triggers
 * empty outdated records, whichever program changed the documents (see 0027-record-texts.ts). The transaction also
 * stores outdated records that other transactions have left.
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

const storedEditAccess = "false";

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

/** A document on a page of the list. Its record is empty if no up-to-date one is stored. */
export interface ListedRecord extends TaggedRecord {
  id: number;
  /** The value that the list is sorted by before the id, if any. */
  value?: string | number | null;
}

/**
 * A record's JSON, as a part of `bytes`. One byte without a meaning separates two records in the same bytes. What is
 * before the first and after the last record of a page may be overwritten.
 */
export interface TaggedRecord {
  /** Equal tags mean equal records, as long as the server's addresses are the same. */
  tag: string;
  bytes: Buffer;
  start: number;
  end: number;
}

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
  const bytes = Buffer.from(putTogether(pieces, bases, mayBeEdited, projects));
  return { tag: tag.join("/"), bytes, start: 0, end: bytes.length };
}

/** The columns of a document that {@link storedPage} needs. */
export function listedColumns(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  const columnsForAll = sql`documents.id`;
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
 * A page of the list as one row: the records one after the other, and a line with the id and the tag of each. The
 * engine joins them, which takes a fraction of the time that a separate row for each record would take. There is room
 * around the records for the rest of the body of a response, so that nobody has to copy them.
 */
export function storedPage(dialect: Dialect, viewer: Viewer): PageForm<ListedRecord> {
  const kind = kindOf(viewer);
  const administers = viewer.kind === "user" && viewer.isAdministrator;
  const { tag, rest } = textsFor[kind];
  return {
    name: `stored for ${kind}${administers ? ", an administrator" : ""}`,
    around(rows, isBehind, hasValue) {
      const addresses = sql`case when has_own_files then ${parameter("assetsAndWeb")} else ${parameter("web")} end`;
      const records = dialect.concatenated(sql`coalesce(opening || ${addresses} || ${rest}, '')`, recordEnd);
      const isStored = sql`document_records.document_id = listed.id and format = ${sql.lit(recordFormat)}`;
      const values = hasValue
        ? sql`, ${dialect.concatenated(dialect.asJson(sql.ref("listed.value")), ",")} as values_`
        : sql``;
      return sql`select
        ${dialect.asBytes(sql`${sql.lit(roomBefore)} || ${records} || ${sql.lit(roomAfter)}`)} as records,
        ${dialect.concatenated(sql`cast(listed.id as text) || ' ' || coalesce(${tag}, '')`, lineEnd)} as lines,
        ${isBehind} as behind${values}
        from (${rows}) as listed ${dialect.leftLookup(sql`document_records`, isStored)}`;
    },
    rows: (result) => recordsIn(result as StoredPage),
  };
}

const atEdit = sql`substr(rest, 1, edit_at) || listed.edit_access || `;
const afterEdit = sql`(edit_at + ${sql.lit(storedEditAccess.length + 1)})`;
const shownProjects = sql`coalesce(listed.shown_projects, '')`;

/** For each kind of viewer: a record's tag, and `rest` with the values that depend on the viewer. */
const textsFor: Record<ReturnType<typeof kindOf>, { tag: RawBuilder<unknown>; rest: RawBuilder<unknown> }> = {
  all: { tag: sql`digest`, rest: sql`rest` },
  user: {
    tag: sql`digest || '/' || listed.edit_access`,
    rest: sql`${atEdit}substr(rest, ${afterEdit})`,
  },
  collaborator: {
    tag: sql`digest || '/' || listed.edit_access || '/' || ${shownProjects}`,
    rest: sql`${atEdit}substr(rest, ${afterEdit}, projects_at - ${afterEdit} + 1) || ${shownProjects}
      || substr(rest, projects_at + length(projects) + 1)`,
  },
};

/** Cannot occur in JSON. */
const recordEnd = "\u001E";
const recordEndByte = recordEnd.charCodeAt(0);
const lineEnd = "\n";
const roomBefore = " ".repeat(512);
const roomAfter = "  ";

interface StoredPage {
  records: Uint8Array | string;
  /** Null if there are no rows. */
  lines: string | null;
  behind: number | boolean;
  values_?: string;
}

function recordsIn(page: StoredPage): (ListedRecord & { behind: boolean })[] {
  const { lines } = page;
  if (lines === null) return [];
  const values = page.values_ === undefined ? [] : (JSON.parse(`[${page.values_}]`) as (string | number)[]);
  const behind = Boolean(page.behind);
  const bytes = bytesIn(page.records);
  const endOfAll = bytes.length - roomAfter.length;
  const rows: (ListedRecord & { behind: boolean })[] = [];
  for (let line = 0, start = roomBefore.length; line < lines.length;) {
    const space = lines.indexOf(" ", line);
    const found = [lines.indexOf(lineEnd, space), bytes.indexOf(recordEndByte, start)] as const;
    const [endOfLine, end] = [
      found[0] === -1 ? lines.length : found[0],
      found[1] === -1 ? endOfAll : found[1],
    ];
    rows.push({
      id: Number(lines.slice(line, space)),
      value: values[rows.length] ?? null,
      behind,
      tag: lines.slice(space + 1, endOfLine),
      bytes,
      start,
      end,
    });
    line = endOfLine + 1;
    start = end + 1;
  }
  // If a text contains the separator, and so is not JSON, the records cannot be assigned to their documents.
  if (rows.at(-1)?.end !== endOfAll) for (const row of rows) row.end = row.start;
  return rows;
}

/** The values of the parameters in {@link listedColumns} and {@link storedPage}. */
export function storedPageValues(dialect: Dialect, viewer: Viewer, bases: Bases): Record<string, unknown> {
  const { assets, web } = piecesBetween(bases);
  return {
    assetsAndWeb: `${assets}${web}`,
    web,
    ...editableValues(dialect, viewer),
    ...viewerValues(dialect, viewer),
  };
}
