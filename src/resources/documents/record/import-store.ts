import { busyStatuses, isPublic } from "../../document-states.ts";
import { type Insertable, type Selectable, sql } from "kysely";
import { BulkInsert, updating } from "../../../database/bulk-insert.ts";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { reserveId } from "../../../database/reserved-ids.ts";
import type { TextPart } from "../../../search/parts.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { describingParts, indexJob } from "../indexed-fields.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { type ArrivedFile, noteArrival } from "../files/received-file-store.ts";
import { processJob } from "../file-facts-store.ts";
import type {
  DocumentRecordsTable,
  DocumentsTable,
  ProjectMembershipsTable,
  UnindexedDocumentsTable,
} from "../../../database/tables.ts";
import { recordColumns } from "../record-members.ts";
import { type DataRow, dataRowsOf } from "./data-row-store.ts";
import { RecordStoring, storedRecord } from "../record-store.ts";

/** All columns of a document to write. */
export type DocumentValues = Required<Insertable<DocumentsTable>> & { id: number };

export interface DocumentToPut {
  values: DocumentValues;
  /** The ids of all its projects. The projects, the user and the organization must exist. */
  projects: readonly number[];
  /** Those of its projects whose collaborators may edit it, if it joins them now. */
  sharedProjects?: readonly number[];
  /** Times that the record did not contain. They apply to a new row; an existing row keeps its own. */
  unnamed?: readonly ("created_at" | "updated_at")[];
  /** The file is in Quire's own store. */
  isFileHere?: boolean;
  /** {@link prepareDocument} for these values. */
  prepared?: PreparedDocument;
}

/** What an import writes of a new document besides its row. It follows from the values alone, so any thread can make it. */
export interface PreparedDocument {
  /** The record if all its projects are public. */
  record: DocumentRecordsTable;
  data: readonly DataRow[];
}

export function prepareDocument(values: DocumentValues, projects: readonly number[]): PreparedDocument {
  return { record: recordOf(values, projects), data: dataRowsOf(values) };
}

function recordOf(values: DocumentValues, publicProjects: readonly number[]): DocumentRecordsTable {
  const shown = publicProjects.length > 1 ? publicProjects.toSorted((a, b) => a - b) : publicProjects;
  return storedRecord({ ...values, public_projects: shown.join(",") });
}

/** With more new documents, a transaction leaves indexing their words to the job. */
const maxIndexedAtOnce = 1000;

export interface PutCounts {
  added: number;
  changed: number;
  /** Existed already with the same values. Nothing was written. */
  known: number;
}

export interface PutOutcome extends PutCounts {
  /** The ids of those that are known. */
  unchanged: readonly number[];
}

const columns = recordColumns as readonly (keyof DocumentValues)[];

type Membership = Pick<Insertable<ProjectMembershipsTable>, "document_id" | "project_id" | "edit_access">;

type NewMembership = Membership & { is_public: boolean };

type NewDocument = DocumentValues & { revision: number | null };

interface KnownDocument {
  row: Selectable<DocumentsTable>;
  projects: Set<number>;
}

