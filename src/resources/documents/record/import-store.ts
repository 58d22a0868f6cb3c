import { busyStatuses } from "../../document-states.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { BulkInsert, updating } from "../../../database/bulk-insert.ts";
import type { Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { TextPart } from "../../../search/parts.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { recogniseChanged } from "../pages/language-store.ts";
import { describingParts, indexJob } from "../indexed-fields.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { processJob } from "../file-facts-store.ts";
import type { DocumentsTable } from "../../../database/tables.ts";
import { type StagingContents, type StagingTable, insertStaged } from "../../../database/staging-table.ts";
import { RecordStoring } from "../record-store.ts";
import { differs, mergedInto, writtenColumns } from "./merged-row-store.ts";
import {
  type DocumentToPut,
  type DocumentValues,
  type Membership,
  membershipOf,
  newDocumentRows,
  newDocumentTables,
} from "./new-rows-store.ts";

/** New documents that another thread has made ready. */
export interface StagedDocuments {
  ids: readonly number[];
  /** The ids of all their projects. */
  projects: readonly number[];
  /** {@link newDocumentRows} of each of them. */
  rows: StagingContents;
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

interface KnownDocument {
  row: Selectable<DocumentsTable>;
  projects: Set<number>;
}

/** Inserts or updates many documents that have ids already. */
export class DocumentImporter {
  readonly #dialect: Dialect;
  readonly #storing: RecordStoring;
  readonly #newTables: readonly StagingTable[];
  readonly #new: readonly BulkInsert<Record<string, unknown>>[];
  readonly #changed = new BulkInsert<DocumentValues>(
    "documents",
    writtenColumns,
    updating("id", writtenColumns),
  );
  readonly #memberships = new BulkInsert<Membership>("project_memberships", [
    "document_id",
    "project_id",
    "edit_access",
  ]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#storing = new RecordStoring(dialect);
    this.#newTables = newDocumentTables(dialect);
    const whole = { insert: dialect.insertWhole, otherwise: null };
    this.#new = this.#newTables.map(({ table, columns: all }) => new BulkInsert(table, all, whole));
  }

  /**
   * Adds staged documents. Returns false, and has written nothing, if one of them exists already, or is in a private
   * project: then they have to be `put`. Fails if another transaction inserts one of them at the same time.
   */
  async addStaged(writer: Writer, { ids, projects, rows }: StagedDocuments): Promise<boolean> {
    const dialect = this.#dialect;
    await lockForPutting(writer, dialect, { projects, documents: [] });
    if (await this.#hasAny(writer, "documents", sql.ref<number>("id"), ids)) return false;
    if ((await findPrivate(writer, dialect, new Set(projects))).size > 0) return false;
    await this.#writeAll(writer, ids, () => insertStaged(writer, this.#newTables, rows));
    await this.#indexLater(writer, ids);
    return true;
  }

  /**
   * Inserts the documents, or updates those that exist. No id may occur twice. A document whose file is in Quire's own
   * store keeps the file as long as hash, slug and extension stay the same, whatever `asset_url` says. A document with
   * a busy status whose file is in the store is processed. Fails if another transaction inserts one of them at the same
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
    await recogniseChanged(writer, known, changed);
    const withFile = new Set(inOrder.filter(({ isFileHere }) => isFileHere).map(({ values }) => values.id));
    for (const { id, status, user_id } of [...added.map(({ values }) => values), ...changed]) {
      const isToRead = withFile.has(id) && busyStatuses.includes(status);
      if (isToRead) await enqueue(writer, { kind: processJob, subject: id, owner: user_id, urgency: "bulk" });
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
    const rows = documents.map((document) =>
      newDocumentRows(dialect, document, document.projects.filter(isShown)),
    );
    const ids = documents.map(({ values }) => values.id);
    await this.#writeAll(writer, ids, async () => {
      for (const [index, insert] of this.#new.entries()) {
        const ofTable = rows.flatMap((ofDocument) => ofDocument[index] as readonly object[]);
        await insert.run(writer, ofTable as Record<string, unknown>[]);
      }
    });
    if (documents.length > maxIndexedAtOnce) {
      await this.#indexLater(writer, ids);
    } else {
      const parts = documents.flatMap(({ values }) => partsOf(values));
      await indexTexts(writer, parts, { areNew: true });
    }
  }

  /** Runs `insert`, which writes the new documents with everything that follows from them. */
  async #writeAll(writer: Writer, ids: readonly number[], insert: () => Promise<void>): Promise<void> {
    const dialect = this.#dialect;
    // A program that truncates `documents`, or deletes them without triggers, leaves these rows.
    for (const table of ["document_records", "unindexed_documents"] as const) {
      const id = sql.ref<number>("document_id");
      if (!(await this.#hasAny(writer, table, id, ids))) continue;
      await writer
        .deleteFrom(table)
        .where(dialect.isAmong(id, sql`${dialect.list(ids)}`))
        .execute();
    }
    await dialect.writesAll.begin.execute(writer);
    await insert();
    await dialect.writesAll.end.execute(writer);
    await dialect.afterOwnIds("documents")?.execute(writer);
  }

  /** Leaves the words of new documents to the job. */
  async #indexLater(writer: Writer, ids: readonly number[]): Promise<void> {
    const values = this.#dialect.valuesOf(sql`${this.#dialect.list(ids)}`);
    await sql`insert into unindexed_documents (document_id) ${values}`.execute(writer);
    await enqueue(writer, { kind: indexJob, subject: 0 });
  }

  /** Whether a table has a row for one of these ids. */
  async #hasAny(
    writer: Writer,
    table: "documents" | "document_records" | "unindexed_documents",
    id: RawBuilder<number>,
    ids: readonly number[],
  ): Promise<boolean> {
    const find = async (condition: RawBuilder<boolean>): Promise<boolean> => {
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${condition} limit 1`.execute(
        writer,
      );
      return rows.length > 0;
    };
    let [lowest, highest] = [Infinity, -Infinity];
    for (const each of ids) {
      lowest = Math.min(lowest, each);
      highest = Math.max(highest, each);
    }
    // New ids are often higher than all others, or lower: then this takes nothing for each of them.
    if (!(await find(sql<boolean>`${id} between ${lowest} and ${highest}`))) return false;
    return find(this.#dialect.isAmong(id, sql`${this.#dialect.list(ids)}`));
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
    if (ids[table].length > 0) await dialect.lockRows(table, ids[table])?.execute(writer);
  }
}

function partsOf(row: DocumentValues): TextPart[] {
  return describingParts(row.id, row);
}

async function leaveProjects(writer: Writer, id: number, projects: readonly number[]): Promise<void> {
  if (projects.length === 0) return;
  await writer
    .deleteFrom("project_memberships")
    .where("document_id", "=", id)
    .where("project_id", "in", projects)
    .execute();
}
