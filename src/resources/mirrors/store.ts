import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { reserveId } from "../../database/reserved-ids.ts";
import { lockDocumentsOf } from "../projects/change-store.ts";
import { removeRows } from "../../database/rows.ts";

/** A selection of another server's documents that is mirrored here. */
export interface Mirror {
  id: number;
  /** The address of the other server's API, with a slash at the end. */
  api: string;
  /** The name of the current walk over the other server's list. */
  walk: string;
  /** The address of the next page; null if the walk has just begun. */
  next: string | null;
}

/** The mirror of this selection. It continues its unfinished walk, or else begins the walk `newWalk`. */
export async function openMirror(
  database: Database,
  { api, selection }: { api: string; selection: string },
  newWalk: string,
): Promise<Mirror> {
  return database.write(async (writer) => {
    const found = await writer
      .selectFrom("mirrors")
      .select(["id", "walk", "next"])
      .where("api", "=", api)
      .where("selection", "=", selection)
      .executeTakeFirst();
    if (found === undefined) {
      const { id } = await writer
        .insertInto("mirrors")
        .values({ api, selection, walk: newWalk, next: null })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { id, api, walk: newWalk, next: null };
    }
    const walk = found.next === null ? newWalk : (found.walk ?? newWalk);
    await writer.updateTable("mirrors").set({ walk }).where("id", "=", found.id).execute();
    return { id: found.id, api, walk, next: found.next };
  });
}

/** Records the page with which the walk continues. Null at the end of the walk, or to begin again. */
export async function noteNextPage(database: Database, mirrorId: number, next: string | null): Promise<void> {
  await database.write((writer) =>
    writer.updateTable("mirrors").set({ next }).where("id", "=", mirrorId).execute(),
  );
}

