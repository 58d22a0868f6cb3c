import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Deleted documents that can be brought back. Their rows in `documents` have the status `deleted`, which hides them
 * from everyone, and keep everything else. A document that gets another status, in whatever way, is not in the trash
 * any more.
 */
export async function deletedDocuments(
  db: Kysely<unknown>,
  { text, identity }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  // The owner and the organization are repeated here so that a viewer's part of the trash is a range of an index.
  await sql`create table deleted_documents (
    id ${identity},
    document_id bigint not null unique references documents (id) on delete cascade,
    status ${text} not null,
    user_id bigint not null,
    organization_id bigint not null,
    deleted_at ${text} not null,
    deleted_by bigint not null
  )`.execute(db);
  await sql`create index deleted_documents_by_user on deleted_documents (user_id, id)`.execute(db);
  await sql`create index deleted_documents_by_organization on deleted_documents (organization_id, id)`.execute(
    db,
  );
  await sql`create index deleted_documents_by_time on deleted_documents (deleted_at)`.execute(db);
  for (const trigger of engine === "postgres" ? postgresTriggers : sqliteTriggers)
    await sql.raw(trigger).execute(db);
}

const isBack = "old.status = 'deleted' and new.status <> 'deleted'";
const leave = "delete from deleted_documents where document_id = new.id;";

const sqliteTriggers = [
  `create trigger deleted_documents_back after update of status on documents when ${isBack} begin ${leave} end`,
];

const postgresTriggers = [
  `create function deleted_document_is_back() returns trigger language plpgsql as $$ begin
    ${leave}
    return null;
  end $$`,
  `create trigger deleted_documents_back after update of status on documents
    for each row when (${isBack}) execute function deleted_document_is_back()`,
];