/** Inserts or updates many documents that have ids already. */
export class DocumentImporter {
  readonly #dialect: Dialect;
  readonly #storing: RecordStoring;
  readonly #added: BulkInsert<NewDocument>;
  readonly #data: BulkInsert<DataRow>;
  readonly #changed = new BulkInsert<DocumentValues>("documents", columns, updating("id", columns));
  readonly #newMemberships: BulkInsert<NewMembership>;
  readonly #memberships = new BulkInsert<Membership>("project_memberships", [
    "document_id",
    "project_id",
    "edit_access",
  ]);
  readonly #unindexed = new BulkInsert<UnindexedDocumentsTable>("unindexed_documents", ["document_id"]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#storing = new RecordStoring(dialect);
    const all = dialect.newRevision() === null ? columns : ([...columns, "revision"] as const);
    const whole = { insert: dialect.insertWhole, otherwise: null };
    this.#added = new BulkInsert("documents", all, whole);
    const dataColumns = ["document_id", "key", "lowest", "highest", "is_public"] as const;
    this.#data = new BulkInsert("document_data", dataColumns, whole);
    const membershipColumns = ["document_id", "project_id", "edit_access", "is_public"] as const;
    this.#newMemberships = new BulkInsert("project_memberships", membershipColumns, whole);
  }

  /**
   * Inserts the documents, or updates those that exist. No id may occur twice. A document whose file is in Quire's own
   * store keeps the file as long as hash, slug and extension stay the same, whatever `asset_url` says. A document with a
   * busy status whose file is in the store is processed. Fails if another transaction inserts one of them at the same
   * time.
   */
  async put(writer: Writer, documents: readonly DocumentToPut[]): Promise<PutOutcome> {
    // In order of ids, so that two transactions that put the same documents cannot deadlock.
    const inOrder = documents.toSorted((a, b) => a.values.id - b.values.id);
    await lockForPutting(writer, this.#dialect, {
      projects: [...new Set(inOrder.flatMap(({ projects }) => projects))],
      documents: inOrder.map(({ values }) => values.id),
    });
    const known = await this.#findKnown(
      writer,
      inOrder.map(({ values }) => values.id),
    );
    const added: DocumentToPut[] = [];
    const changed: DocumentValues[] = [];
    const memberships: Membership[] = [];
    const counts = { added: 0, changed: 0, known: 0 };
    const unchanged: number[] = [];
    const touched: number[] = [];
    for (const document of inOrder) {
      const { id } = document.values;
      const before = known.get(id);
      if (before === undefined) {
        added.push(document);
        continue;
      }
      const { projects } = document;
      const row = mergedInto(before.row, document);
      const isChanged = differs(before.row, row);
      if (isChanged) changed.push(row);
      const joined = projects.filter((project) => !before.projects.has(project));
      for (const project of joined) memberships.push(membershipOf(document, project));
      const left = [...before.projects].filter((project) => !projects.includes(project));
      await leaveProjects(writer, id, left);
      if (isChanged || joined.length > 0 || left.length > 0) touched.push(id);
      else unchanged.push(id);
    }
    counts.added = added.length;
    counts.changed = touched.length;
    counts.known = unchanged.length;
    await this.#add(writer, added);
    await this.#changed.run(writer, changed);
    await this.#memberships.run(writer, memberships);
    if (touched.length > 0) await this.#storing.store(writer, touched);
    await indexTexts(writer, changed.flatMap(partsOf));
    const withFile = new Set(inOrder.filter(({ isFileHere }) => isFileHere).map(({ values }) => values.id));
    for (const { id, status, user_id } of [...added.map(({ values }) => values), ...changed]) {
      const isToRead = withFile.has(id) && busyStatuses.includes(status);
      if (isToRead) await enqueue(writer, { kind: processJob, subject: id, owner: user_id });
    }
    return { ...counts, unchanged };
  }

  /** Adds documents that do not exist, with everything that follows from them, so that triggers need not. */
  async #add(writer: Writer, documents: readonly DocumentToPut[]): Promise<void> {
    if (documents.length === 0) return;
    const dialect = this.#dialect;
    const named = new Set(documents.flatMap(({ projects }) => projects));
    const isPrivate = await findPrivate(writer, dialect, named);
    const isShown = (project: number): boolean => !isPrivate.has(project);
    const prepared = documents.map(({ values, projects, prepared: known }) => {
      const shown = projects.every(isShown) ? projects : projects.filter(isShown);
      return known !== undefined && shown === projects ? known : prepareDocument(values, shown);
    });
    await dialect.writesAll.begin.execute(writer);
    await this.#added.run(
      writer,
      documents.map(({ values }) => ({ ...values, revision: dialect.newRevision() })),
    );
    await this.#storing.storeNew(
      writer,
      prepared.map(({ record }) => record),
    );
    await this.#data.run(
      writer,
      prepared.flatMap(({ data }) => data),
    );
    await this.#newMemberships.run(writer, documents.flatMap(newMembershipsOf));
    await dialect.writesAll.end.execute(writer);
    if (documents.length > maxIndexedAtOnce) {
      await this.#unindexed.run(
        writer,
        documents.map(({ values }) => ({ document_id: values.id })),
      );
      await enqueue(writer, { kind: indexJob, subject: 0 });
    } else {
      await indexTexts(
        writer,
        documents.flatMap(({ values }) => partsOf(values)),
        { areNew: true },
      );
    }
    await dialect.afterOwnIds("documents")?.execute(writer);
  }

  async #findKnown(writer: Writer, ids: readonly number[]): Promise<Map<number, KnownDocument>> {
    const list = sql`${this.#dialect.list(ids)}`;
    const rows = await writer
      .selectFrom("documents")
      .selectAll()
      .where(this.#dialect.isAmong(sql.ref("id"), list))
      .execute();
    const known = new Map(rows.map((row) => [row.id, { row, projects: new Set<number>() }]));
    if (known.size === 0) return known;
    const memberships = await writer
      .selectFrom("project_memberships")
      .select(["document_id", "project_id"])
      .where(this.#dialect.isAmong(sql.ref("document_id"), list))
      .execute();
    for (const membership of memberships) {
      known.get(membership.document_id)?.projects.add(membership.project_id);
    }
    return known;
  }
}

function membershipOf({ values, sharedProjects = [] }: DocumentToPut, project_id: number): Membership {
  return { document_id: values.id, project_id, edit_access: sharedProjects.includes(project_id) };
}

function newMembershipsOf(document: DocumentToPut): NewMembership[] {
  const { projects, values } = document;
  if (projects.length === 0) return [];
  const is_public = isPublic(values);
  return projects.map((project) => Object.assign(membershipOf(document, project), { is_public }));
}

