import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { type Page, type Range, readPage } from "../../../database/keyset.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Timestamp } from "../../../database/tables.ts";
import type { Cursor } from "../../../http/request/cursor.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import { deletableBy, editableValues, mayShare } from "../access.ts";
import { type DocumentRow, accessFacts, lockDocument, lockDocumentRows } from "../store.ts";
import { setRows } from "../../../database/rows.ts";

/** A document in the trash. */
export interface DeletedDocument {
  row: DocumentRow;
  /** The status that it had, and gets back. */
  status: string;
}

/** A line of the list of the trash. */
export interface TrashRow {
  /** Increases with each deletion. */
  id: number;
  document_id: number;
  title: string;
  access: string;
  /** The status that the document had. */
  status: string;
  page_count: number;
  user_id: number;
  organization_id: number;
  deleted_at: Timestamp;
  deleted_by: number;
}

/** Hides the document from everyone. It keeps everything that belongs to it. */
export async function moveToTrash(
  writer: Writer,
  { id, user_id, organization_id }: Pick<DocumentRow, "id" | "user_id" | "organization_id">,
  { status, deletedBy }: { status: string; deletedBy: number },
): Promise<void> {
  await writer
    .insertInto("deleted_documents")
    .values({
      document_id: id,
      status,
      user_id,
      organization_id,
      deleted_at: timestampNow(),
      deleted_by: deletedBy,
    })
    .execute();
  await writer.updateTable("documents").set({ status: "deleted" }).where("id", "=", id).execute();
}

/** Takes the document from the trash: a trigger deletes its row there. `updated_at` stays as it was. */
export async function takeFromTrash(
  writer: Writer,
  id: number,
  columns: { status: string; publish_at: Timestamp | null },
): Promise<void> {
  await setRows(writer, "documents", { id }, columns);
}

/**
 * Locks those of the documents that were deleted after this time and that the viewer may delete, until the transaction
 * ends.
 */
export async function lockDeleted(
  writer: Writer,
  dialect: Dialect,
  viewer: SignedInViewer,
  ids: readonly number[],
  since: Timestamp,
): Promise<DeletedDocument[]> {
  const rows = await lockDocumentRows(writer, dialect, viewer, ids);
  if (rows.length === 0) return [];
  const entries = await writer
    .selectFrom("deleted_documents")
    .select(["document_id", "status"])
    .where(dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(ids)}`))
    .where("deleted_at", ">", since)
    .execute();
  const statuses = new Map(entries.map((entry) => [entry.document_id, entry.status]));
  return rows.flatMap((row) => {
    const status = statuses.get(row.id);
    if (status === undefined || !mayShare(viewer, { ...accessFacts(row), status })) return [];
    return [{ row, status }];
  });
}

/** One page of the documents that were deleted after this time and that the viewer may delete, the newest first. */
export async function listTrash(
  database: Database,
  viewer: SignedInViewer,
  since: Timestamp,
  { key, reverse, offset }: Cursor,
  limit: number,
): Promise<Page<TrashRow>> {
  return readPage<TrashRow>(database, {
    segments: [
      {
        shape: shapeFor("trash", viewer),
        descending: true,
        sql: () => ({
          select: sql`deleted_documents.id, document_id, title, access, deleted_documents.status, page_count,
            deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by`,
          ranges: rangesFor(database.dialect, viewer),
          value: null,
          id: sql.ref("deleted_documents.id"),
        }),
      },
    ],
    position: key === null ? null : { segment: 0, key },
    reverse,
    offset,
    limit,
    values: valuesFor(database.dialect, viewer, since),
  });
}

/** The number of documents that were deleted after this time and that the viewer may delete. */
export async function countTrash(
  database: Database,
  viewer: SignedInViewer,
  since: Timestamp,
): Promise<number> {
  const { dialect, prepared } = database;
  const build = () => {
    const ranges = rangesFor(dialect, viewer).map(
      ({ from, where }) => sql`select deleted_documents.id from ${from} where ${sql.join(where, sql` and `)}`,
    );
    return sql`select count(*) as count from (${sql.join(ranges, sql` union `)}) as in_trash`;
  };
  const values = valuesFor(dialect, viewer, since);
  const [counted] = await prepared.rows<{ count: number }>(
    shapeFor("count of the trash", viewer),
    build,
    values,
  );
  return counted?.count ?? 0;
}

const shapeFor = (what: string, { isAdministrator }: SignedInViewer): string =>
  `${what} of ${isAdministrator ? "an administrator" : "a user"}`;

/** Some documents may be in more than one range. */
function rangesFor(dialect: Dialect, viewer: SignedInViewer): Range[] {
  const range = (...of: Range["where"]): Range => ({
    from: sql`deleted_documents join documents on documents.id = deleted_documents.document_id`,
    where: [
      sql`deleted_documents.deleted_at > ${parameter("since")}`,
      deletableBy(dialect, viewer, sql.ref("deleted_documents.status")),
      ...of,
    ],
  });
  if (viewer.isAdministrator) return [range()];
  const organization = sql.ref("deleted_documents.organization_id");
  return [
    range(sql`deleted_documents.user_id = ${parameter("viewerId")}`),
    range(dialect.isAmong(organization, parameter("viewerOrganizations"))),
  ];
}

function valuesFor(dialect: Dialect, viewer: SignedInViewer, since: Timestamp): Record<string, unknown> {
  return {
    ...editableValues(dialect, viewer),
    viewerProjects: dialect.list([...viewer.projects.keys()]),
    since,
  };
}

/** A document whose days in the trash are over. */
export interface ExpiredDocument {
  document_id: number;
  deleted_at: Timestamp;
}

/** The document that was deleted next after another one, at or before this time. Null if no document was. */
export async function findExpired(
  reader: Reader,
  until: Timestamp,
  after: ExpiredDocument | null = null,
): Promise<ExpiredDocument | null> {
  const expired = reader
    .selectFrom("deleted_documents")
    .select(["document_id", "deleted_at"])
    .where("deleted_at", "<=", until)
    .orderBy("deleted_at")
    .orderBy("document_id")
    .limit(1);
  const { deleted_at: at, document_id: id } = after ?? { deleted_at: "", document_id: 0 };
  const next = await expired
    .where("deleted_at", ">=", at)
    .where((where) => where.or([where("deleted_at", ">", at), where("document_id", ">", id)]))
    .executeTakeFirst();
  return next ?? null;
}

/** Locks the document. Returns whether it is still in the trash, and was deleted at or before this time. */
export async function lockExpired(
  writer: Writer,
  dialect: Dialect,
  id: number,
  until: Timestamp,
): Promise<boolean> {
  await lockDocument(writer, dialect, id);
  const found = await writer
    .selectFrom("deleted_documents")
    .select("id")
    .where("document_id", "=", id)
    .where("deleted_at", "<=", until)
    .executeTakeFirst();
  return found !== undefined;
}

/** The time by which documents are published. */
export async function timeOfDatabase(writer: Writer, dialect: Dialect): Promise<Timestamp> {
  const { rows } = await sql<{ now: Timestamp }>`select ${dialect.now()} as now`.execute(writer);
  return (rows[0] as { now: Timestamp }).now;
}
