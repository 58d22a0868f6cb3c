import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The file that a document came as: by its hash it is known when it comes again, whatever has become of it since. And
 * why a page could not be read, beside the page, so that whoever takes the reading over knows it too.
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
