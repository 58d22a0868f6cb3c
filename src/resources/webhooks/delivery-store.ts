import { type Insertable, type Selectable } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { pageOf, rowOf, setRows } from "../../database/rows.ts";
import type { Timestamp, WebhookDeliveriesTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { EventRow } from "../events/store.ts";

export type DeliveryRow = Selectable<WebhookDeliveriesTable>;

/** One page of the deliveries of a webhook, newest first. */
export const listDeliveries = (database: Database, webhook_id: number, cursor: Cursor, limit: number) =>
  pageOf(database, "webhook_deliveries", { webhook_id }, cursor, limit, { descending: true });

export async function findDelivery(
  reader: Pick<Reader, "selectFrom">,
  webhook: number,
  id: number,
): Promise<DeliveryRow | null> {
  return rowOf(reader, "webhook_deliveries", { webhook_id: webhook, id });
}

/** Adds a delivery for each event, in order. */
export async function addDeliveries(
  writer: Writer,
  webhook: number,
  events: readonly EventRow[],
): Promise<void> {
  if (events.length === 0) return;
  const now = timestampNow();
  const rows = events.map((event): Insertable<WebhookDeliveriesTable> => ({
    webhook_id: webhook,
    event_id: event.id,
    happened_at: event.at,
    type: event.type,
    document_id: event.document_id,
    project_id: event.project_id,
    object_id: event.object_id,
    seen_by: event.seen_by,
    search_uuid: event.search_uuid,
    subject: event.document_id === null ? `project ${event.project_id}` : `document ${event.document_id}`,
    state: "waiting",
    attempts: 0,
    due_at: now,
    created_at: now,
  }));
  await writer.insertInto("webhook_deliveries").values(rows).execute();
}

/** The event that a delivery is about. */
export function eventOf(row: DeliveryRow): EventRow {
  const {
    event_id: id,
    happened_at: at,
    type,
    document_id,
    project_id,
    object_id,
    seen_by,
    search_uuid,
  } = row;
  return { id, transaction_id: 0, at, type, document_id, project_id, object_id, seen_by, search_uuid };
}

/** The deliveries that wait and are next: of those about the same subject only the first. */
const selectNext = (reader: Pick<Reader, "selectFrom">, webhook: number) =>
  reader
    .selectFrom("webhook_deliveries as due")
    .where("due.webhook_id", "=", webhook)
    .where("due.state", "=", "waiting")
    .where((due) =>
      due.not(
        due.exists(
          due
            .selectFrom("webhook_deliveries as earlier")
            .select("earlier.id")
            .where("earlier.webhook_id", "=", webhook)
            .where("earlier.state", "=", "waiting")
            .whereRef("earlier.subject", "=", "due.subject")
            .whereRef("earlier.id", "<", "due.id"),
        ),
      ),
    );

/** The deliveries that may be sent now. */
export async function findDue(
  { reader }: Pick<Database, "reader">,
  webhook: number,
  { now, limit }: { now: Timestamp; limit: number },
): Promise<DeliveryRow[]> {
  return selectNext(reader, webhook)
    .selectAll()
    .where("due.due_at", "<=", now)
    .orderBy("due.id")
    .limit(limit)
    .execute();
}

/** When the next delivery may be sent; null if none waits. */
export async function findNextDue(
  reader: Pick<Reader, "selectFrom">,
  webhook: number,
): Promise<Timestamp | null> {
  const row = await selectNext(reader, webhook)
    .select("due.due_at")
    .orderBy("due.due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

/** Records what became of an attempt, unless the delivery was changed meanwhile. */
export async function noteAttempt(
  writer: Writer,
  { id, attempts }: Pick<DeliveryRow, "id" | "attempts">,
  outcome: Partial<
    Pick<DeliveryRow, "state" | "attempts" | "due_at" | "at" | "status" | "milliseconds" | "problem">
  >,
): Promise<void> {
  await setRows(writer, "webhook_deliveries", { id, attempts, state: "waiting" }, outcome);
}

/** Has a delivery sent again, as if for the first time. */
export async function sendAgain(writer: Writer, id: number): Promise<void> {
  const values = { state: "waiting" as const, attempts: 0, due_at: timestampNow() };
  await setRows(writer, "webhook_deliveries", { id }, values);
}

/** Has everything that waits sent from now on, each delivery as if for the first time. */
export async function sendWaiting(writer: Writer, webhook: number): Promise<void> {
  const where = { webhook_id: webhook, state: "waiting" as const };
  await setRows(writer, "webhook_deliveries", where, { attempts: 0, due_at: timestampNow() });
}

/** Removes deliveries that no longer wait and were made before a moment. */
export async function removeDeliveriesBefore(writer: Writer, moment: Timestamp): Promise<void> {
  await writer
    .deleteFrom("webhook_deliveries")
    .where("state", "<>", "waiting")
    .where("created_at", "<", moment)
    .execute();
}
