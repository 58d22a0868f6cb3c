import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The uploaded file of a document: its hash identifies it when it is uploaded again, even if the document's file has
 * changed since. The error of an unreadable page is stored with the page, for any worker that takes over.
 */
export async function fileAccount(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table received_files (
    document_id bigint primary key references documents (id) on delete cascade,
    sha1 ${text} not null,
    extension ${text} not null
  )`.execute(db);
  await sql`create index received_files_by_hash on received_files (sha1)`.execute(db);
  await sql`insert into received_files (document_id, sha1, extension)
    select id, file_hash, original_extension from documents where file_hash <> '' and asset_url is null`.execute(
    db,
  );
  await sql`alter table document_pages add column fault ${text}`.execute(db);
}
