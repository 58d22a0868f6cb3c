import type { Selectable } from "kysely";
import type { Reader, Writer } from "../../database/database.ts";
import type { SavedSearchesTable } from "../../database/tables.ts";
import { lockRow, rowOf, ownRows } from "../../database/rows.ts";

export type SavedSearchRow = Selectable<SavedSearchesTable>;

/** The saved searches of the viewer. */
export const ownSearches = ownRows("saved_searches");

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
