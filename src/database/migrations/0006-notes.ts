import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Notes and sections of documents, by page (from 0), and saved searches. A note's coordinates are fractions of its
 * page's width and height; without coordinates it is about the page. `content_html` is the sanitized `content`,
 * computed on write: sanitizing a page of a thousand notes would take half a second.
 */
export async function notes(db: Kysely<unknown>, { text, identity }: Dialect): Promise<void> {
  await sql`create table notes (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    user_id bigint not null references users (id) on delete cascade,
    organization_id bigint references organizations (id),
    page_number bigint not null,
    access ${text} not null check (access in ('public', 'organization', 'private', 'invisible')),
    title ${text} not null,
    content ${text} not null,
    content_html ${text} not null,
    x1 double precision,
    x2 double precision,
    y1 double precision,
    y2 double precision,
    created_at ${text} not null,
    updated_at ${text} not null,
    check ((x1 is null) = (x2 is null) and (x1 is null) = (y1 is null) and (x1 is null) = (y2 is null))
  )`.execute(db);
  await sql`create index notes_by_document on notes (document_id, id)`.execute(db);
  await sql`create index notes_by_user on notes (user_id)`.execute(db);

  await sql`create table sections (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    page_number bigint not null,
    title ${text} not null,
    unique (document_id, page_number)
  )`.execute(db);
  await sql`create index sections_by_document on sections (document_id, id)`.execute(db);

  await sql`create table saved_searches (
    id ${identity},
    uuid ${text} not null unique,
    user_id bigint not null references users (id) on delete cascade,
    name ${text} not null,
    query ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);
  await sql`create index saved_searches_by_user on saved_searches (user_id, id)`.execute(db);
}
