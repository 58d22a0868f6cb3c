import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { Conditions } from "../../database/conditions.ts";
import type { Page } from "../../database/keyset.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { mailJob } from "../mails/mail-store.ts";

export interface ListedMail {
  id: number;
  kind: string;
  username: string | null;
  created_at: string;
  sent_at: string | null;
  problem: string | null;
  /** Why the last attempt failed, if the mail will be tried again. */
  last_error: string | null;
}

/** One page of the mails of the last 30 days, the newest first. */
export async function listMails(
  database: Database,
  cursor: Cursor,
  limit: number,
): Promise<Page<ListedMail>> {
  const columns = sql`mails.id, mails.kind, mails.created_at, mails.sent_at, mails.problem,
    (select username from users where users.id = mails.user_id) as username,
    (select last_error from jobs where jobs.kind = ${sql.lit(mailJob)} and jobs.subject = mails.id
      and cancelled_at is null) as last_error`;
  return (
    new Conditions(database.dialect, "mails")
      // A reset of an account that does not exist is removed as soon as its job runs.
      .always("of users", sql`user_id is not null`)
      .page(database, columns, cursor, limit, { descending: true })
  );
}
