import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Mails that wait, and for a while those that were sent or given up. They hold no links: a link is created when its
 * mail is sent, so the database never has one that works.
 */
export async function mails(db: Kysely<unknown>, { text, identity }: Dialect): Promise<void> {
  await sql`create table mails (
    id ${identity},
    kind ${text} not null,
    user_id bigint references users (id) on delete cascade,
    details ${text} not null,
    created_at ${text} not null,
    sent_at ${text},
    problem ${text}
  )`.execute(db);
  await sql`create index mails_by_user on mails (user_id)`.execute(db);
}
