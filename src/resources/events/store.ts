import { type Selectable, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { parameter } from "../../database/prepared-queries.ts";
import { hasRow } from "../../database/rows.ts";
import type { EventsTable, Timestamp } from "../../database/tables.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { type AccessFacts, kindOf, viewerValues } from "../documents/access.ts";
import { accessFacts, projectColumns } from "../documents/store.ts";
import type { NoteFacts } from "../notes/access.ts";

export type EventRow = Selectable<EventsTable>;

/** Where an event stands in the feed. */
export type FeedPosition = Pick<EventRow, "transaction_id" | "id">;

const maxRows = 500;

/** The events after a position, in order; null is the beginning. Fewer than the maximum means that these are all. */
export async function eventsAfter(
  { dialect, prepared }: Database,
  position: FeedPosition | null,
): Promise<{ rows: EventRow[]; areAll: boolean }> {
  const order = dialect.eventOrder;
  const build = () => sql`select events.* from events
    where ${order.after(parameter("transaction"), parameter("id"))} and ${order.isSettled}
    order by ${order.columns} limit ${sql.lit(maxRows)}`;
  const values = { transaction: position?.transaction_id ?? 0, id: position?.id ?? 0 };
  const rows = await prepared.rows<EventRow>("events after a position", build, values);
  return { rows, areAll: rows.length < maxRows };
}

/** The position of the newest event; null if nothing has happened yet. */
export async function newestPosition({ dialect, prepared }: Database): Promise<FeedPosition | null> {
  const { isSettled } = dialect.eventOrder;
  const build = () => sql`select transaction_id, id from events where ${isSettled}
    order by transaction_id desc, id desc limit 1`;
  const [newest] = await prepared.rows<FeedPosition>("newest event", build, {});
  return newest ?? null;
}

/**
 * Whether the feed still has the event at a position. Old events are removed in their order. If the event is
 * still there after a caller has read what follows it, the caller has missed nothing.
 */
export async function isKept(
  { reader }: Pick<Database, "reader">,
  { transaction_id, id }: FeedPosition,
): Promise<boolean> {
  return hasRow(reader, "events", { transaction_id, id });
}

const removedAtOnce = 10_000;

/** Removes the events before a moment, but never the newest one: its position remains that of the feed's end. */
export async function removeEventsBefore(database: Database, moment: Timestamp): Promise<void> {
  const { dialect } = database;
  const { columns } = dialect.eventOrder;
  for (;;) {
    const removed = await database.write(async (writer) => {
      const { rows } = await sql<FeedPosition & { at: Timestamp }>`select transaction_id, id, at from events
        order by ${columns} limit ${sql.lit(removedAtOnce + 1)}`.execute(writer);
      rows.pop();
      const kept = rows.findIndex(({ at }) => at >= moment);
      const last = (kept === -1 ? rows : rows.slice(0, kept)).at(-1);
      if (last === undefined) return 0;
      const isLater = dialect.eventOrder.after(sql`${last.transaction_id}`, sql`${last.id}`);
      await sql`delete from events where not ${isLater}`.execute(writer);
      return kept === -1 ? rows.length : 0;
    });
    if (removed < removedAtOnce) return;
  }
}

/** The facts about those of these documents that exist. */
export async function findAccessFacts(
  { dialect, prepared }: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Map<number, AccessFacts>> {
  if (ids.length === 0) return new Map();
  const build = () => {
    const among = dialect.isAmong(sql.ref("documents.id"), parameter("ids"));
    return sql`select id, access, status, user_id, organization_id ${projectColumns(dialect, viewer)}
      from documents where ${among}`;
  };
  const values = { ids: dialect.list(ids), ...viewerValues(dialect, viewer) };
  type Facts = Parameters<typeof accessFacts>[0];
  const rows = await prepared.rows<Facts>(`access facts for ${kindOf(viewer)}`, build, values);
  return new Map(rows.map((row) => [row.id, accessFacts(row)]));
}

/** The facts about those of these notes that exist. */
export async function findNoteFacts(
  { dialect, prepared }: Database,
  ids: readonly number[],
): Promise<Map<number, NoteFacts>> {
  if (ids.length === 0) return new Map();
  const build = () =>
    sql`select id, access, user_id from notes where ${dialect.isAmong(sql.ref("id"), parameter("ids"))}`;
  const rows = await prepared.rows<NoteFacts & { id: number }>("facts of notes", build, {
    ids: dialect.list(ids),
  });
  return new Map(rows.map((row) => [row.id, row]));
}
