import { type Insertable, type Selectable, type Updateable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { readIdPage } from "../../database/id-pages.ts";
import type { Page } from "../../database/keyset.ts";
import type { SavedSearchesTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isOwnRow } from "./access.ts";

export type SavedSearchRow = Selectable<SavedSearchesTable>;

/** One page of the viewer's saved searches, oldest first. */
export async function listSavedSearches(
  database: Database,
  viewer: SignedInViewer,
  cursor: Cursor,
  limit: number,
): Promise<Page<SavedSearchRow>> {
  const list = {
    shape: "own",
    table: "saved_searches",
    columns: sql`saved_searches.*`,
    where: [isOwnRow()],
    values: { viewer: viewer.id },
  };
  return readIdPage<SavedSearchRow>(database, list, cursor, limit);
}

/** The saved search, without an access check. */
export async function findSavedSearch(
  reader: Pick<Reader, "selectFrom">,
  uuid: string,
): Promise<SavedSearchRow | null> {
  const found = await reader
    .selectFrom("saved_searches")
    .selectAll()
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  return found ?? null;
}

/** Like {@link findSavedSearch}, and locks the saved search until the transaction ends. */
export async function lockSavedSearch(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  uuid: string,
): Promise<SavedSearchRow | null> {
  await sql`select id from saved_searches where uuid = ${uuid} ${dialect.forUpdate}`.execute(writer);
  return findSavedSearch(writer, uuid);
}

export async function insertSavedSearch(
  writer: Writer,
  search: Insertable<SavedSearchesTable>,
): Promise<SavedSearchRow> {
  return writer.insertInto("saved_searches").values(search).returningAll().executeTakeFirstOrThrow();
}

export async function updateSavedSearch(
  writer: Writer,
  id: number,
  values: Updateable<SavedSearchesTable>,
): Promise<SavedSearchRow> {
  return writer
    .updateTable("saved_searches")
    .set(values)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteSavedSearch(writer: Writer, id: number): Promise<void> {
  await writer.deleteFrom("saved_searches").where("id", "=", id).execute();
}
