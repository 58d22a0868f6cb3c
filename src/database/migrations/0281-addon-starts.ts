import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * When an event starts its add-on next, and for uploads the position behind the last event of the feed that was looked
 * at.
 */
export async function addonStarts(db: Kysely<unknown>, { text }: Pick<Dialect, "text">): Promise<void> {
  for (const column of [sql`due_at ${text}`, sql`transaction_id bigint`, sql`feed_id bigint`])
    await sql`alter table addon_events add column ${column}`.execute(db);
  await sql`create index addon_events_due on addon_events (due_at) where due_at is not null`.execute(db);
}
