import { type Insertable, type Updateable, sql } from "kysely";
import type { Database, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { DocumentsTable } from "../../../database/tables.ts";
import { documentFolder } from "../../../files/keys.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { findDescendants } from "../families/family-store.ts";
import { describingParts } from "../indexed-fields.ts";
import { recogniseLater } from "../pages/language-store.ts";

export async function insertDocument(writer: Writer, row: Insertable<DocumentsTable>): Promise<number> {
  const { id } = await writer.insertInto("documents").values(row).returning("id").executeTakeFirstOrThrow();
  await indexTexts(writer, describingParts(id, row), { areNew: true });
  return id;
}

export async function shareWithProjects(
  writer: Writer,
  document_id: number,
  projects: readonly number[],
): Promise<void> {
  if (projects.length === 0) return;
  const rows = projects.map((project_id) => ({ document_id, project_id, edit_access: true }));
  await writer.insertInto("project_memberships").values(rows).execute();
}

export async function updateDocument(
  writer: Writer,
  id: number,
  changes: Updateable<DocumentsTable>,
): Promise<void> {
  await writer.updateTable("documents").set(changes).where("id", "=", id).execute();
  await indexTexts(writer, describingParts(id, changes));
  if (changes.language !== undefined) await recogniseLater(writer, [id]);
}

/**
 * Removes everything about a document and all that is part of it from the database, except the history, and notes that
 * the files must be removed. Returns the ids of what was removed.
 */
export async function deleteDocument(writer: Writer, id: number): Promise<number[]> {
  const descendants = await findDescendants(writer, id);
  for (const one of [...descendants, id]) {
    await writer.deleteFrom("documents").where("id", "=", one).execute();
    await leaveToRemove(writer, one);
  }
  return [id, ...descendants];
}

/** Notes that the folder of a deleted document must be removed. */
export async function leaveToRemove(writer: Writer, id: number): Promise<void> {
  await writer
    .insertInto("file_removals")
    .values({ document_id: id, folder: documentFolder(id) })
    .onConflict((conflict) => conflict.column("document_id").doNothing())
    .execute();
}

/** The folders that must still be removed: that of the given document, or all. */
export async function findFileRemovals(
  { reader }: Database,
  documentId?: number,
): Promise<{ document_id: number; folder: string }[]> {
  const all = reader.selectFrom("file_removals").selectAll();
  return (documentId === undefined ? all : all.where("document_id", "=", documentId)).execute();
}

/** Whether the document exists. An import may have brought a deleted one back under its id. */
export async function isThere(database: Database, id: number): Promise<boolean> {
  return (await findThere(database, [id])).has(id);
}

/** Those of these documents that exist. */
export async function findThere(
  { dialect, reader }: Database,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const among = dialect.isAmong(sql.ref("id"), sql`${dialect.list(ids)}`);
  const { rows } = await sql<{ id: number }>`select id from documents where ${among}`.execute(reader);
  return new Set(rows.map(({ id }) => id));
}

export async function fileRemovalDone(database: Database, documentId: number): Promise<void> {
  await database.write((writer) =>
    writer.deleteFrom("file_removals").where("document_id", "=", documentId).execute(),
  );
}

/**
 * Whether the viewer may give a document to this user. The user must be active and share an organization with the
 * viewer, unless the viewer is an administrator.
 */
export async function mayGiveTo(writer: Writer, viewer: SignedInViewer, userId: number): Promise<boolean> {
  if (userId === viewer.id) return true;
  let users = writer.selectFrom("users").select("users.id").where("users.id", "=", userId);
  if (!viewer.isAdministrator) {
    users = users
      .innerJoin("organization_members", "organization_members.user_id", "users.id")
      .where("users.is_active", "=", true)
      .where("organization_members.organization_id", "in", [...viewer.organizations, -1]);
  }
  return (await users.limit(1).execute()).length > 0;
}

export async function organizationIsThere(writer: Writer, id: number): Promise<boolean> {
  const found = await writer.selectFrom("organizations").select("id").where("id", "=", id).execute();
  return found.length > 0;
}

/** A document whose publication time has come. */
export interface DueDocument {
  id: number;
  access: string;
  publish_at: string;
}

/** Locks the documents that are due for publication and can be shown, until the transaction ends. */
export async function lockDueDocuments(
  writer: Writer,
  dialect: Dialect,
  now: string,
): Promise<DueDocument[]> {
  const { rows } = await sql<DueDocument>`select id, access, publish_at from documents
    where publish_at is not null and publish_at <= ${now} and ${canBePublished}
    order by id ${dialect.forUpdate}`.execute(writer);
  return rows;
}

/** The time at which the next document is due for publication, or null, and the present time of the database. */
export async function findNextPublication({
  reader,
  dialect,
}: Database): Promise<{ next: string | null; now: string }> {
  const { rows } = await sql<{ next: string | null; now: string }>`select (
      select min(publish_at) from documents where publish_at is not null and ${canBePublished}
    ) as next, ${dialect.now()} as now`.execute(reader);
  return rows[0] as { next: string | null; now: string };
}

const canBePublished = sql`status in ('success', 'readable') and access <> 'invisible'`;

export async function publish(writer: Writer, id: number): Promise<void> {
  const changes = { access: "public", publish_at: null, updated_at: timestampNow() };
  await writer.updateTable("documents").set(changes).where("id", "=", id).execute();
}
