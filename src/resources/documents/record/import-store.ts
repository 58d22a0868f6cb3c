import { busyStatuses } from "../../document-states.ts";
import { type Insertable, type Selectable, sql } from "kysely";
import { BulkInsert, updating } from "../../../database/bulk-insert.ts";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { reserveId } from "../../../database/reserved-ids.ts";
import type { TextPart } from "../../../search/parts.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { describingParts } from "../indexed-fields.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { type ArrivedFile, noteArrival } from "../files/received-file-store.ts";
import { processJob } from "../file-facts-store.ts";
import type { DocumentsTable, ProjectMembershipsTable } from "../../../database/tables.ts";
import { recordColumns } from "../record-members.ts";
import { type DataRow, dataRowsOf } from "./data-row-store.ts";
import { RecordStoring } from "../record-store.ts";
import type { RenderedRow } from "../store.ts";

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
}

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
  readonly #memberships = new BulkInsert<Membership>("project_memberships", [
    "document_id",
    "project_id",
    "edit_access",
  ]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#storing = new RecordStoring(dialect);
    const all = dialect.newRevision() === null ? columns : ([...columns, "revision"] as const);
    const whole = { insert: dialect.insertWhole, otherwise: sql`` };
    this.#added = new BulkInsert("documents", all, whole);
    this.#data = new BulkInsert(
      "document_data",
      ["document_id", "key", "lowest", "highest", "is_public"],
      whole,
    );
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
    const added: NewDocument[] = [];
    const changed: DocumentValues[] = [];
    const memberships: Membership[] = [];
    const counts = { added: 0, changed: 0, known: 0 };
    const unchanged: number[] = [];
    for (const document of inOrder) {
      const { id } = document.values;
      const before = known.get(id);
      const { projects, sharedProjects = [] } = document;
      const row = before === undefined ? document.values : mergedInto(before.row, document);
      const isChanged = before !== undefined && differs(before.row, row);
      if (before === undefined) added.push({ ...row, revision: this.#dialect.newRevision() });
      else if (isChanged) changed.push(row);
      const joined = projects.filter((project) => before?.projects.has(project) !== true);
      for (const project_id of joined) {
        const edit_access = sharedProjects.includes(project_id);
        memberships.push({ document_id: id, project_id, edit_access });
      }
      const left = [...(before?.projects ?? [])].filter((project) => !projects.includes(project));
      await leaveProjects(writer, id, left);
      if (before === undefined) counts.added += 1;
      else if (isChanged || joined.length > 0 || left.length > 0) counts.changed += 1;
      else {
        counts.known += 1;
        unchanged.push(id);
      }
    }
    if (this.#dialect.takesDataRows) await this.#data.run(writer, added.flatMap(dataRowsOf));
    await this.#added.run(writer, added);
    await this.#changed.run(writer, changed);
    await this.#memberships.run(writer, memberships);
    await this.#storeRecords(writer, inOrder, { known, unchanged: new Set(unchanged) });
    await indexTexts(writer, added.flatMap(partsOf), { areNew: true });
    await indexTexts(writer, changed.flatMap(partsOf));
    const withFile = new Set(inOrder.filter(({ isFileHere }) => isFileHere).map(({ values }) => values.id));
    for (const { id, status, user_id } of [...added, ...changed]) {
      const isToRead = withFile.has(id) && busyStatuses.includes(status);
      if (isToRead) await enqueue(writer, { kind: processJob, subject: id, owner: user_id });
    }
    if (counts.added > 0) await this.#dialect.afterOwnIds("documents")?.execute(writer);
    return { ...counts, unchanged };
  }

  /** Stores any number of records, whereas the end of a transaction leaves most of a large batch to the job. */
  async #storeRecords(
    writer: Writer,
    documents: readonly DocumentToPut[],
    { known, unchanged }: { known: ReadonlyMap<number, unknown>; unchanged: ReadonlySet<number> },
  ): Promise<void> {
    const isPrivate = await findPrivate(
      writer,
      this.#dialect,
      new Set(documents.flatMap(({ projects }) => projects)),
    );
    const added: RenderedRow[] = [];
    const changed: number[] = [];
    for (const { values, projects } of documents) {
      if (known.has(values.id)) {
        if (!unchanged.has(values.id)) changed.push(values.id);
        continue;
      }
      const shown = projects.filter((project) => !isPrivate.has(project)).toSorted((a, b) => a - b);
      added.push({ ...values, public_projects: shown.join(",") });
    }
    await this.#storing.storeNew(writer, added);
    if (changed.length > 0) await this.#storing.store(writer, changed);
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
    if (ids[table].length === 0) continue;
    const idMatches = dialect.isAmong(sql.ref("id"), sql`${dialect.list(ids[table])}`);
    await sql`select id from ${sql.table(table)} where ${idMatches} order by id ${dialect.forUpdate}`.execute(
      writer,
    );
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
