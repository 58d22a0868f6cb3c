import { randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { notFound } from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { type Extent, readFields } from "../../http/fields/fields.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type Condition, checkCondition } from "../projects/change-projects.ts";
import { isOwn } from "./access.ts";
import { changedSavedSearchFields, savedSearchFields } from "./fields.ts";
import {
  type SavedSearchRow,
  deleteSavedSearch,
  insertSavedSearch,
  lockSavedSearch,
  updateSavedSearch,
} from "./store.ts";

export async function createSavedSearch(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  members: Members,
): Promise<SavedSearchRow> {
  const { name = "", query = "" } = readFields(savedSearchFields, members, "whole");
  const now = timestampNow();
  const row = { uuid: randomUUID(), user_id: viewer.id, name, query, created_at: now, updated_at: now };
  return database.write((writer) => insertSavedSearch(writer, row));
}

export async function changeSavedSearch(
  dependencies: Pick<Context, "database">,
  viewer: SignedInViewer,
  uuid: string,
  { members, extent, condition }: { members: Members; extent: Extent; condition: Condition<SavedSearchRow> },
): Promise<SavedSearchRow> {
  return dependencies.database.write(async (writer) => {
    const { id } = await getOwn(writer, dependencies, viewer, uuid, condition);
    const table = extent === "whole" ? savedSearchFields : changedSavedSearchFields;
    const values = readFields(table, members, extent);
    return updateSavedSearch(writer, id, { ...values, updated_at: timestampNow() });
  });
}

export async function removeSavedSearch(
  dependencies: Pick<Context, "database">,
  viewer: SignedInViewer,
  uuid: string,
  condition: Condition<SavedSearchRow>,
): Promise<void> {
  await dependencies.database.write(async (writer) => {
    const { id } = await getOwn(writer, dependencies, viewer, uuid, condition);
    await deleteSavedSearch(writer, id);
  });
}

/** The saved search. Throws 404 or 412 unless it is the viewer's and `If-Match` holds. */
async function getOwn(
  writer: Writer,
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  uuid: string,
  condition: Condition<SavedSearchRow>,
): Promise<SavedSearchRow> {
  const row = await lockSavedSearch(writer, database, uuid);
  if (row === null || !isOwn(viewer, row)) throw notFound();
  checkCondition(row, condition);
  return row;
}