/** The documents among these that exist here but were not mirrored from this API. */
export async function findOthers(
  writer: Writer,
  dialect: Dialect,
  api: string,
  documentIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from documents
    where ${dialect.isAmong(sql.ref("id"), sql`${dialect.list(documentIds)}`)} and not exists (
      select 1 from mirrored_documents join mirrors on mirrors.id = mirrored_documents.mirror_id
      where document_id = documents.id and mirrors.api = ${api})`.execute(writer);
  return rows.map(({ id }) => id);
}

type Named = "users" | "organizations" | "projects";

/**
 * The local id of a user, organization or project that has this id on the other server. Users and organizations are
 * identified by their uuids, and projects by an earlier mirroring. For others, the result is the same id if it is free
 * here, or else a newly reserved one.
 */
export async function localId(
  { database, api }: { database: Database; api: string },
  table: Named,
  { id, uuid }: { id: number; uuid: string | null },
): Promise<number> {
  const { reader } = database;
  const known =
    table === "projects"
      ? await reader
          .selectFrom("mirrored_projects")
          .select("project_id as id")
          .where("api", "=", api)
          .where("remote_id", "=", id)
          .executeTakeFirst()
      : await reader
          .selectFrom(table)
          .select("id")
          .where("uuid", "=", uuid ?? "")
          .executeTakeFirst();
  if (known !== undefined) return known.id;
  const taken = await reader.selectFrom(table).select("id").where("id", "=", id).executeTakeFirst();
  return taken === undefined ? id : newId(database, table);
}

async function newId(database: Database, table: Named): Promise<number> {
  const { dialect } = database;
  return database.write(async (writer) => {
    await dialect.afterOwnIds(table)?.execute(writer);
    return reserveId(writer, dialect, table);
  });
}

/** Records that the walk has found these documents. Documents that were not mirrored yet are ignored. */
export async function noteSeen(
  database: Database,
  { id: mirror_id, walk }: Mirror,
  documentIds: readonly number[],
): Promise<void> {
  if (documentIds.length === 0) return;
  await database.write((writer) =>
    writer
      .updateTable("mirrored_documents")
      .set({ walk })
      .where("mirror_id", "=", mirror_id)
      .where("document_id", "in", documentIds)
      .execute(),
  );
}

/** Records that the walk has found this document. Its row must exist. */
export async function noteMirrored(
  writer: Writer,
  { id: mirror_id, walk }: Mirror,
  document_id: number,
): Promise<void> {
  await writer
    .insertInto("mirrored_documents")
    .values({ mirror_id, document_id, walk, content: null })
    .onConflict((conflict) => conflict.columns(["mirror_id", "document_id"]).doUpdateSet({ walk }))
    .execute();
}

export async function noteMirroredProject(
  writer: Writer,
  project: { project_id: number; api: string; remote_id: number },
): Promise<void> {
  await writer
    .insertInto("mirrored_projects")
    .values(project)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The facts about a mirrored document's file and texts that decide whether they are fetched again. */
export interface Held {
  /** Identifies the file and the texts that were fetched last; null if none were. */
  content: string | null;
  isFileHere: boolean;
  fileHash: string;
}

/** Null if this mirror does not have the document. */
export async function findHeld(
  reader: Pick<Reader, "selectFrom">,
  { id: mirror_id }: Mirror,
  documentId: number,
): Promise<Held | null> {
  const row = await reader
    .selectFrom("mirrored_documents")
    .innerJoin("documents", "documents.id", "mirrored_documents.document_id")
    .select(["content", "asset_url", "file_hash"])
    .where("mirror_id", "=", mirror_id)
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { content: row.content, isFileHere: row.asset_url === null, fileHash: row.file_hash };
}

/** Records that this file and these texts are stored here now. Must run in the transaction that writes the texts. */
export async function noteMirroredContent(
  writer: Writer,
  { id: mirror_id }: Mirror,
  document_id: number,
  content: string,
): Promise<void> {
  await writer
    .updateTable("mirrored_documents")
    .set({ content })
    .where("mirror_id", "=", mirror_id)
    .where("document_id", "=", document_id)
    .execute();
  await writer.updateTable("documents").set({ asset_url: null }).where("id", "=", document_id).execute();
}

/** Up to 100 documents, after the given id, that earlier walks have found and the finished walk has not. */
export async function findGoneDocuments(
  reader: Pick<Reader, "selectFrom">,
  { id: mirror_id, walk }: Mirror,
  after: number,
): Promise<{ id: number; title: string }[]> {
  return reader
    .selectFrom("mirrored_documents")
    .innerJoin("documents", "documents.id", "mirrored_documents.document_id")
    .select(["documents.id", "documents.title"])
    .where("mirror_id", "=", mirror_id)
    .where("walk", "<>", walk)
    .where("documents.id", ">", after)
    .orderBy("documents.id")
    .limit(100)
    .execute();
}

/** Whether another mirror has the document too. If so, the document must not be removed. */
export async function isMirroredElsewhere(
  writer: Writer,
  { id: mirror_id }: Mirror,
  document_id: number,
): Promise<boolean> {
  const found = await writer
    .selectFrom("mirrored_documents")
    .select("mirror_id")
    .where("document_id", "=", document_id)
    .where("mirror_id", "<>", mirror_id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes the document from this mirror. The document itself stays. */
export async function forgetMirrored(
  writer: Writer,
  { id: mirror_id }: Mirror,
  document_id: number,
): Promise<void> {
  await removeRows(writer, "mirrored_documents", { mirror_id, document_id });
}

/** A project as the other server describes it now. */
export interface MirroredProject {
  id: number;
  title: string;
  slug: string;
  description: string;
  private: boolean;
  updated_at: string;
}

/** Brings a mirrored project up to date. Returns whether anything has changed. */
export async function updateMirroredProject(
  writer: Writer,
  dialect: Dialect,
  { id, ...values }: MirroredProject,
): Promise<boolean> {
  const before = await writer
    .selectFrom("projects")
    .select(["title", "slug", "description", "private", "updated_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (before === undefined) return false;
  const isSame = Object.entries(values).every(([name, value]) => {
    const stored = before[name as keyof typeof before];
    return typeof value === "boolean" ? Boolean(stored) === value : stored === value;
  });
  if (isSame) return false;
  // A trigger copies the project's privacy to its documents.
  await lockDocumentsOf(writer, dialect, id);
  await writer.updateTable("projects").set(values).where("id", "=", id).execute();
  return true;
}
