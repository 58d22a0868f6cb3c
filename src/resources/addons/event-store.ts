import { type Selectable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { hasRow, setRows, ownRows } from "../../database/rows.ts";
import type { AddonEventsTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { Viewer } from "../../http/request/viewer.ts";

export type EventRow = Selectable<AddonEventsTable>;

export interface EventFilters {
  addons?: number[] | undefined;
  site?: string | undefined;
}

/** One page of the viewer's events, in the order in which they were created, or the newest first. */
export async function listEvents(
  database: Database,
  viewer: Viewer,
  { filters, descending }: { filters: EventFilters; descending: boolean },
  cursor: Cursor,
  limit: number,
): Promise<Page<EventRow>> {
  return ownEvents
    .listed(database, viewer)
    .among("addon_id", filters.addons)
    .equals("site", filters.site)
    .page(database, sql`addon_events.*`, cursor, limit, { descending });
}

/** The events of the viewer. Where one is removed, its runs stay. */
export const ownEvents = ownRows("addon_events");

/** These events of a person, by id. */
export async function findEventsOf(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  userId: number,
  ids: readonly number[],
): Promise<EventRow[]> {
  return reader
    .selectFrom("addon_events")
    .selectAll()
    .where("user_id", "=", userId)
    .where(dialect.isAmong(sql.ref("addon_events.id"), sql`${dialect.list(ids)}`))
    .execute();
}

/** The value of `event` for events on upload, as DocumentCloud has it. */
export const onUpload = 4;

/** The events of add-ons that run, and not of those that are switched off or removed. */
const eventsOfRunning = (reader: Reader) =>
  reader
    .selectFrom("addon_events")
    .innerJoin("addons", "addons.id", "addon_events.addon_id")
    .selectAll("addon_events")
    .where("addons.is_removed", "=", false)
    .where("addons.is_enabled", "=", true);

/** The events whose time has come. */
export async function findDueEvents(reader: Reader, now: string): Promise<EventRow[]> {
  return eventsOfRunning(reader).where("due_at", "<=", now).orderBy("due_at").limit(1000).execute();
}

/** Sets when an event starts its add-on next. Returns false if another process has done so, or it was changed. */
export async function moveDue(
  writer: Writer,
  { id, due_at }: Pick<EventRow, "id" | "due_at">,
  next: string,
): Promise<boolean> {
  return (await setRows(writer, "addon_events", { id, due_at }, { due_at: next })) > 0;
}

export async function findUploadEvents(reader: Reader): Promise<EventRow[]> {
  return eventsOfRunning(reader).where("event", "=", onUpload).orderBy("addon_events.id").execute();
}

export async function hasUploadEvents({ reader }: Pick<Database, "reader">): Promise<boolean> {
  return hasRow(reader, "addon_events", { event: onUpload });
}

/** Moves the position of an event in the feed. Returns false if another process has done so, or it was changed. */
export async function movePosition(
  writer: Writer,
  { id, transaction_id, feed_id }: Pick<EventRow, "id" | "transaction_id" | "feed_id">,
  to: { transaction_id: number; id: number },
): Promise<boolean> {
  const where = { id, event: onUpload, transaction_id, feed_id };
  const position = { transaction_id: to.transaction_id, feed_id: to.id };
  return (await setRows(writer, "addon_events", where, position)) > 0;
}

/** Which of these documents belong to a person. */
export async function findOwnDocuments(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  userId: number,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await reader
    .selectFrom("documents")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "=", "success")
    .where(dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** How many runs in a row switch their event off by failing. */
const maxFailures = 5;

/** Switches an event off if its latest runs have all failed. */
export async function switchOffFailing(writer: Writer, id: number): Promise<void> {
  const latest = await writer
    .selectFrom("addon_runs")
    .select("status")
    .where("event_id", "=", id)
    .orderBy("id", "desc")
    .limit(maxFailures)
    .execute();
  if (latest.length < maxFailures || latest.some(({ status }) => status !== "failure")) return;
  await setRows(writer, "addon_events", { id }, { event: 0, due_at: null });
}