async function findPrivate(
  writer: Writer,
  dialect: Dialect,
  projects: ReadonlySet<number>,
): Promise<Set<number>> {
  if (projects.size === 0) return new Set();
  const found = await writer
    .selectFrom("projects")
    .select("id")
    .where("private", "=", true)
    .where(dialect.isAmong(sql.ref("id"), sql`${dialect.list([...projects])}`))
    .execute();
  return new Set(found.map(({ id }) => id));
}

/** Locks projects before documents, each in order of ids, like every other change of a project's documents. */
export async function lockForPutting(
  writer: Writer,
  dialect: Dialect,
  ids: Readonly<Record<"projects" | "documents", readonly number[]>>,
): Promise<void> {
  for (const table of ["projects", "documents"] as const) {
    if (ids[table].length > 0) await dialect.lockRows(table, ids[table])?.execute(writer);
  }
}

function partsOf(row: DocumentValues): TextPart[] {
  return describingParts(row.id, row);
}

function mergedInto(
  row: Selectable<DocumentsTable>,
  { values, unnamed = [] }: DocumentToPut,
): DocumentValues {
  const merged = { ...values };
  if (keepsFile(row, values)) merged.asset_url = null;
  for (const column of unnamed) merged[column] = row[column];
  return merged;
}

function keepsFile(row: Selectable<DocumentsTable>, values: DocumentValues): boolean {
  return (
    row.asset_url === null &&
    row.file_hash === values.file_hash &&
    row.slug === values.slug &&
    row.original_extension === values.original_extension
  );
}

function differs(row: Selectable<DocumentsTable>, values: DocumentValues): boolean {
  return columns.some((column) => {
    const value = values[column];
    return typeof value === "boolean" ? Boolean(row[column]) !== value : row[column] !== value;
  });
}

async function leaveProjects(writer: Writer, id: number, projects: readonly number[]): Promise<void> {
  if (projects.length === 0) return;
  await writer
    .deleteFrom("project_memberships")
    .where("document_id", "=", id)
    .where("project_id", "in", projects)
    .execute();
}

/** Reserves an id for a new document. It stays unused if the document is never added. */
export async function reserveDocumentId(database: Database): Promise<number> {
  return database.write((writer) => reserveId(writer, database.dialect, "documents"));
}

/**
 * The documents that were made of this file, by its SHA-1 and extension: those for which it arrived, even if their file
 * has changed since, or else those whose PDF it is now.
 */
export async function findDocumentsOfFile(
  reader: Pick<Reader, "selectFrom">,
  sha1: string,
  extension: string,
): Promise<number[]> {
  const came = await reader
    .selectFrom("received_files")
    .innerJoin("documents", "documents.id", "received_files.document_id")
    .select("documents.id")
    .distinct()
    .where("sha1", "=", sha1)
    .where("extension", "=", extension)
    // A document with status `nofile` may still get another file.
    .where("status", "not in", ["deleted", "nofile"])
    .orderBy("documents.id")
    .execute();
  if (came.length > 0) return came.map(({ id }) => id);
  const found = await reader
    .selectFrom("documents")
    .select("id")
    // Repeats the condition of the partial index, so that the engines can use it.
    .where("file_hash", "<>", sql.lit(""))
    .where("file_hash", "=", sha1)
    .where("original_extension", "=", extension)
    .where("status", "<>", "deleted")
    .orderBy("id")
    .execute();
  return found.map(({ id }) => id);
}

/**
 * Adds the document of a file that is in the store under the document's id, and has it processed. Does nothing if the
 * file has a document by now ("known"), or if an imported record has taken the id meanwhile ("taken").
 */
export async function addDocumentOfFile(
  writer: Writer,
  dialect: Dialect,
  { values, projects }: DocumentToPut,
  file: ArrivedFile,
): Promise<"added" | "known" | "taken"> {
  await dialect.lockForWriting("documents")?.execute(writer);
  const known = await findDocumentsOfFile(writer, file.sha1, values.original_extension);
  if (known.length > 0) return "known";
  const added = await writer
    .insertInto("documents")
    .values(values)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) return "taken";
  await indexTexts(writer, partsOf(values), { areNew: true });
  await noteArrival(writer, values.id, file, { isRead: true });
  await enqueue(writer, { kind: processJob, subject: values.id, owner: values.user_id });
  for (const project of projects) await joinProject(writer, values.id, project);
  return "added";
}

/** Adds a document to a project, without sharing it with the collaborators. Returns false if it was in it already. */
export async function joinProject(writer: Writer, document_id: number, project_id: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await writer
    .insertInto("project_memberships")
    .values({ document_id, project_id, edit_access: false })
    .onConflict((conflict) => conflict.columns(["document_id", "project_id"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function hasDocuments({ reader }: Database): Promise<boolean> {
  const found = await reader.selectFrom("documents").select("id").limit(1).execute();
  return found.length > 0;
}
