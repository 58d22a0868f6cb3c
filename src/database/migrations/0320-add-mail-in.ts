import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Mail in. Of the key in an address only the digest is stored. `mail_arrivals` has which mail became which document, so
 * that a mail that is sent again does not become another one, and the mails that were refused, with the reason.
 * `mailboxes` has how far the mails of a mailbox have been taken in.
 */
export async function mailIn(
  db: Kysely<unknown>,
  { text, identity }: Pick<Dialect, "text" | "identity">,
): Promise<void> {
  await sql`create table mail_keys (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    project_id bigint references projects (id) on delete cascade,
    digest ${text} not null unique,
    access ${text} not null,
    created_at ${text} not null,
    used_at ${text}
  )`.execute(db);
  await sql`create unique index mail_keys_of_person on mail_keys (user_id) where project_id is null`.execute(
    db,
  );
  await sql`create unique index mail_keys_of_project on mail_keys (user_id, project_id)
    where project_id is not null`.execute(db);
  await sql`create index mail_keys_by_project_id on mail_keys (project_id) where project_id is not null`.execute(
    db,
  );
  await sql`create table mail_arrivals (
    id ${identity},
    user_id bigint references users (id) on delete cascade,
    document_id bigint references documents (id) on delete cascade,
    digest ${text} not null unique,
    way ${text} not null,
    sender ${text} not null,
    reason ${text},
    times bigint not null,
    arrived_at ${text} not null
  )`.execute(db);
  for (const column of ["user_id", "document_id"])
    await sql`create index ${sql.ref(`mail_arrivals_by_${column}`)} on mail_arrivals (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  await sql`create index mail_arrivals_refused on mail_arrivals (id) where reason is not null`.execute(db);
  await sql`create index mail_arrivals_by_time on mail_arrivals (arrived_at)`.execute(db);
  await sql`create table mailboxes (
    name ${text} primary key,
    uid_validity ${text} not null,
    last_uid bigint not null
  )`.execute(db);
}
