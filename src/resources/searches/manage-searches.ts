import { randomUUID } from "node:crypto";
import { savedSearchLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import { invalidFields } from "../../errors.ts";
import type { Values } from "../../http/fields/fields.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { orUnavailable } from "../documents/search/search-documents.ts";
import { newestPosition } from "../events/store.ts";
import { countAlerts, setMail } from "./alert-store.ts";
import { addFormerFinds, markSeen, removeFinds } from "./find-store.ts";
import { basisOf, findNow } from "./compare.ts";
import type { savedSearchFields } from "./fields.ts";
import { type SavedSearchRow, ownSearches } from "./store.ts";

type SearchContext = Pick<Context, "database">;

export async function createSavedSearch(
  { database }: SearchContext,
  viewer: SignedInViewer,
  { name = "", query = "", alert }: Values<typeof savedSearchFields>,
): Promise<SavedSearchRow> {
  const now = timestampNow();
  const row = { uuid: randomUUID(), user_id: viewer.id, name, query, created_at: now, updated_at: now };
  return database.write(async (writer) => {
    const search = await ownSearches.add(writer, row);
    if (alert === undefined || alert === "off") return search;
    return beginAlert(database, writer, await ownSearches.change(writer, search, { alert }), viewer);
  });
}

/** Changes a saved search that is locked. An alert that is switched on, or has another query, begins again. */
export async function changeSavedSearch(
  { database }: SearchContext,
  writer: Writer,
  before: SavedSearchRow,
  values: Values<typeof savedSearchFields>,
  viewer: SignedInViewer,
): Promise<SavedSearchRow> {
  const row = await ownSearches.change(writer, before, { ...values, updated_at: timestampNow() });
  if (row.alert === "off") {
    if (before.alert !== "off") await removeFinds(database, writer, row.id, null);
    return ownSearches.change(writer, row, { new_count: 0 });
  }
  if (before.alert === "off" || before.query !== row.query) return beginAlert(database, writer, row, viewer);
  // What it has found until now is on the page.
  if (before.alert === "page" && row.alert !== "page") await setMail(writer, row.id, 0);
  return row;
}

/** The pause after a mail, which the first one does not wait for. */
const firstMailSeconds = -5 * 60;
/** The search is a part of a request, and on SQLite others wait for it. */
const limitSeconds = 5;

/** Notes what a search finds already, of which its owner is not told. */
async function beginAlert(
  database: Database,
  writer: Writer,
  row: SavedSearchRow,
  viewer: SignedInViewer,
): Promise<SavedSearchRow> {
  if ((await countAlerts(writer, viewer.id)) > savedSearchLimits.alerts)
    throw invalidFields({ alert: [`You may have at most ${savedSearchLimits.alerts} alerts.`] });
  // Read first: what happens from now on is compared.
  const position = await newestPosition(database);
  const found = await orUnavailable(() => findNow(database, viewer, row, null, limitSeconds));
  await removeFinds(database, writer, row.id, null);
  await addFormerFinds(database, writer, row.id, [...found]);
  return ownSearches.change(writer, row, {
    new_count: 0,
    basis: basisOf(viewer, row),
    compared_at: timestampNow(),
    mailed_at: timestampIn(firstMailSeconds),
    transaction_id: position?.transaction_id ?? null,
    event_id: position?.id ?? null,
  });
}

/** Records that the owner of a saved search has seen what it has found. */
export async function markOwnSeen(
  { database }: SearchContext,
  viewer: SignedInViewer,
  uuid: string,
): Promise<SavedSearchRow> {
  await database.write(async (writer) => {
    const { id } = await ownSearches.lock(writer, viewer, { uuid });
    await markSeen(writer, id);
  });
  return ownSearches.get(database, viewer, { uuid });
}
