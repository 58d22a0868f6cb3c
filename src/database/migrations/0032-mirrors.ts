import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Mirrors of other servers, the documents and projects that come from them, and the progress of a walk over a server's
 * list. A document or project without a row here was not mirrored, and a mirror never touches it.
 */
export async function mirrors(db: Kysely<unknown>, { text, identity }: Dialect): Promise<void> {
  await sql`create table mirrors (
    id ${identity},
    api ${text} not null,
    selection ${text} not null,
    walk ${text},
    next ${text},
    unique (api, selection)
  )`.execute(db);
  await sql`create table mirrored_documents (
    mirror_id bigint not null references mirrors (id) on delete cascade,
    document_id bigint not null references documents (id) on delete cascade,
    walk ${text} not null,
    content ${text},
    primary key (mirror_id, document_id)
  )`.execute(db);
  await sql`create index mirrored_documents_by_document on mirrored_documents (document_id)`.execute(db);
  await sql`create table mirrored_projects (
    project_id bigint primary key references projects (id) on delete cascade,
    api ${text} not null,
    remote_id bigint not null,
    unique (api, remote_id)
  )`.execute(db);
}
