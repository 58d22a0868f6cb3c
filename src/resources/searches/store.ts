import { type Insertable, type Selectable, type Updateable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { Conditions } from "../../database/conditions.ts";
import type { Page } from "../../database/keyset.ts";
import type { SavedSearchesTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isOwn, isOwnRow } from "./access.ts";
import { addRow, changeRow, lockRow, removeRows, rowOf, visibleRows } from "../../database/rows.ts";

export type SavedSearchRow = Selectable<SavedSearchesTable>;

/** One page of the viewer's saved searches, oldest first. */
export async function listSavedSearches(
  database: Database,
  viewer: SignedInViewer,
  cursor: Cursor,
  limit: number,
): Promise<Page<SavedSearchRow>> {
  return new Conditions(database.dialect, "saved_searches")
    .always("own", isOwnRow())
    .with({ viewer: viewer.id })
    .page(database, sql`saved_searches.*`, cursor, limit);
}

/** The saved searches of the viewer. */
export const ownSearches = visibleRows("saved_searches", isOwn);

/** The saved search, without an access check, locked until the transaction ends. */
export const lockSavedSearch = (writer: Writer, uuid: string) => lockRow(writer, "saved_searches", { uuid });

/** A saved search of a user. */
export async function findSearchOf(
  reader: Pick<Reader, "selectFrom">,
  by: { user_id: number } & ({ id: number } | { uuid: string }),
): Promise<SavedSearchRow | null> {
  return rowOf(reader, "saved_searches", by);
}

/** The search with this id if it has an alert, locked until the transaction ends. */
export async function lockAlert(writer: Writer, id: number): Promise<SavedSearchRow | null> {
  const search = await lockRow(writer, "saved_searches", { id });
  return search?.alert === "off" ? null : search;
}

export async function insertSavedSearch(
  writer: Writer,
  search: Insertable<SavedSearchesTable>,
): Promise<SavedSearchRow> {
  return addRow(writer, "saved_searches", search);
}

export async function updateSavedSearch(
  writer: Writer,
  id: number,
  values: Updateable<SavedSearchesTable>,
): Promise<SavedSearchRow> {
  return changeRow(writer, "saved_searches", { id }, values);
}

export async function deleteSavedSearch(writer: Writer, id: number): Promise<void> {
  await removeRows(writer, "saved_searches", { id });
}
