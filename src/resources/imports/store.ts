import { type RawBuilder, type Selectable, sql } from "kysely";
import type { ImportFileState } from "../../contract/work.ts";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { lockRow, rowOf } from "../../database/rows.ts";
import type { ImportFilesTable, ImportsTable, Timestamp } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { busyStatuses } from "../document-states.ts";
import { isListedFor } from "./access.ts";

export type ImportRow = Selectable<ImportsTable>;

/** A file, with the status of its document. */
export type ImportFileRow = Selectable<ImportFilesTable> & { status: string | null };

/** One page of the imports that are listed for the viewer, newest first. */
export async function listImports(
  database: Database,
  viewer: SignedInViewer,
  cursor: Cursor,
  limit: number,
): Promise<Page<ImportRow>> {
  return new Conditions(database.dialect, "imports")
    .always(viewer.isAdministrator ? "of administrators" : "own", isListedFor(viewer))
    .with({ viewer: viewer.id })
    .page(database, sql`imports.*`, cursor, limit, { descending: true });
}

/** The import, without an access check. */
export async function findImport(reader: Pick<Reader, "selectFrom">, id: number): Promise<ImportRow | null> {
  return rowOf(reader, "imports", { id });
}

/** The same, locked until the transaction ends. */
export const lockImport = (writer: Writer, id: number) => lockRow(writer, "imports", { id });

/** The statuses of the documents in each state. */
const statuses = {
  waiting: [...busyStatuses, "nofile"],
  read: ["success"],
  unreadable: ["error"],
  deleted: ["deleted"],
} as const satisfies Partial<Record<ImportFileState, readonly string[]>>;

type DocumentState = keyof typeof statuses;

const isOfDocument = (state: ImportFileState): state is DocumentState => state in statuses;

export function stateOf({ outcome, status }: Pick<ImportFileRow, "outcome" | "status">): ImportFileState {
  if (outcome !== "added") return outcome;
  const state = (Object.keys(statuses) as DocumentState[]).find((one) =>
    (statuses[one] as readonly string[]).includes(status ?? ""),
  );
  return state ?? "waiting";
}

function isInState(state: ImportFileState): RawBuilder<boolean> {
  if (!isOfDocument(state)) return sql<boolean>`import_files.outcome = ${sql.lit(state)}`;
  const among = sql.join(statuses[state].map((status) => sql.lit(status)));
  return sql<boolean>`import_files.outcome = 'added' and import_files.document_id in (
    select id from documents where documents.id = import_files.document_id and documents.status in (${among}))`;
}

export interface FileFilter {
  /** Any of these; empty for all. */
  states: readonly ImportFileState[];
  extension: string | undefined;
}

/** One page of the files of an import, in the order in which they were read. */
export async function listImportFiles(
  database: Database,
  importId: number,
  { states, extension }: FileFilter,
  cursor: Cursor,
  limit: number,
): Promise<Page<ImportFileRow>> {
  const conditions = new Conditions(database.dialect, "import_files")
    .equals("import_id", importId)
    .equals("extension", extension);
  if (states.length > 0)
    conditions.always(states.join(), sql<boolean>`(${sql.join(states.map(isInState), sql` or `)})`);
  const status = sql`(select status from documents where documents.id = import_files.document_id)`;
  return conditions.page(database, sql`import_files.*, ${status} as status`, cursor, limit);
}

/** Files with the same extension, outcome and status. */
export interface FileGroup {
  extension: string;
  outcome: ImportFilesTable["outcome"];
  status: string | null;
  files: number;
  /** How many documents of these were made, and how many were read to the end, since a moment. */
  made: number;
  ended: number;
  /** When the last of their documents was changed. */
  last: Timestamp | null;
}

export async function countImportFiles(
  reader: Pick<Reader, "getExecutor">,
  importId: number,
  since: Timestamp,
): Promise<FileGroup[]> {
  const isLate = (column: string) => sql`count(case when ${sql.ref(column)} >= ${since} then 1 end)`;
  const { rows } = await sql<FileGroup>`
    select f.extension, f.outcome, d.status, count(*) as files, ${isLate("d.created_at")} as made,
      ${isLate("d.updated_at")} as ended, max(d.updated_at) as last
    from import_files f left join documents d on d.id = f.document_id
    where f.import_id = ${importId} group by f.extension, f.outcome, d.status`.execute(reader);
  return rows;
}

/** The documents that were made, after one of them: those that could not be read, or those that were read too. */
export async function findMadeDocuments(
  { reader }: Pick<Database, "reader">,
  importId: number,
  { isAll, extension, after, limit }: { isAll: boolean; extension: string; after: number; limit: number },
): Promise<number[]> {
  let query = reader
    .selectFrom("import_files")
    .innerJoin("documents", "documents.id", "import_files.document_id")
    .select("documents.id")
    .where("import_id", "=", importId)
    .where("outcome", "=", "added")
    .where("documents.id", ">", after)
    .where("documents.status", "in", isAll ? [...statuses.read, ...statuses.unreadable] : statuses.unreadable)
    .orderBy("documents.id")
    .limit(limit);
  if (extension !== "") query = query.where("extension", "=", extension);
  return (await query.execute()).map(({ id }) => id);
}

/** Why each of these documents could not be read. */
export async function findLastFailures(
  reader: Pick<Reader, "selectFrom">,
  documentIds: readonly number[],
): Promise<Map<number, string>> {
  return findLastDetails(
    reader,
    documentIds,
    "message",
    sql<boolean>`outcome = 'failed' and step <> 'redacted'`,
  );
}

/** The versions of Quire that have read these documents last; empty for those that were read before it was noted. */
export async function findReadingVersions(
  reader: Pick<Reader, "selectFrom">,
  documentIds: readonly number[],
): Promise<Map<number, string>> {
  return findLastDetails(reader, documentIds, "version", sql<boolean>`step = 'read'`);
}

/** A text in the details of the last such receipt of each of these documents that has one; empty without it. */
async function findLastDetails(
  reader: Pick<Reader, "selectFrom">,
  documentIds: readonly number[],
  name: "message" | "version",
  condition: RawBuilder<boolean>,
): Promise<Map<number, string>> {
  if (documentIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("document_receipts")
    .select(["document_id", "details"])
    .where("document_id", "in", documentIds)
    .where(condition)
    .orderBy("id")
    .execute();
  return new Map(
    rows.map(({ document_id, details }) => {
      const found = JSON.parse(details) as { message?: string; version?: string };
      return [document_id, found[name] ?? ""] as const;
    }),
  );
}
