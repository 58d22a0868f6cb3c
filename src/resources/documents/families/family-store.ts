import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { type DocumentRow, findVisibleDocuments } from "../store.ts";

/*
 * Documents that are part of another: see migrations/baseline/families.ts. A part has the rights of its root, and comes
 * and goes with it; everything else, such as its title and its text, is its own.
 */

/** Where a document is in its container. */
export interface Containment {
  parentId: number;
  rootId: number;
  depth: number;
  position: number;
  path: string;
}

/** Null for a document that is part of no other. */
export async function findContainment(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<Containment | null> {
  const row = await reader
    .selectFrom("document_children")
    .select(["parent_id", "root_id", "depth", "position", "path"])
    .where("child_id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { parent_id: parentId, root_id: rootId, ...others } = row;
  return { parentId, rootId, ...others };
}

/** The roots of those of the documents that are part of another, by their ids. */
export async function findRoots(
  writer: Writer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const dialect = dialectOf(writer);
  const rows = await writer
    .selectFrom("document_children")
    .select(["child_id", "root_id"])
    .where(dialect.isAmong(sql.ref("child_id"), sql`${dialect.list(ids)}`))
    .execute();
  return new Map(rows.map(({ child_id, root_id }) => [child_id, root_id]));
}

/** The ids of everything that is part of this document, which is part of no other. */
export async function findDescendants(writer: Pick<Reader, "selectFrom">, rootId: number): Promise<number[]> {
  const rows = await writer
    .selectFrom("document_children")
    .select("child_id")
    .where("root_id", "=", rootId)
    .orderBy("child_id")
    .execute();
  return rows.map(({ child_id }) => child_id);
}

/** Whether the document is part of another, or others are part of it. */
export async function isInFamily(reader: Pick<Reader, "selectFrom">, id: number): Promise<boolean> {
  const found = await reader
    .selectFrom("document_children")
    .select("child_id")
    .where((where) => where.or([where("child_id", "=", id), where("parent_id", "=", id)]))
    .limit(1)
    .execute();
  return found.length > 0;
}

/** A document in a container. */
export interface ChildRow {
  row: DocumentRow;
  position: number;
  path: string;
  bytes: number;
  /** How many documents are directly in it. */
  children: number;
  /** Whether it was attached to a PDF, and goes with the attachment if that is redacted. */
  isAttached: boolean;
}

/** The documents directly in a container that the viewer may see, in order, after this position. */
export async function findChildren(
  database: Database,
  viewer: Viewer,
  parentId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ children: ChildRow[]; next: number | null }> {
  const rows = await database.reader
    .selectFrom("document_children")
    .select((select) => [
      "child_id",
      "position",
      "path",
      "bytes",
      "taken_from",
      select
        .selectFrom("document_children as inner")
        .select(select.fn.countAll<number>().as("count"))
        .whereRef("inner.parent_id", "=", "document_children.child_id")
        .as("children"),
    ])
    .where("parent_id", "=", parentId)
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit + 1)
    .execute();
  const listed = rows.slice(0, limit);
  const found = await findVisibleDocuments(
    database,
    viewer,
    listed.map(({ child_id }) => child_id),
  );
  const seen = new Map(found.map((row) => [row.id, row]));
  const children = listed.flatMap(({ child_id, children: count, taken_from, ...at }): ChildRow[] => {
    const row = seen.get(child_id);
    const isAttached = taken_from === "pdf";
    return row === undefined ? [] : [{ row, ...at, children: count ?? 0, isAttached }];
  });
  return { children, next: rows.length > limit ? (listed.at(-1)?.position ?? null) : null };
}

/** The containers around a document that the viewer may see, the outermost first. */
export async function findContainers(database: Database, viewer: Viewer, id: number): Promise<DocumentRow[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive around (id, depth) as (
      select parent_id, depth from document_children where child_id = ${id}
      union all
      select c.parent_id, c.depth from document_children c join around on c.child_id = around.id
    ) select id from around order by depth`.execute(database.reader);
  const found = await findVisibleDocuments(
    database,
    viewer,
    rows.map((row) => row.id),
  );
  const seen = new Map(found.map((row) => [row.id, row]));
  return rows.flatMap(({ id: around }) => seen.get(around) ?? []);
}

/** The container of a document, if its file still has it: null for a container that was redacted and is a PDF now. */
export async function findContainerWithFile(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<number | null> {
  const row = await reader
    .selectFrom("document_children")
    .innerJoin("documents", "documents.id", "document_children.parent_id")
    .select(["parent_id", "taken_from", "original_extension"])
    .where("child_id", "=", id)
    .executeTakeFirst();
  return row === undefined || row.taken_from !== row.original_extension ? null : row.parent_id;
}

/** The documents in a root whose files are being worked on. */
export async function findBusyDescendants(
  writer: Pick<Reader, "selectFrom">,
  rootId: number,
  busy: readonly string[],
): Promise<number[]> {
  const rows = await writer
    .selectFrom("document_children")
    .innerJoin("documents", "documents.id", "document_children.child_id")
    .select("child_id")
    .where("root_id", "=", rootId)
    .where("documents.status", "in", busy)
    .orderBy("child_id")
    .execute();
  return rows.map(({ child_id }) => child_id);
}

/** Moves everything that is part of a document to the trash with it. */
export async function hideDescendants(writer: Writer, rootId: number): Promise<void> {
  await sql`update document_children set status_before = (
      select status from documents where documents.id = document_children.child_id)
    where root_id = ${rootId} and status_before is null`.execute(writer);
  await writer
    .updateTable("documents")
    .set({ status: "deleted" })
    .where("id", "in", (select) =>
      select.selectFrom("document_children").select("child_id").where("root_id", "=", rootId),
    )
    .execute();
}

/** Brings everything that is part of a document back with it. Returns the parts whose files were being read. */
export async function showDescendants(
  writer: Writer,
  rootId: number,
  busy: readonly string[],
): Promise<{ id: number; status: string; user_id: number }[]> {
  await sql`update documents set status = (
      select status_before from document_children where child_id = documents.id)
    where id in (select child_id from document_children where root_id = ${rootId} and status_before is not null)
    `.execute(writer);
  await writer
    .updateTable("document_children")
    .set({ status_before: null })
    .where("root_id", "=", rootId)
    .execute();
  return writer
    .selectFrom("document_children")
    .innerJoin("documents", "documents.id", "document_children.child_id")
    .select(["documents.id", "documents.status", "documents.user_id"])
    .where("root_id", "=", rootId)
    .where("documents.status", "in", busy)
    .orderBy("documents.id")
    .execute();
}
