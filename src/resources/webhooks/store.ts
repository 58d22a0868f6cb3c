import { type Selectable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { hasRow, lockRow, rowOf, setRows, ownRows } from "../../database/rows.ts";
import type { WebhooksTable } from "../../database/tables.ts";
import { enqueue } from "../../jobs/queue.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { FeedPosition } from "../events/store.ts";

export type WebhookRow = Selectable<WebhooksTable>;

/** The job that tells a webhook what happened. Its subject is the webhook's id. */
export const webhookJob = "deliver to webhook";

export async function findWebhook(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<WebhookRow | null> {
  return rowOf(reader, "webhooks", { id });
}

/** The webhooks of the viewer. */
export const ownWebhooks = ownRows("webhooks");

/** Like {@link findWebhook}, and locks the webhook until the transaction ends. */
export const lockWebhook = (writer: Writer, id: number) => lockRow(writer, "webhooks", { id });

export async function setPosition(writer: Writer, id: number, position: FeedPosition | null): Promise<void> {
  const values = { transaction_id: position?.transaction_id ?? null, event_id: position?.id ?? null };
  await setRows(writer, "webhooks", { id }, values);
}

/** Records since when every attempt has failed; null if the latest one succeeded. */
export async function setFailingSince(writer: Writer, id: number, since: string | null): Promise<void> {
  await setRows(writer, "webhooks", { id }, { failing_since: since });
}

/** Queues the job for a webhook, and has it run now even if it waits for the time of another attempt. */
export async function queueDelivery(writer: Writer, id: number): Promise<void> {
  await writer
    .updateTable("jobs")
    .set({ due_at: timestampNow() })
    .where("kind", "=", webhookJob)
    .where("subject", "=", id)
    .where("lease", "is", null)
    .where("cancelled_at", "is", null)
    .execute();
  await enqueue(writer, { kind: webhookJob, subject: id });
}

/** The webhooks that are on, have not looked at the newest event yet, and whose job is not about to. */
export async function findBehind({
  dialect,
  reader,
}: Pick<Database, "dialect" | "reader">): Promise<number[]> {
  const newest = sql`(select transaction_id, id from events where ${dialect.eventOrder.isSettled}
    order by transaction_id desc, id desc limit 1)`;
  const { rows } = await sql<{ id: number }>`select webhooks.id from webhooks cross join ${newest} as newest
    where webhooks.is_enabled = true
      and (webhooks.event_id is null or webhooks.event_id <> newest.id
        or webhooks.transaction_id <> newest.transaction_id)
      and not exists (select 1 from jobs where jobs.kind = ${webhookJob} and jobs.subject = webhooks.id
        and jobs.cancelled_at is null
        and (jobs.again = true or (jobs.lease is null and jobs.due_at <= ${timestampNow()})))
    order by webhooks.id`.execute(reader);
  return rows.map(({ id }) => id);
}

/** Whether there is a webhook that is on. */
export async function hasWebhooks({ reader }: Pick<Database, "reader">): Promise<boolean> {
  return hasRow(reader, "webhooks", { is_enabled: true });
}

/** Which of these documents are in a project. */
export async function findInProject(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  project: number,
  documents: readonly number[],
): Promise<Set<number>> {
  if (documents.length === 0) return new Set();
  const rows = await reader
    .selectFrom("project_memberships")
    .select("document_id")
    .where("project_id", "=", project)
    .where(dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(documents)}`))
    .execute();
  return new Set(rows.map((row) => row.document_id));
}
