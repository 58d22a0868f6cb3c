import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Addresses that are told what happens, and what they are told. A delivery repeats the columns of its event, so that it
 * can wait longer than the feed keeps the event. `subject` is what the event is about: deliveries about the same
 * subject are sent one after another.
 */
export async function webhooks(db: Kysely<unknown>, { text, boolean, identity }: Dialect): Promise<void> {
  await sql`create table webhooks (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    project_id bigint references projects (id) on delete cascade,
    name ${text} not null,
    url ${text} not null,
    types ${text} not null,
    secret ${text} not null,
    former_secret ${text},
    rotated_at ${text},
    is_enabled ${boolean} not null,
    problem ${text},
    failing_since ${text},
    transaction_id bigint,
    event_id bigint,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);
  await sql`create index webhooks_by_user on webhooks (user_id, id)`.execute(db);
  await sql`create table webhook_deliveries (
    id ${identity},
    webhook_id bigint not null references webhooks (id) on delete cascade,
    event_id bigint not null,
    happened_at ${text} not null,
    type ${text} not null,
    document_id bigint,
    project_id bigint,
    object_id bigint,
    seen_by ${text},
    subject ${text} not null,
    state ${text} not null,
    attempts bigint not null,
    due_at ${text} not null,
    created_at ${text} not null,
    at ${text},
    status bigint,
    milliseconds bigint,
    problem ${text}
  )`.execute(db);
  await sql`create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)`.execute(db);
  await sql`create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, subject, id)
    where state = 'waiting'`.execute(db);
}
