import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Alerts on saved searches. `saved_search_finds` has the documents that a search with an alert found when it was last
 * compared: those that it found when the alert was switched on have no `found_at`. It does not refer to documents, so
 * that a document which is gone is compared once more.
 *
 * A search that finds something adds an event, which names it by `search_uuid`.
 */
export async function alerts(
  db: Kysely<unknown>,
  { text, boolean }: Pick<Dialect, "text" | "boolean">,
): Promise<void> {
  const columns = [
    sql`alert ${text} not null default 'off'`,
    sql`new_count bigint not null default 0`,
    sql`basis ${text}`,
    sql`compared_at ${text}`,
    sql`mailed_at ${text}`,
    sql`transaction_id bigint`,
    sql`event_id bigint`,
  ];
  for (const column of columns) await sql`alter table saved_searches add column ${column}`.execute(db);
  await sql`create index saved_searches_with_alerts on saved_searches (id) where alert <> 'off'`.execute(db);
  await sql`create table saved_search_finds (
    search_id bigint not null references saved_searches (id) on delete cascade,
    document_id bigint not null,
    found_at ${text},
    is_new ${boolean} not null,
    mail_id bigint,
    primary key (search_id, document_id)
  )`.execute(db);
  await sql`create index saved_search_finds_by_time on saved_search_finds (search_id, found_at, document_id)
    where found_at is not null`.execute(db);
  for (const table of ["events", "webhook_deliveries"])
    await sql`alter table ${sql.table(table)} add column search_uuid ${text}`.execute(db);
}
