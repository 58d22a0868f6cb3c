import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * What a person is told of within Quire. What happens again before they have seen it is counted in the same row, so
 * there is at most one new row of a kind about a subject.
 */
export async function notifications(db: Kysely<unknown>, { text, identity }: Dialect): Promise<void> {
  await sql`create table notifications (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    kind ${text} not null,
    subject bigint not null,
    document_id bigint references documents (id) on delete cascade,
    actor_id bigint references users (id) on delete set null,
    count bigint not null,
    created_at ${text} not null,
    seen_at ${text}
  )`.execute(db);
  await sql`create unique index notifications_new on notifications (user_id, kind, subject)
    where seen_at is null`.execute(db);
  await sql`create index notifications_by_user on notifications (user_id, created_at)`.execute(db);
  await sql`create index notifications_by_document on notifications (document_id)`.execute(db);
  await sql`create index notifications_by_actor on notifications (actor_id)`.execute(db);
}
